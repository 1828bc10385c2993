/** Bodies of answers made of the latest sample: written once for all requests that may see the same, until the next sample. */
import type { Sample } from './sampler';

/** Different pages, orders and rights within a second. */
const BODIES_MAX = 200;

export class SnapshotBodies {
  private version = -1;
  private readonly bodies = new Map<string, string>();
  private readonly encoder = new TextEncoder();

  /** @param key what the content depends on besides the sample: rights and query */
  body(
    { version, frame: { overview } }: Sample,
    key: string,
    make: () => Readonly<Record<string, unknown>>,
  ): Uint8Array {
    if (version !== this.version) this.bodies.clear();
    this.version = version;
    let rest = this.bodies.get(key);
    if (rest === undefined) {
      const { ageMs: _, ...content } = make();
      rest = JSON.stringify(content).slice(1);
      if (this.bodies.size < BODIES_MAX) this.bodies.set(key, rest);
    }
    // Only the age differs from one request to the next.
    return this.encoder.encode(`{"ageMs":${overview.ageMs},${rest}`);
  }
}
