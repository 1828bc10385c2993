/** The console's share of running schedules, so that they run even without workers. Workers do the same: each occurrence is entered once. */

import { tickSchedules } from '@/lib/broker/schedules';
import { errorText } from '@/lib/contract/describe-error';
import { type BackgroundLoop, startBackgroundLoop } from '@/lib/process/background-loop';
import { getBroker } from '../console-broker';
import { log } from '../console-log';

const EVERY_MS = 1_000;
/** Schedules may fall due at many moments of a second; one turn serves many. */
const SOONEST_MS = 50;

export function startScheduleLoop(): BackgroundLoop {
  let lastReason = '';
  /** Logs a reason once, and again only when it changes. */
  const warn = (reason: string): void => {
    if (reason !== '' && reason !== lastReason)
      log().warn({ reason: reason.slice(0, 1_000) }, 'some schedules could not run; they are tried again');
    lastReason = reason;
  };
  return startBackgroundLoop({
    name: 'running schedules',
    everyMs: EVERY_MS,
    firstInMs: EVERY_MS,
    keepsProcess: false,
    logger: log(),
    async run() {
      const { now, nextAt, failures } = await tickSchedules(getBroker());
      warn(failures.map(({ id, error }) => `${id}: ${errorText(error)}`).join('; '));
      return nextAt === null ? EVERY_MS : Math.min(EVERY_MS, Math.max(SOONEST_MS, nextAt - now));
    },
  });
}
