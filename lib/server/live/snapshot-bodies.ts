/** What is made of the latest sample, once for all requests that may see the same, until the next sample. */
import type { Sample } from './sampler';

/** Different pages, orders and rights within a second. */
const VALUES_MAX = 200;

export class PerSample<T> {
  private version = -1;
  private readonly values = new Map<string, T>();

  /** @param key what the value depends on besides the sample: rights and query */
  of({ version }: Pick<Sample, 'version'>, key: string, make: () => T): T {
    if (version !== this.version) this.values.clear();
    this.version = version;
    const known = this.values.get(key);
    if (known !== undefined) return known;
    const value = make();
    if (this.values.size < VALUES_MAX) this.values.set(key, value);
    return value;
  }
}

/** Bodies of answers. */
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
