/**
 * The console's share of maintenance: queues that no worker tends still promote, reclaim, end pauses and empty their trash.
 * Every worker does the same for its own queues; doing it twice is harmless.
 */
import { getBroker } from './broker';
import { log } from './log';
import { Scheduler } from './scheduler';
import { singleton } from './singleton';

const TICK_MS = 2_000;
/** Queues tended per tick; with more, they take turns. */
const QUEUES_PER_TICK = 50;

export class Keeper {
  private timer: NodeJS.Timeout | null = null;
  private next = 0;
  private stopped = false;
  private readonly scheduler = new Scheduler();

  start(): void {
    if (this.timer || this.stopped) return;
    this.scheduler.start();
    this.arm();
  }

  stop(): void {
    this.stopped = true;
    this.scheduler.stop();
    if (this.timer) clearTimeout(this.timer);
  }

  private arm(): void {
    this.timer = setTimeout(() => {
      void this.tick().finally(() => {
        if (!this.stopped) this.arm();
      });
    }, TICK_MS);
    this.timer.unref();
  }

  private async tick(): Promise<void> {
    try {
      const broker = getBroker();
      const names = await broker.inspect.queues();
      const first = this.next;
      this.next = names.length > 0 ? (first + QUEUES_PER_TICK) % names.length : 0;
      for (let i = 0; i < Math.min(QUEUES_PER_TICK, names.length); i++)
        await this.tend(names[(first + i) % names.length]);
    } catch (error) {
      log().debug({ err: error }, 'maintenance skipped a turn');
    }
  }

  /** One queue that cannot be tended must not keep the others from it. */
  private async tend(name: string | undefined): Promise<void> {
    if (name === undefined) return;
    await getBroker()
      .maintain(name)
      .catch((error: unknown) =>
        log().warn(
          { queue: name, reason: error instanceof Error ? error.message : String(error) },
          'maintenance of a queue failed',
        ),
      );
  }
}

export const getKeeper = singleton('keeper', () => new Keeper());
