/** A number as it arrives: possibly missing, and big when Redis counters are. */
export type Numeric = number | bigint | null | undefined;

/** Shown wherever there is no number to show. */
export const NO_VALUE = '–';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
const UNITS = ['', 'k', 'M', 'B', 'T', 'P', 'E'] as const;

function missing(n: Numeric): n is null | undefined {
  return n === null || n === undefined || (typeof n === 'number' && !Number.isFinite(n));
}

/** Every digit, grouped: `1,234,567`. */
export function fullNumber(n: Numeric): string {
  if (missing(n)) return NO_VALUE;
  return grouped.format(n === 0 ? 0 : n);
}

/** Exact up to 9,999, then three significant digits and a suffix: `12.3k`, `4.56M`. */
export function compactNumber(n: Numeric): string {
  if (missing(n)) return NO_VALUE;
  const value = Number(n);
  const size = Math.abs(value);
  if (size < 9_999.5) return grouped.format(Math.round(value * 10) / 10 || 0);
  let scaled = size;
  let unit = 0;
  // Compare as it will be rounded, so that 999,950 reads `1M` and never `1,000k`.
  while (Number(scaled.toPrecision(3)) >= 1000 && unit < UNITS.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  const digits = scaled >= 1e6 ? scaled.toExponential(2) : String(Number(scaled.toPrecision(3)));
  return `${value < 0 ? '-' : ''}${digits}${UNITS[unit]}`;
}

/** A share from 0 to 1 as a percentage. A share that is not nothing or not all is never rounded to it. */
export function percent(share: number | null | undefined): string {
  if (missing(share)) return NO_VALUE;
  if (share > 0 && share < 0.001) return '<0.1%';
  if (share < 1 && share > 0.999) return '>99.9%';
  const value = share * 100;
  const rounded = Math.round(value * 10) / 10;
  return `${grouped.format(rounded || 0)}%`;
}

/** The part of `total` that `part` is, as a percentage; nothing of nothing is `–`. */
export function percentOf(part: number | null | undefined, total: number | null | undefined): string {
  if (missing(part) || missing(total) || total === 0) return NO_VALUE;
  return percent(part / total);
}

/** Events a second: `0/s`, `0.25/s`, `12.3/s`, `1,240/s`, `12.3k/s`. */
export function rate(perSecond: number | null | undefined): string {
  if (missing(perSecond)) return NO_VALUE;
  const size = Math.abs(perSecond);
  if (size > 0 && size < 0.01) return '<0.01/s';
  if (size < 1) return `${Number(perSecond.toFixed(2)) || 0}/s`;
  if (size < 99.95) return `${Number(perSecond.toFixed(1))}/s`;
  return `${compactNumber(Math.round(perSecond))}/s`;
}

/** The same with a sign, for change: `+1,240`, `-3`, `0`. */
export function signedNumber(n: Numeric): string {
  if (missing(n)) return NO_VALUE;
  return Number(n) > 0 ? `+${compactNumber(n)}` : compactNumber(n);
}
