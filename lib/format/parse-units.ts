/** What people type for durations, sizes and rates, read back exactly, and the same written so that it can be read again. */

const DURATION_UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
const SIZE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1_000,
  kib: 1_024,
  k: 1_024,
  mb: 1_000_000,
  mib: 1_024 ** 2,
  m: 1_024 ** 2,
  gb: 1_000_000_000,
  gib: 1_024 ** 3,
  g: 1_024 ** 3,
};
const PER_SECONDS: Readonly<Record<string, number>> = { s: 1, sec: 1, m: 60, min: 60, h: 3_600, d: 86_400 };

/** `90s`, `2h`, `1d 12h`, `1.5 h`, `250ms` in milliseconds; undefined when it is none of these. A number needs its unit. */
export function parseDuration(text: string): number | undefined {
  const ms = sumOf(text, DURATION_UNITS);
  return ms === undefined ? undefined : Math.round(ms);
}

/** `512 MiB`, `1.5GB`, `4096 B` in bytes. */
export function parseBytes(text: string): number | undefined {
  const bytes = sumOf(text, SIZE_UNITS);
  return bytes === undefined ? undefined : Math.round(bytes);
}

/** `10`, `10/s`, `90/min`, `5 / h` in events a second. */
export function parseRate(text: string): number | undefined {
  const match = text
    .trim()
    .toLowerCase()
    .match(/^(\d+(?:\.\d+)?)(?:\s*\/\s*([a-z]+))?$/);
  const seconds = match && PER_SECONDS[match[2] ?? 's'];
  return match && seconds ? Number((Number(match[1]) / seconds).toPrecision(12)) : undefined;
}

/** A plain number with or without grouping: `10000`, `10,000`, `10 000`. */
export function parseNumber(text: string): number | undefined {
  const digits = text.trim();
  if (!/^\d+(\.\d+)?$/.test(digits) && !/^\d{1,3}([ ,_]\d{3})+(\.\d+)?$/.test(digits)) return undefined;
  return Number(digits.replace(/[ ,_]/g, ''));
}

function sumOf(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const parts = [...text.toLowerCase().matchAll(/\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*/gy)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.toLowerCase()) return undefined;
  let sum = 0;
  for (const [, amount, unit] of parts) {
    const size = units[unit ?? ''];
    if (size === undefined) return undefined;
    sum += Number(amount) * size;
  }
  return sum;
}

/** A duration exactly, in as few units as say it: `1d 12h`, `90s`, `1500ms`. */
export function durationText(ms: number): string {
  if (ms === 0) return '0s';
  const parts: string[] = [];
  let rest = ms;
  for (const unit of ['d', 'h', 'm', 's', 'ms'] as const) {
    const size = DURATION_UNITS[unit] ?? 1;
    const amount = Math.floor(rest / size);
    if (amount > 0) parts.push(`${amount}${unit}`);
    rest -= amount * size;
  }
  return parts.join(' ');
}

/** Bytes exactly: `512 MiB` when it is a whole number of them, else a smaller unit. */
export function bytesText(size: number): string {
  for (const [unit, bytes] of [
    ['GiB', 1_024 ** 3],
    ['GB', 1e9],
    ['MiB', 1_024 ** 2],
    ['MB', 1e6],
    ['KiB', 1_024],
  ] as const)
    if (size >= bytes && size % bytes === 0) return `${size / bytes} ${unit}`;
  return `${size} B`;
}

/** A rate exactly, in the largest unit in which it is a round number: `10/s`, `90/min`, `5/h`. */
export function rateText(perSecond: number): string {
  for (const [unit, seconds] of [
    ['s', 1],
    ['min', 60],
    ['h', 3_600],
    ['d', 86_400],
  ] as const) {
    const amount = Number((perSecond * seconds).toPrecision(9));
    if (Number.isInteger(amount) && parseRate(`${amount}/${unit}`) === perSecond) return `${amount}/${unit}`;
  }
  return `${perSecond}/s`;
}
