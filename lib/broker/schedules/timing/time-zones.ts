/** Time zones: whether a name is one, and where its clocks change. */
import { LRUCache } from 'lru-cache';

/** Only names and UTC: Node also takes offsets such as +02:00 from version 22 on. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+\-/]*$/;
const DAY_MS = 86_400_000;
/** One costs more than using it a thousand times. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 });

export function isZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(timeZone, made);
  return made;
}

/** How far the zone's clock is ahead of UTC at a moment. */
export function offsetMs(timeZone: string, at: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatterOf(timeZone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}

export interface ClockChange {
  /** The first moment of the new offset. */
  readonly at: number;
  readonly offsetBeforeMs: number;
  readonly offsetAfterMs: number;
}

/** The first change of the zone's clock after `from` and not after `to`; null when there is none. */
export function nextClockChange(timeZone: string, from: number, to: number): ClockChange | null {
  const offsetBeforeMs = offsetMs(timeZone, from);
  for (let day = from; day < to; day += DAY_MS) {
    let [low, high] = [day, Math.min(day + DAY_MS, to)];
    if (offsetMs(timeZone, high) === offsetBeforeMs) continue;
    while (high - low > 1_000) {
      const middle = Math.floor((low + high) / 2);
      if (offsetMs(timeZone, middle) === offsetBeforeMs) low = middle;
      else high = middle;
    }
    const at = Math.floor(high / 1_000) * 1_000;
    return { at, offsetBeforeMs, offsetAfterMs: offsetMs(timeZone, high) };
  }
  return null;
}
