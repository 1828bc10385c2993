/**
 * The console's share of maintenance, for queues without workers: expired leases, due jobs, ended pauses, trash. Workers do the same for
 * their own queues; doing it twice is harmless.
 *
 * Each turn checks all queues at once and works where something is due. A few queues a turn get their whole maintenance in rotation, for
 * what falls due slowly: retention, old minute counts, repair.
 */

import { LRUCache } from 'lru-cache';
import { errorText } from '@/lib/contract/describe-error';
import { type BackgroundLoop, startBackgroundLoop } from '@/lib/process/background-loop';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { singleton } from '../singleton';
import { startHistoryLoop } from './history-loop';
import { startScheduleLoop } from './schedule-loop';

/** With the time a turn takes itself, an expired lease is reclaimed within 5 s. */
const TURN_EVERY_MS = 2_500;
/** Queues that get their whole maintenance in a turn, one after the other: 10,000 queues take half an hour. */
const WHOLE_PER_TURN = 15;
/** A queue that failed is skipped for so long, so that it does not delay the others. */
const BACK_OFF_MS = 30_000;
const BACKED_OFF_MAX = 10_000;

export class MaintenanceLoop {
  private loops: BackgroundLoop[] = [];
  private stopped = false;
  private nextQueue = 0;
  private readonly backedOff = new LRUCache<string, true>({ max: BACKED_OFF_MAX, ttl: BACK_OFF_MS });

  start(): void {
    if (this.loops.length > 0 || this.stopped) return;
    const loop = startBackgroundLoop({
      name: 'maintenance',
      everyMs: TURN_EVERY_MS,
      firstInMs: TURN_EVERY_MS,
      keepsProcess: false,
      logger: log(),
      run: () => this.turn(),
    });
    this.loops = [startScheduleLoop(), startHistoryLoop(), loop];
  }

  stop(): void {
    this.stopped = true;
    for (const loop of this.loops) void loop.stop();
  }

  /** @returns ms to the next turn: a long turn is not followed by a pause as long */
  private async turn(): Promise<number> {
    const startedAtMs = performance.now();
    const broker = getBroker();
    const names = await broker.inspect.queues();
    const { failed } = await broker.maintainDue(names, {
      isSkipped: ({ queue }) => this.backedOff.has(queue),
    });
    const errors = new Map(failed.map(({ shard, error }) => [shard.queue, error]));
    for (const [queue, error] of await this.maintainWhole(names)) errors.set(queue, error);
    this.backOff(errors);
    const forgotten = await broker.forgetUnused();
    if (forgotten.length > 0)
      log().info({ queues: forgotten }, 'names of queues without rows were forgotten');
    return Math.max(TURN_EVERY_MS / 5, TURN_EVERY_MS - (performance.now() - startedAtMs));
  }

  /** @returns the queues that failed, and why: one must not keep the others from their maintenance */
  private async maintainWhole(names: readonly string[]): Promise<Map<string, unknown>> {
    const failed = new Map<string, unknown>();
    const first = this.nextQueue < names.length ? this.nextQueue : 0;
    const turn = names.slice(first, first + WHOLE_PER_TURN);
    this.nextQueue = first + turn.length;
    for (const name of turn)
      if (!this.backedOff.has(name))
        await getBroker()
          .maintain(name)
          .catch((error: unknown) => failed.set(name, error));
    return failed;
  }

  private backOff(failed: ReadonlyMap<string, unknown>): void {
    const fresh = [...failed].filter(([queue]) => !this.backedOff.has(queue));
    for (const [queue] of fresh) this.backedOff.set(queue, true);
    const [first] = fresh;
    if (!first) return;
    const [queue, error] = first;
    log().warn(
      { queue, others: fresh.length - 1, reason: errorText(error) },
      'maintenance of queues failed; it is tried again in half a minute',
    );
  }
}

export const getMaintenanceLoop = singleton('maintenance-loop', () => new MaintenanceLoop());
