/** So many at once, so many waiting, and whoever comes after these is told to come back: work that costs must not pile up. */
import { RedriveError } from '@/lib/contract/errors';

interface Limits {
  readonly most: number;
  readonly waiting: number;
  /** What to tell who is turned away. */
  readonly retryAfterMs: number;
}

export class Slots {
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly limits: Limits) {}

  /** @throws RedriveError TOO_MANY_ATTEMPTS when as many wait as may; and what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.running < this.limits.most) {
      this.running += 1;
      return;
    }
    if (this.queue.length >= this.limits.waiting)
      throw new RedriveError(
        'TOO_MANY_ATTEMPTS',
        'So many people are signing in at this moment that yours would have to wait. Try again in a few seconds.',
        { retryAfterMs: this.limits.retryAfterMs },
      );
    // Whoever leaves hands the place on, so it is never free in between.
    await new Promise<void>((resolve) => this.queue.push(resolve));
  }

  private leave(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.running -= 1;
  }
}
