/** Payloads of schedules that come back redacted from a form. */

import { MASK, redactText } from '@/lib/contract/redaction';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Schedule } from '@/lib/contract/schedules/schedule-schemas';
import type { SchedulesBroker } from './schedule-verbs';

type Asked = Partial<Pick<Schedule, 'queue' | 'job'>>;

/** Keeps the stored payload where it comes back as it was shown; never takes a mask for a value. @throws RedriveError VALIDATION */
export async function keepHiddenValues<A extends Asked>(
  broker: SchedulesBroker,
  asked: A,
  old: Schedule | null,
): Promise<A> {
  const { job } = asked;
  if (!job) return asked;
  if (old) {
    const shown = redactText(old.job.payload, await broker.inspect.redaction(old.queue));
    if (shown.hidden > 0 && job.payload === shown.text)
      return { ...asked, job: { ...job, payload: old.job.payload } };
  }
  for (const queue of new Set([old?.queue, asked.queue]))
    if (queue !== undefined && redactText(job.payload, await broker.inspect.redaction(queue)).masked > 0)
      throw new RedriveError(
        'VALIDATION',
        `The payload has ${MASK} where a value is hidden. Leave the payload as it was shown to keep what is stored, or write every hidden value anew.`,
        { fields: [{ field: 'job.payload', message: `has ${MASK} in place of a value` }] },
      );
  return asked;
}

export async function shownSchedule(broker: SchedulesBroker, schedule: Schedule): Promise<Schedule> {
  const { text } = redactText(schedule.job.payload, await broker.inspect.redaction(schedule.queue));
  return { ...schedule, job: { ...schedule.job, payload: text } };
}
