/**
 * The console's share of maintenance: queues that no worker serves still get expired leases back, promote what is due, end pauses and
 * empty their trash. Every worker does the same for its own queues, and several consoles may: doing it twice is harmless.
 *
 * Each turn looks at all queues at once, cheaply, and works where something fell due; besides, some queues get their whole
 * maintenance in rotation, for what falls due slowly: retention, counts of old minutes, repair.
 */
import { getBroker } from './broker';
import { log } from './log';
import { Scheduler } from './scheduler';
import { singleton } from './singleton';

/** With the time a turn takes itself, an expired lease is taken back within 5 s. */
const TURN_EVERY_MS = 2_500;
/** Queues that get their whole maintenance in a turn, one after the other: 10,000 queues take half an hour. */
const WHOLE_PER_TURN = 15;
/** A queue that failed is left alone for so long, so that it does not hold up the others, and is told of so often. */
const FAILED_REST_MS = 30_000;
const RESTING_MAX = 10_000;

export class Keeper {
  private timer: NodeJS.Timeout | null = null;
  private next = 0;
  private stopped = false;
  /** Queues that failed, by when they are tried again, in ms of performance.now(). */
  private readonly resting = new Map<string, number>();
  private readonly scheduler = new Scheduler();

  start(): void {
    if (this.timer || this.stopped) return;
    this.scheduler.start();
    this.arm(TURN_EVERY_MS);
  }

  stop(): void {
    this.stopped = true;
    this.scheduler.stop();
    if (this.timer) clearTimeout(this.timer);
  }

  private arm(inMs: number): void {
    this.timer = setTimeout(() => {
      const startedAtMs = performance.now();
      void this.turn().finally(() => {
        // A turn that took long is not followed by another pause as long.
        const tookMs = performance.now() - startedAtMs;
        if (!this.stopped) this.arm(Math.max(TURN_EVERY_MS / 5, TURN_EVERY_MS - tookMs));
      });
    }, inMs);
    this.timer.unref();
  }

  /** Never rejects. */
  private async turn(): Promise<void> {
    try {
      const broker = getBroker();
      const names = await broker.inspect.queues();
      const { failed } = await broker.maintainDue(names, ({ queue }) => this.isResting(queue));
      const troubled = new Map(failed.map(({ place, error }) => [place.queue, error]));
      for (const [queue, error] of await this.maintainWhole(names)) troubled.set(queue, error);
      this.rest(troubled);
      const forgotten = await broker.forgetUnused();
      if (forgotten.length > 0)
        log().info({ queues: forgotten }, 'names of queues without rows were forgotten');
    } catch (error) {
      log().debug({ err: error }, 'maintenance skipped a turn');
    }
  }

  /** Queues of which it failed, and why. One that cannot be maintained must not keep the others from it. */
  private async maintainWhole(names: readonly string[]): Promise<Map<string, unknown>> {
    const failed = new Map<string, unknown>();
    const first = this.next < names.length ? this.next : 0;
    const some = names.slice(first, first + WHOLE_PER_TURN);
    this.next = first + some.length;
    for (const name of some) {
      if (this.isResting(name)) continue;
      await getBroker()
        .maintain(name)
        .catch((error: unknown) => failed.set(name, error));
    }
    return failed;
  }

  private isResting(queue: string): boolean {
    const untilMs = this.resting.get(queue);
    if (untilMs === undefined) return false;
    if (performance.now() < untilMs) return true;
    this.resting.delete(queue);
    return false;
  }

  private rest(failed: ReadonlyMap<string, unknown>): void {
    const fresh = [...failed].filter(([queue]) => !this.isResting(queue));
    for (const [queue] of fresh) {
      if (this.resting.size >= RESTING_MAX) this.resting.clear();
      this.resting.set(queue, performance.now() + FAILED_REST_MS);
    }
    const [first] = fresh;
    if (!first) return;
    const [queue, error] = first;
    log().warn(
      { queue, others: fresh.length - 1, reason: error instanceof Error ? error.message : String(error) },
      'maintenance of queues failed; it is tried again in half a minute',
    );
  }
}

export const getKeeper = singleton('keeper', () => new Keeper());
