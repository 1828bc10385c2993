/** Who goes next among owners: the owner whose last turn is longest ago. Asking more often gets an owner no further. */

/** Remembered owners; who is forgotten goes first. */
const OWNERS_MAX = 1_000;

export class RoundRobin {
  private turns = 0;
  /** The latest at the end. */
  private readonly last = new Map<string, { turn: number; atMs: number }>();
  private readonly running = new Map<string, number>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  compare(a: string, b: string): number {
    return (this.last.get(a)?.turn ?? 0) - (this.last.get(b)?.turn ?? 0);
  }

  started(owner: string): void {
    this.turns += 1;
    this.last.delete(owner);
    this.last.set(owner, { turn: this.turns, atMs: this.nowMs() });
    this.running.set(owner, this.runningOf(owner) + 1);
    for (const oldest of this.last.keys()) {
      if (this.last.size <= OWNERS_MAX) break;
      this.last.delete(oldest);
    }
  }

  ended(owner: string): void {
    const left = this.runningOf(owner) - 1;
    if (left > 0) this.running.set(owner, left);
    else this.running.delete(owner);
  }

  runningOf(owner: string): number {
    return this.running.get(owner) ?? 0;
  }

  /** Whether anybody else had a turn within this time, in ms. */
  hasOthers(owner: string, withinMs: number): boolean {
    const since = this.nowMs() - withinMs;
    let others = false;
    for (const [name, { atMs }] of this.last) others ||= name !== owner && atMs >= since;
    return others;
  }
}
