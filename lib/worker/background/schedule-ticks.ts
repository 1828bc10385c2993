/** Every worker ticks schedules, so that these need no process of their own. Doing it in many places at once is harmless. */
import { tickSchedules } from '@/lib/broker/schedules';
import { type BackgroundLoop, startBackgroundLoop } from '@/lib/process/background-loop';
import { withCallDeadline } from '../worker-deadline';
import type { Logger, WorkerBroker } from '../worker-types';

const EVERY_MS = 1_000;
/** Schedules may fall due at many moments of a second; one tick serves many. */
const SOONEST_MS = 50;
/** A tick is a few calls a schedule, each with a deadline of its own. */
const TICK_DEADLINE_MS = 30_000;

export interface ScheduleTickDeps {
  readonly broker: Pick<WorkerBroker, 'schedules'>;
  readonly random: () => number;
  readonly logger: Logger;
  onTrouble(where: string, error: unknown): void;
}

export function startScheduleTicks({ broker, random, logger, onTrouble }: ScheduleTickDeps): BackgroundLoop {
  const loop = startBackgroundLoop({
    name: 'the tick of schedules',
    everyMs: EVERY_MS,
    random,
    logger,
    async run() {
      const turn = tickSchedules(broker);
      const { now, nextAt, failures } = await withCallDeadline(
        turn,
        TICK_DEADLINE_MS,
        'the tick of schedules',
      );
      // In time for the next occurrence, not up to a second late.
      if (nextAt !== null && nextAt - now < EVERY_MS) loop.hasten(Math.max(SOONEST_MS, nextAt - now));
      for (const { id, error } of failures) onTrouble(`schedule ${id}`, error);
    },
    onTrouble: (error) => onTrouble('schedules', error),
  });
  return loop;
}
