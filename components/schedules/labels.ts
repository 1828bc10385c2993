/** Labels of schedules; pure. Complex expressions have none. */

import { SCHEDULE_GRACE_MS } from '@/lib/contract/schedules/schedule-limits';
import type {
  ListedSchedule,
  OccurrenceOutcome,
  RecentRun,
  RecentRunOutcome,
  Schedule,
  SchedulePreview,
  ScheduleTiming,
} from '@/lib/contract/schedules/schedule-schemas';
import { absoluteLocal } from '@/lib/format/date-time';
import { duration } from '@/lib/format/duration';
import { fullNumber } from '@/lib/format/number';

const DAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;
const SHORT_DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** "Every day at 02:30", "Every 5 minutes"; null for a complex expression. */
export function timingLabel(timing: ScheduleTiming): string | null {
  return 'cron' in timing ? cronWords(timing.cron) : intervalWords(timing.everyMs);
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

function intervalWords(everyMs: number): string {
  const [unit, ms] = UNITS.find(([, size]) => everyMs % size === 0) ?? ['', 0];
  if (ms === 0) return `Every ${duration(everyMs)}`;
  return everyMs === ms ? `Every ${unit}` : `Every ${everyMs / ms} ${unit}s`;
}

function cronWords(cron: string): string | null {
  const fields = cron.trim().toUpperCase().split(/\s+/);
  const [second, minute, hour, day, month, weekday] = fields.length === 5 ? ['0', ...fields] : fields;
  if (month !== '*' || minute === undefined || hour === undefined) return null;
  if (second !== '0') return everyWords([second, minute, hour, day, weekday], 'second');
  if (hour === '*' && day === '*' && weekday === '*') {
    const steps = everyWords([minute], 'minute');
    return steps ?? (isNumber(minute) ? `Every hour at minute ${Number(minute)}` : null);
  }
  if (minute === '0' && day === '*' && weekday === '*' && hour.startsWith('*/'))
    return everyWords([hour], 'hour');
  if (!isNumber(minute) || !isNumber(hour)) return null;
  const at = `at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (day === '*') {
    const days = weekdayWords(weekday ?? '*');
    return days && `${days} ${at}`;
  }
  if (weekday !== '*' || day === undefined) return null;
  if (day === 'L') return `The last day of every month ${at}`;
  return isNumber(day) ? `Day ${Number(day)} of every month ${at}` : null;
}

const isNumber = (field: string): boolean => /^\d{1,2}$/.test(field);

/** For a wildcard or step, followed by wildcards only. */
function everyWords([field, ...rest]: (string | undefined)[], unit: string): string | null {
  if (rest.some((other) => other !== '*')) return null;
  if (field === '*') return `Every ${unit}`;
  const step = /^\*\/(\d{1,2})$/.exec(field ?? '')?.[1];
  return step ? `Every ${Number(step)} ${unit}s` : null;
}

function weekdayWords(field: string): string | null {
  const named = SHORT_DAYS.reduce((text, name, i) => text.replaceAll(name, String(i)), field);
  if (named === '*') return 'Every day';
  if (named === '1-5') return 'Monday to Friday';
  if (!/^[0-7](,[0-7])*$/.test(named)) return null;
  const days = named.split(',').map((n) => DAYS[Number(n)]);
  return days.length === 1 ? `Every ${days[0]}` : days.join(', ');
}

/** The cron expression with its time zone; empty for an interval. */
export const expressionLabel = (timing: ScheduleTiming): string =>
  'cron' in timing ? `${timing.cron} ${timing.timeZone}` : '';

/** The zone of its run times; undefined: the user's. */
export const timingZone = (timing: ScheduleTiming): string | undefined =>
  'cron' in timing ? timing.timeZone : undefined;

export const OUTCOME_LABELS: Readonly<Record<OccurrenceOutcome, { word: string; meaning: string }>> = {
  entered: { word: 'enqueued', meaning: 'The job was enqueued' },
  overlap: { word: 'skipped', meaning: 'The previous job had not finished' },
  refused: { word: 'refused', meaning: 'The queue was draining or full' },
  missed: { word: 'missed', meaning: 'No worker or console enqueued it in time' },
};

/** `sign`: in the cell, so that color alone does not tell them apart. */
export const RUN_LABELS: Readonly<Record<RecentRunOutcome, { word: string; sign: string; color: string }>> = {
  completed: { word: 'completed', sign: '', color: 'bg-good' },
  dead: { word: 'dead', sign: '×', color: 'bg-bad' },
  running: { word: 'running', sign: '›', color: 'bg-accent' },
  waiting: { word: 'waiting to run', sign: '·', color: 'bg-muted' },
  skipped: { word: 'skipped', sign: '–', color: 'bg-warn' },
  refused: { word: 'refused by the queue', sign: '–', color: 'bg-warn' },
  missed: { word: 'missed', sign: '!', color: 'bg-warn' },
  unknown: { word: 'not known any more', sign: '', color: 'bg-line-strong' },
};

/** How the job of the last run ended or where it is; null: not known any more. Enqueued is no success. */
export function lastJobOutcome({
  last,
  recentRuns,
}: Pick<ListedSchedule, 'last' | 'recentRuns'>): { word: string; tone: string } | null {
  const run = recentRuns.findLast(({ jobId }) => jobId !== null && jobId === last?.jobId);
  if (!run || run.outcome === 'unknown') return null;
  const tone = run.outcome === 'completed' ? 'text-good' : run.outcome === 'dead' ? 'text-bad' : 'text-muted';
  return { word: run.outcome === 'waiting' ? 'waiting' : RUN_LABELS[run.outcome].word, tone };
}

/** "10 completed, 1 dead": newest runs in words, for screen readers. */
export function runsLabel(runs: readonly Pick<RecentRun, 'outcome' | 'count'>[]): string {
  const counts = new Map<RecentRunOutcome, number>();
  for (const { outcome, count } of runs) counts.set(outcome, (counts.get(outcome) ?? 0) + count);
  return [...counts].map(([outcome, n]) => `${n} ${RUN_LABELS[outcome].word}`).join(', ');
}

/** "completed", "7 in a row missed". */
export const runTitle = ({ outcome, count }: Pick<RecentRun, 'outcome' | 'count'>): string =>
  count > 1 ? `${fullNumber(count)} in a row ${RUN_LABELS[outcome].word}` : RUN_LABELS[outcome].word;

/** Due and not enqueued: no worker or console runs, or the queue rejects jobs. */
export const isOverdue = ({ nextAt }: Pick<Schedule, 'nextAt'>, now: number): boolean =>
  nextAt !== null && now - nextAt > SCHEDULE_GRACE_MS;

/** The effect of the next clock change on the schedule. */
export function clockChangeLabel(
  { clockChange }: Pick<SchedulePreview, 'clockChange'>,
  timeZone: string,
): string | null {
  if (!clockChange) return null;
  const { at, offsetBeforeMs, offsetAfterMs } = clockChange;
  const forward = offsetAfterMs > offsetBeforeMs;
  const by = duration(Math.abs(offsetAfterMs - offsetBeforeMs));
  const rule = forward
    ? 'A fixed time that is skipped then runs at the first moment after the gap.'
    : 'A fixed time that comes twice then runs once, the first time.';
  return `Clocks in ${timeZone} go ${forward ? 'forward' : 'back'} by ${by} at ${absoluteLocal(at, timeZone)}. ${rule} Steps and wildcards continue in real time.`;
}

/**
 * Which days an expression with both day fields means; null: it has one of them at most, or asks for both by `+`. Vixie cron asks for both
 * where one of the fields begins with a star.
 */
export function dayRuleLabel(cron: string): string | null {
  const fields = cron.trim().split(/\s+/);
  const [day = '*', , weekday = '*'] = fields.slice(-3);
  const isAny = (field: string) => field === '*' || field === '?';
  if (fields.length < 5 || isAny(day) || isAny(weekday) || weekday.startsWith('+')) return null;
  const differs = day.startsWith('*') || weekday.startsWith('*');
  return `Runs on days of the month ${day}, and on days of the week ${weekday}: one match is enough.${differs ? ' Vixie cron would ask for both here.' : ''} For days that match both, write +${weekday}.`;
}
