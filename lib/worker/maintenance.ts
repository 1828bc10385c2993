/** Every worker keeps its queues going: promotes what is due, takes back what ran out. Races between workers are harmless. */
import { withDeadline } from './deadline';
import { type Loop, startLoop } from './loop';
import type { Logger, WorkerBroker } from './types';

const EVERY_MS = 1_000;
/** A tick is up to some twenty calls a queue. */
const TICK_DEADLINE_MS = 30_000;

export interface MaintenanceDeps {
  readonly broker: Pick<WorkerBroker, 'maintain'>;
  readonly queues: readonly string[];
  readonly random: () => number;
  readonly logger: Logger;
  onTrouble(where: string, error: unknown): void;
}

export function startMaintenance({ broker, queues, random, logger, onTrouble }: MaintenanceDeps): Loop {
  return startLoop({
    name: 'maintenance',
    everyMs: EVERY_MS,
    random,
    logger,
    async run() {
      // One queue's trouble must not keep the others waiting.
      const outcomes = await Promise.allSettled(
        queues.map(async (queue) => withDeadline(broker.maintain(queue), TICK_DEADLINE_MS, `maintenance of ${queue}`)),
      );
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
    },
    onTrouble: (error) => onTrouble('maintenance', error),
  });
}
