import { endOrTime } from '@/lib/process/end-or-time';

/**
 * Runs slices of work one after another, in order of arrival. A slice that takes too long continues, but no longer delays the others; as
 * many as there are waiting operations may then run at once.
 */
export class WorkQueue {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly mostMs: number) {}

  take<T>(slice: () => Promise<T>): Promise<T> {
    const mine = this.last.then(slice);
    const before = this.last;
    // The time counts from the start of its turn.
    this.last = before.then(() => endOrTime(mine, this.mostMs));
    return mine;
  }
}
