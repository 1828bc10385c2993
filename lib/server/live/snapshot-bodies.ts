/** Bodies of answers made of the latest sample. */
import { PerSample } from './per-sample';
import type { Sample } from './sampler';

export class SnapshotBodies {
  private readonly bodies = new PerSample<string>();
  private readonly encoder = new TextEncoder();

  /** @param key what the content depends on besides the sample: rights and query */
  body(sample: Sample, key: string, make: () => Readonly<Record<string, unknown>>): Uint8Array {
    const rest = this.bodies.of(sample, key, () => {
      const { ageMs: _, ...content } = make();
      return JSON.stringify(content).slice(1);
    });
    // Only the age differs from one request to the next.
    return this.encoder.encode(`{"ageMs":${sample.frame.overview.ageMs},${rest}`);
  }
}
