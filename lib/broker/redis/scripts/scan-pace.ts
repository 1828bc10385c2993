/**
 * How scans and small requests share time. Scans of one read are many and short, so a gap after each one would make a search many times slower: scans
 * use a slice of time, then leave a gap of the same length. However many small requests there are, scans keep at least half of the time.
 */

/** Small requests wait no longer than this for the next gap, and the time of the scan that runs then. */
const SLICE_MS = 10;
/** Small requests then meet an idle event loop and an idle Redis. */
const GAP_MS = 10;

export class ScanPace {
  private running = 0;
  /** Of this slice, in ms. */
  private usedMs = 0;
  private busySinceMs = 0;
  private idleSinceMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  started(): void {
    this.running += 1;
    if (this.running > 1) return;
    const nowMs = this.nowMs();
    if (nowMs - this.idleSinceMs >= GAP_MS) this.usedMs = 0;
    this.busySinceMs = nowMs;
  }

  ended(): void {
    this.running -= 1;
    if (this.running > 0) return;
    this.idleSinceMs = this.nowMs();
    this.usedMs += this.idleSinceMs - this.busySinceMs;
  }

  /** Whether the slice is used up by scans, of which some still run, or the gap after them lasts. */
  get isGap(): boolean {
    const usedMs = this.running > 0 ? this.usedMs + this.nowMs() - this.busySinceMs : this.usedMs;
    return usedMs >= SLICE_MS && (this.running > 0 || this.gapLeftMs > 0);
  }

  /** Infinite while scans run: the gap begins when the last of them ends. */
  get gapLeftMs(): number {
    if (this.running > 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.idleSinceMs + GAP_MS - this.nowMs());
  }
}
