import { coarseDuration } from './duration';

/** A moment in epoch milliseconds; anything a `Date` cannot hold is treated as missing. */
export type Moment = number | null | undefined;

function date(at: Moment): Date | null {
  if (at === null || at === undefined) return null;
  const d = new Date(at);
  return Number.isNaN(d.getTime()) ? null : d;
}

/** `4 s ago`, `in 3 m`, `now`; `–` when there is no moment. */
export function relativeTime(at: Moment, now: number): string {
  if (date(at) === null || !Number.isFinite(now)) return '–';
  const gap = now - (at as number);
  if (Math.abs(gap) < 1000) return 'now';
  return gap > 0 ? `${coarseDuration(gap)} ago` : `in ${coarseDuration(-gap)}`;
}

/** `2026-11-20 13:08:16.042 UTC`: sortable, exact, the same for everyone. */
export function absoluteUtc(at: Moment): string {
  const d = date(at);
  if (!d) return '–';
  return `${d.toISOString().replace('T', ' ').replace('Z', '')} UTC`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making one costs more than using it a hundred times, and a table asks for hundreds. */
function formatter(zone: string | undefined): Intl.DateTimeFormat {
  const known = formatters.get(zone ?? '');
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone: zone,
  });
  formatters.set(zone ?? '', made);
  return made;
}

/** The same moment in the viewer's zone (or `zone`), with the zone's name: `2026-11-20 14:08:16 GMT+1`. */
export function absoluteLocal(at: Moment, zone?: string): string {
  const d = date(at);
  if (!d) return '–';
  const parts = formatter(zone).formatToParts(d);
  const get = (type: Intl.DateTimeFormatPartTypes) => parts.find((p) => p.type === type)?.value ?? '';
  const day = `${get('year')}-${get('month')}-${get('day')}`;
  return `${day} ${get('hour')}:${get('minute')}:${get('second')} ${get('timeZoneName')}`;
}

/** The moment in the zone (the browser's by default) and exactly in UTC; in UTC only if that is the zone. */
export function timeReadings(at: Moment, zone?: string): string[] {
  const utc = absoluteUtc(at);
  const local = absoluteLocal(at, zone);
  return local.endsWith(' UTC') || local === utc ? [utc] : [local, utc];
}

/** These readings on a line each, for a tooltip or `title`. */
export const absoluteTime = (at: Moment, zone?: string): string => timeReadings(at, zone).join('\n');

/** ISO 8601 for `<time dateTime>`, or undefined when there is no moment. */
export function isoDateTime(at: Moment): string | undefined {
  return date(at)?.toISOString();
}
