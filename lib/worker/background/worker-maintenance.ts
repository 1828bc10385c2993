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

export interface MaintenanceDeps {
  readonly broker: Pick<WorkerBroker, 'maintain'>;
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
  /** A job will fall due in a queue that may have no active claim. */
  dueIn(ms: number): void;
}

export function startMaintenance(deps: MaintenanceDeps): Maintenance {
  const { broker, queues, random, logger } = deps;
  const loop = startBackgroundLoop({
    name: 'maintenance',
    everyMs: EVERY_MS,
    random,
    logger,
    async run() {
      // One queue's trouble must not keep the others waiting.
      const outcomes = await Promise.allSettled(
        queues.map(async (queue) => {
          const call = broker.maintain(queue);
          const { nextAt } = await withCallDeadline(call, TICK_DEADLINE_MS, `maintenance of ${queue}`);
          if (nextAt !== null) dueIn(nextAt - deps.redisNowMs());
        }),
      );
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
    },
    onTrouble: (error) => deps.onTrouble('maintenance', error),
  });
  function dueIn(ms: number): void {
    if (ms < EVERY_MS && deps.isIdle()) loop.hasten(Math.max(SPACING_MS, ms));
  }
  return { ...loop, dueIn };
}
