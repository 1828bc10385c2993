/**
 * Slices of work one after another, in the order they were asked for. One that takes too long, as when a Redis does not answer, goes
 * on, but no longer keeps the others waiting: as many as there are who ask may then be under way.
 */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly mostMs: number) {}

  take<T>(slice: () => Promise<T>): Promise<T> {
    const mine = this.last.then(slice);
    const before = this.last;
    // The time runs from when it is its turn, not from when it was asked for.
    this.last = before.then(() => endOrTime(mine, this.mostMs));
    return mine;
  }
}

/** Resolves when the work has ended, however it did, or when the time is over. */
function endOrTime(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref();
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(end, end);
  });
}
