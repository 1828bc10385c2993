/** The schedule form and its request; pure. */

import type { MISSED_POLICIES, OVERLAP_POLICIES } from '@/lib/contract/schedules/schedule-limits';
import type {
  Schedule,
  SchedulePreviewRequest,
  ScheduleRequest,
  ScheduleTiming,
} from '@/lib/contract/schedules/schedule-schemas';
import { dateTimeInput, parseDateTimeInput } from '@/lib/format/time-zone-input';

export const UNITS = [
  { value: '1000', label: 'seconds' },
  { value: '60000', label: 'minutes' },
  { value: '3600000', label: 'hours' },
  { value: '86400000', label: 'days' },
] as const;

export interface ScheduleForm {
  id: string;
  queue: string;
  kind: 'cron' | 'every';
  cron: string;
  timeZone: string;
  every: string;
  unitMs: string;
  jobType: string;
  tenantId: string;
  priority: string;
  maxAttempts: string;
  payload: string;
  missed: (typeof MISSED_POLICIES)[number];
  overlap: (typeof OVERLAP_POLICIES)[number];
  /** The zone of the dates below: the user's. */
  boundsZone: string;
  /** As `datetime-local` has it. */
  startAt: string;
  endAt: string;
  reason: string;
}

export const emptyScheduleForm = (timeZone: string): ScheduleForm => ({
  id: '',
  queue: '',
  kind: 'cron',
  cron: '0 9 * * *',
  timeZone,
  boundsZone: timeZone,
  every: '5',
  unitMs: '60000',
  jobType: '',
  tenantId: '',
  priority: '0',
  maxAttempts: '8',
  payload: '{}',
  missed: 'one',
  overlap: 'allow',
  startAt: '',
  endAt: '',
  reason: '',
});

export function scheduleToForm(schedule: Schedule, timeZone: string): ScheduleForm {
  const { timing, job } = schedule;
  const empty = emptyScheduleForm(timeZone);
  const unit = 'everyMs' in timing ? largestUnit(timing.everyMs) : empty.unitMs;
  return {
    ...empty,
    id: schedule.id,
    queue: schedule.queue,
    kind: 'cron' in timing ? 'cron' : 'every',
    ...('cron' in timing
      ? { cron: timing.cron, timeZone: timing.timeZone }
      : { every: String(timing.everyMs / Number(unit)), unitMs: unit }),
    jobType: job.jobType,
    tenantId: job.tenantId,
    priority: String(job.priority),
    maxAttempts: String(job.maxAttempts),
    payload: job.payload,
    missed: schedule.missed,
    overlap: schedule.overlap,
    startAt: dateTimeInput(schedule.startAt, timeZone),
    endAt: dateTimeInput(schedule.endAt, timeZone),
  };
}

const largestUnit = (everyMs: number): string =>
  [...UNITS].reverse().find(({ value }) => everyMs % Number(value) === 0)?.value ?? '1000';

const boundOf = (text: string, zone: string): number | null =>
  text === '' ? null : parseDateTimeInput(text, zone);

/** The form's field for a field of the request, where their names differ. */
export const SCHEDULE_FIELDS = { everyMs: 'every' } as const;

/** `old`: the schedule to change; its other settings stay. */
export function toScheduleRequest(
  form: ScheduleForm,
  old: Schedule | null,
): ScheduleRequest & { timing: ScheduleTiming } {
  const anchor = old && 'everyMs' in old.timing ? old.timing.anchor : 0;
  return {
    id: form.id.trim(),
    queue: form.queue.trim(),
    timing:
      form.kind === 'cron'
        ? { cron: form.cron.trim(), timeZone: form.timeZone.trim() }
        : { everyMs: numberOf(form.every) * Number(form.unitMs), anchor },
    job: {
      ...old?.job,
      jobType: form.jobType.trim(),
      tenantId: form.tenantId.trim() || 'default',
      priority: numberOf(form.priority),
      maxAttempts: numberOf(form.maxAttempts),
      payload: form.payload,
    },
    missed: form.missed,
    overlap: form.overlap,
    startAt: boundOf(form.startAt, form.boundsZone),
    endAt: boundOf(form.endAt, form.boundsZone),
    reason: form.reason.trim() || undefined,
  };
}

/** An empty field is not zero. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** The schema would say that the text is too short. */
export const checkScheduleForm = ({ kind, cron }: ScheduleForm): { cron?: string } =>
  kind === 'cron' && cron.trim() === '' ? { cron: 'must not be empty' } : {};

/** Null while the timing is incomplete. */
export function previewRequest(
  form: ScheduleForm,
): (SchedulePreviewRequest & { timing: ScheduleTiming }) | null {
  const { timing, startAt, endAt } = toScheduleRequest(form, null);
  const complete = 'cron' in timing ? timing.cron !== '' && timing.timeZone !== '' : timing.everyMs >= 1_000;
  return complete && !Number.isNaN(startAt) && !Number.isNaN(endAt) ? { timing, startAt, endAt } : null;
}
