/** Every worker promotes due jobs and reclaims expired leases of its queues. Races between workers are harmless. */

import { type BackgroundLoop, startBackgroundLoop } from '@/lib/process/background-loop';
import { withCallDeadline } from '../worker-deadline';
import type { Logger, WorkerBroker } from '../worker-types';

/** A lease that ran out is noticed within a second, chance included. */
const EVERY_MS = 800;
/** Jobs may fall due every millisecond; one tick serves many. */
const SPACING_MS = 100;
/** A tick is up to some thirty calls a queue. */
const TICK_DEADLINE_MS = 30_000;
/**
 * With more queues, so many get their whole maintenance in a tick, in turn, and as many of those that jobs came from. In the others a cheap
 * look finds expired leases, due jobs and lost wake tokens; retention and repair wait for a later tick.
 */
const WHOLE_PER_TICK = 16;

export interface MaintenanceDeps {
  readonly broker: Pick<WorkerBroker, 'maintain' | 'maintainDue'>;
  readonly queues: readonly string[];
  readonly random: () => number;
  readonly logger: Logger;
  /** Redis's clock as far as it is known. */
  redisNowMs(): number;
  /** A worker that claims promotes what is due as it goes; one that waits has to be in time for it. */
  isIdle(): boolean;
  onTrouble(where: string, error: unknown): void;
}

export interface Maintenance extends BackgroundLoop {
  /** Jobs of the queue were claimed. */
  noteClaim(queue: string): void;
  /** A job will fall due in a queue that may have no active claim. */
  dueIn(ms: number): void;
}

export function startMaintenance(deps: MaintenanceDeps): Maintenance {
  const { broker, queues, random, logger } = deps;
  /** Jobs came from them since their last whole maintenance. */
  const active = new Set<string>();
  let turn = 0;

  function wholeThisTick(): readonly string[] {
    if (queues.length <= WHOLE_PER_TICK) return queues;
    const whole = new Set([...active].slice(0, WHOLE_PER_TICK));
    for (let i = 0; i < WHOLE_PER_TICK; i++) whole.add(queues[turn++ % queues.length] ?? '');
    for (const queue of whole) active.delete(queue);
    return [...whole];
  }
  async function maintainWhole(queue: string): Promise<void> {
    const call = broker.maintain(queue);
    const { nextAt } = await withCallDeadline(call, TICK_DEADLINE_MS, `maintenance of ${queue}`);
    if (nextAt !== null) dueIn(nextAt - deps.redisNowMs());
  }
  async function maintainDue(): Promise<void> {
    const call = broker.maintainDue(queues, { aheadMs: EVERY_MS });
    const { nextAt, failed } = await withCallDeadline(call, TICK_DEADLINE_MS, 'maintenance');
    if (nextAt !== null) dueIn(nextAt - deps.redisNowMs());
    const [first] = failed;
    if (first) throw first.error;
  }

  const loop = startBackgroundLoop({
    name: 'maintenance',
    everyMs: EVERY_MS,
    random,
    logger,
    async run() {
      const whole = wholeThisTick();
      // One queue's trouble must not keep the others waiting.
      const outcomes = await Promise.allSettled([
        ...(whole.length < queues.length ? [maintainDue()] : []),
        ...whole.map(maintainWhole),
      ]);
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
    },
    onTrouble: (error) => deps.onTrouble('maintenance', error),
  });
  function dueIn(ms: number): void {
    if (ms < EVERY_MS && deps.isIdle()) loop.hasten(Math.max(SPACING_MS, ms));
  }
  return {
    ...loop,
    noteClaim(queue) {
      if (queues.length > WHOLE_PER_TICK) active.add(queue);
    },
    dueIn,
  };
}
