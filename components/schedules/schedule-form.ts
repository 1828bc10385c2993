/** What the form of a schedule holds and what it asks of the server. Pure, so that it is tested without a browser. */
import {
  type MISSED_POLICIES,
  type OVERLAP_POLICIES,
  type Schedule,
  type SchedulePreviewRequest,
  type ScheduleRequest,
  type ScheduleTiming,
  scheduleRequestSchema,
} from '@/lib/contract/schedules';

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
  /** As `datetime-local` writes them: in the zone of whoever looks. */
  startAt: string;
  endAt: string;
  reason: string;
}
export type ScheduleFormErrors = Partial<Record<keyof ScheduleForm, string>>;

export const emptyForm = (timeZone: string): ScheduleForm => ({
  id: '',
  queue: '',
  kind: 'cron',
  cron: '0 9 * * *',
  timeZone,
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

export function formOf(schedule: Schedule, timeZone: string): ScheduleForm {
  const { timing, job } = schedule;
  const empty = emptyForm(timeZone);
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
    startAt: localTime(schedule.startAt),
    endAt: localTime(schedule.endAt),
  };
}

const largestUnit = (everyMs: number): string =>
  [...UNITS].reverse().find(({ value }) => everyMs % Number(value) === 0)?.value ?? '1000';

/** "2026-03-29T02:30", as the control wants it; seconds too when there are some. */
function localTime(at: number | null): string {
  if (at === null) return '';
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, at % 60_000 === 0 ? 16 : 23);
}

const timeOf = (text: string): number | null => (text === '' ? null : new Date(text).getTime());

/** Which field of the form a field of the request comes from. */
const FORM_FIELD: Readonly<Record<string, keyof ScheduleForm>> = {
  id: 'id',
  queue: 'queue',
  'timing.cron': 'cron',
  'timing.timeZone': 'timeZone',
  'timing.everyMs': 'every',
  'job.jobType': 'jobType',
  'job.tenantId': 'tenantId',
  'job.priority': 'priority',
  'job.maxAttempts': 'maxAttempts',
  'job.payload': 'payload',
  missed: 'missed',
  overlap: 'overlap',
  startAt: 'startAt',
  endAt: 'endAt',
  reason: 'reason',
};
export const formField = (field: string): keyof ScheduleForm | undefined => FORM_FIELD[field];

/** What the form asks for. `old`: the schedule it changes, whose further settings stay. */
function draftOf(form: ScheduleForm, old: Schedule | null): ScheduleRequest & { timing: ScheduleTiming } {
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
    startAt: timeOf(form.startAt),
    endAt: timeOf(form.endAt),
    reason: form.reason.trim() || undefined,
  };
}

/** An empty field is no number, not nought. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

export function readForm(
  form: ScheduleForm,
  old: Schedule | null,
): { request: ScheduleRequest; errors: null } | { request: null; errors: ScheduleFormErrors } {
  const request = draftOf(form, old);
  const errors: ScheduleFormErrors = {};
  const parsed = scheduleRequestSchema.safeParse(request);
  for (const issue of parsed.error?.issues ?? []) {
    // Of a union both branches complain; the form knows which one is meant.
    const inner = issue.code === 'invalid_union' ? issue.errors[form.kind === 'cron' ? 0 : 1] : [issue];
    for (const { path, message } of inner ?? [issue]) {
      const at = issue.code === 'invalid_union' ? [...issue.path, ...path] : path;
      const field = formField(at.join('.'));
      if (field) errors[field] ??= message;
    }
  }
  if (form.kind === 'cron' && form.cron.trim() === '') errors.cron = 'must not be empty';
  return Object.keys(errors).length > 0 || !parsed.success
    ? { request: null, errors }
    : { request, errors: null };
}

/** What to preview; null while there is not enough to ask about. */
export function previewOf(form: ScheduleForm): (SchedulePreviewRequest & { timing: ScheduleTiming }) | null {
  const { timing, startAt, endAt } = draftOf(form, null);
  const complete = 'cron' in timing ? timing.cron !== '' && timing.timeZone !== '' : timing.everyMs >= 1_000;
  return complete && !Number.isNaN(startAt) && !Number.isNaN(endAt) ? { timing, startAt, endAt } : null;
}
