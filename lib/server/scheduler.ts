/**
 * The console's share of ticking schedules: they run even while no worker does. Every worker does the same; whoever comes
 * first enters a slot's job, and for the others it is done.
 */
import { tickSchedules } from '@/lib/schedules';
import { getBroker } from './broker';
import { log } from './log';

const EVERY_MS = 1_000;
/** Schedules may fall due at many moments of a second; one tick serves many. */
const SOONEST_MS = 50;

export class Scheduler {
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  /** What is told once, and again only when it changes. */
  private trouble = '';

  start(): void {
    if (this.timer || this.stopped) return;
    this.arm(EVERY_MS);
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
  }

  private arm(inMs: number): void {
    this.timer = setTimeout(() => {
      void this.tick().then((next) => {
        if (!this.stopped) this.arm(next);
      });
    }, inMs);
    this.timer.unref();
  }

  /** Never rejects; answers after how long to look again. Every call in it has the broker's deadline. */
  private async tick(): Promise<number> {
    try {
      const { now, nextAt, failures } = await tickSchedules(getBroker());
      this.tell(
        failures
          .map(({ id, error }) => `${id}: ${error instanceof Error ? error.message : String(error)}`)
          .join('; '),
      );
      return nextAt === null ? EVERY_MS : Math.min(EVERY_MS, Math.max(SOONEST_MS, nextAt - now));
    } catch (error) {
      log().debug({ err: error }, 'a turn of the schedules was skipped');
      return EVERY_MS;
    }
  }

  private tell(trouble: string): void {
    if (trouble !== '' && trouble !== this.trouble)
      log().warn(
        { reason: trouble.slice(0, 1_000) },
        'some schedules could not be ticked; they are tried again',
      );
    this.trouble = trouble;
  }
}
