/** What a schedule does, in words; pure. What cannot be said simply is left to its expression. */
import {
  SCHEDULE_GRACE_MS,
  type Schedule,
  type SchedulePreview,
  type ScheduleTiming,
  type SlotOutcome,
} from '@/lib/contract/schedules';
import { duration } from '@/lib/format/duration';
import { absoluteLocal } from '@/lib/format/time';

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

/** "Every day at 02:30", "Every 5 minutes"; null for an expression that needs more than a few words. */
export function whenWords(timing: ScheduleTiming): string | null {
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

/** For a field that is a wildcard or a step, and nothing but wildcards after it. */
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

/** As it was written, with where its clock hangs; nothing where the words say it all. */
export const expressionWords = (timing: ScheduleTiming): string =>
  'cron' in timing ? `${timing.cron} ${timing.timeZone}` : '';

/** The zone to show its slots in; undefined: that of whoever looks. */
export const zoneOf = (timing: ScheduleTiming): string | undefined =>
  'cron' in timing ? timing.timeZone : undefined;

export const OUTCOME_WORDS: Readonly<Record<SlotOutcome, { word: string; meaning: string }>> = {
  entered: { word: 'entered', meaning: 'Its job was entered in the queue' },
  overlap: { word: 'left out', meaning: 'The job of an earlier slot was still to be done' },
  refused: { word: 'refused', meaning: 'The queue was draining or full' },
  missed: { word: 'missed', meaning: 'Nobody was there in time to enter it' },
};

/** Nothing deals with it though its slot has come: no worker and no console ticks, or its queue cannot be entered. */
export const isOverdue = ({ nextAt }: Pick<Schedule, 'nextAt'>, now: number): boolean =>
  nextAt !== null && now - nextAt > SCHEDULE_GRACE_MS;

/** What the next change of clocks means for a schedule by that clock. */
export function clockChangeWords(
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
  return `Clocks in ${timeZone} go ${forward ? 'forward' : 'back'} by ${by} at ${absoluteLocal(at, timeZone)}. ${rule} Steps and wildcards go on in real time.`;
}
