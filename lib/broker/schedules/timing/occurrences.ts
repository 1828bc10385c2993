/** The occurrences of a schedule: always computed from the occurrence before or from a given moment, never from this process's clock. */
import { PAYLOAD_MAX_BYTES, TIME_MAX_MS } from '@/lib/contract/jobs/job-limits';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { ScheduleDefinition, ScheduleTiming } from '@/lib/contract/schedules/schedule-schemas';
import { cronOf } from './cron';

export interface OccurrenceRule {
  readonly timing: ScheduleTiming;
  readonly startAt: number | null;
  readonly endAt: number | null;
}

/** The first occurrence after a moment; null when none is left. @throws RedriveError VALIDATION */
export function nextOccurrence({ timing, startAt, endAt }: OccurrenceRule, after: number): number | null {
  const from = Math.max(after, (startAt ?? 0) - 1);
  const occurrence = 'cron' in timing ? nextCron(timing, from) : nextMultiple(timing, from);
  return occurrence === null || occurrence > Math.min(endAt ?? TIME_MAX_MS, TIME_MAX_MS) ? null : occurrence;
}

function nextCron(timing: Extract<ScheduleTiming, { cron: string }>, after: number): number | null {
  return cronOf(timing).nextRun(new Date(after))?.getTime() ?? null;
}

function nextMultiple(
  { everyMs, anchor }: Extract<ScheduleTiming, { everyMs: number }>,
  after: number,
): number {
  return anchor + Math.max(0, Math.floor((after - anchor) / everyMs) + 1) * everyMs;
}

export function occurrencesAfter(rule: OccurrenceRule, after: number, count: number): number[] {
  const occurrences: number[] = [];
  let at = nextOccurrence(rule, after);
  while (at !== null && occurrences.length < count) {
    occurrences.push(at);
    at = nextOccurrence(rule, at);
  }
  return occurrences;
}

/** The newest `count` up to a moment, which is an occurrence; oldest first. */
export function occurrencesBefore(timing: ScheduleTiming, upTo: number, count: number): number[] {
  if ('cron' in timing)
    return cronOf(timing)
      .previousRuns(count, new Date(upTo + 1_000))
      .map((date) => date.getTime())
      .filter((occurrence) => occurrence <= upTo)
      .reverse();
  const first = upTo - (count - 1) * timing.everyMs;
  return Array.from({ length: count }, (_, i) => first + i * timing.everyMs);
}

export interface OccurrencesBetween {
  /** The newest `max` of them, oldest first. */
  readonly occurrences: number[];
  /** How many are before those; at least so many where there are too many to count. */
  readonly older: number;
}

/** Some 0.1 ms each, while nothing else runs: after a month without any scheduler, a schedule of every second would take minutes to count. */
const COUNTED_MAX = 2_000;

/** The occurrences from `from`, which is one, up to `to`. */
export function occurrencesBetween(
  rule: OccurrenceRule,
  from: number,
  to: number,
  max: number,
): OccurrencesBetween {
  const until = Math.min(to, rule.endAt ?? to);
  const { timing } = rule;
  if (!('cron' in timing)) {
    const count = until < from ? 0 : Math.floor((until - from) / timing.everyMs) + 1;
    const kept = Math.min(count, max);
    const first = from + (count - kept) * timing.everyMs;
    const occurrences = Array.from({ length: kept }, (_, i) => first + i * timing.everyMs);
    return { occurrences, older: count - kept };
  }
  const occurrences: number[] = [];
  let at: number | null = from;
  while (at !== null && at <= until && occurrences.length < COUNTED_MAX) {
    occurrences.push(at);
    at = nextOccurrence(rule, at);
  }
  // Too many to walk through: the newest are found from their end.
  const newest =
    at === null || at > until
      ? []
      : occurrencesBefore(timing, until, max).filter(
          (occurrence) => occurrence > (occurrences.at(-1) ?? from),
        );
  const all = [...occurrences, ...newest];
  const older = Math.max(0, all.length - max);
  return { occurrences: all.slice(older), older };
}

/** Refuses a wrong schedule when it is made, not when it is due. @throws RedriveError VALIDATION | PAYLOAD_TOO_LARGE */
export function checkDefinition({ job, ...rule }: ScheduleDefinition): void {
  checkTiming(rule);
  const bytes = Buffer.byteLength(job.payload);
  if (bytes > PAYLOAD_MAX_BYTES)
    throw new RedriveError(
      'PAYLOAD_TOO_LARGE',
      `The payload is ${bytes} bytes; at most ${PAYLOAD_MAX_BYTES} are taken.`,
      { fields: [{ field: 'job.payload', message: `is ${bytes} bytes` }] },
    );
}

export function checkTiming({ timing, startAt, endAt }: OccurrenceRule): void {
  if ('cron' in timing) cronOf(timing);
  if (startAt !== null && endAt !== null && endAt < startAt) throw refusal('endAt', 'is before startAt');
}

/** The first occurrence after a moment. @throws RedriveError VALIDATION when there is none, saying what rules it out */
export function requireOccurrence(rule: OccurrenceRule, after: number): number {
  const occurrence = nextOccurrence(rule, after);
  if (occurrence !== null) return occurrence;
  if (nextOccurrence({ ...rule, startAt: null, endAt: null }, after) === null)
    throw refusal(
      'timing.cron',
      'matches no day that is still to come (30 February, say); correct day and month',
    );
  throw refusal(
    'endAt',
    `leaves no occurrence: the schedule would never run. Set it later${rule.startAt === null ? '' : ', or startAt earlier'}`,
  );
}

function refusal(field: string, message: string): RedriveError {
  return new RedriveError('VALIDATION', `${field} ${message}.`, { fields: [{ field, message }] });
}
