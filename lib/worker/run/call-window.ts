/** How many calls ended, and how many of them failed, within the last while. Ten slices, so that memory is constant. */
const SLICES = 10;
const UNUSED = Number.NEGATIVE_INFINITY;

export class CallWindow {
  readonly #sliceMs: number;
  readonly #slices = Array.from({ length: SLICES }, () => ({ nth: UNUSED, calls: 0, failures: 0 }));

  constructor(windowMs: number) {
    this.#sliceMs = windowMs / SLICES;
  }

  add(nowMs: number, failed: boolean): void {
    const nth = Math.floor(nowMs / this.#sliceMs);
    const slice = this.#slices[nth % SLICES];
    if (!slice) return;
    if (slice.nth !== nth) Object.assign(slice, { nth, calls: 0, failures: 0 });
    slice.calls += 1;
    if (failed) slice.failures += 1;
  }

  /** Nothing older than the window counts, and nothing younger than nine tenths of it is left out. */
  read(nowMs: number): { calls: number; failures: number } {
    const oldest = Math.floor(nowMs / this.#sliceMs) - SLICES + 1;
    let [calls, failures] = [0, 0];
    for (const slice of this.#slices)
      if (slice.nth >= oldest) {
        calls += slice.calls;
        failures += slice.failures;
      }
    return { calls, failures };
  }

  clear(): void {
    for (const slice of this.#slices) slice.nth = UNUSED;
  }
}
