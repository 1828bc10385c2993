/** `datetime-local` values in a time zone; pure. */
import { absoluteLocal } from './date-time';

/** The time on the zone's clock, read as if it were UTC, in ms. */
const wallTimeMs = (at: number, zone: string): number =>
  Date.parse(`${absoluteLocal(at, zone).slice(0, 19).replace(' ', 'T')}Z`);

/** `2026-11-20T14:08`, as a `datetime-local` input has it, with seconds if there are some; empty without a moment. */
export function dateTimeInput(at: number | null | undefined, zone: string): string {
  if (at === null || at === undefined || Number.isNaN(new Date(at).getTime())) return '';
  const text = absoluteLocal(at, zone).slice(0, 19).replace(' ', 'T');
  const ms = at % 1_000;
  if (ms !== 0) return `${text}.${String(ms).padStart(3, '0')}`;
  return at % 60_000 === 0 ? text.slice(0, 16) : text;
}

/** The moment of such a value, in ms since 1970. NaN: empty or invalid. A time that comes twice is its first occurrence. */
export function parseDateTimeInput(text: string, zone: string): number {
  const wall = text === '' ? Number.NaN : Date.parse(`${text}Z`);
  if (Number.isNaN(wall) || Number.isNaN(new Date(wall).getTime())) return Number.NaN;
  // Offsets a day before and after cover both sides of a clock change.
  const offsets = [wall - DAY_MS, wall + DAY_MS].map(
    (at) => wallTimeMs(at, zone) - Math.floor(at / 1_000) * 1_000,
  );
  const moments = offsets.map((offset) => wall - offset);
  const exact = moments.filter((at) => wallTimeMs(at, zone) === Math.floor(wall / 1_000) * 1_000);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...moments);
}

const DAY_MS = 86_400_000;
