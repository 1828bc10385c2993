import { fullNumber, type Numeric } from './number';

/** Only the word: `plural(1, 'job')` is `job`, `plural(2, 'entry', 'entries')` is `entries`. */
export function plural(n: Numeric, one: string, many = `${one}s`): string {
  return n !== null && n !== undefined && Number(n) === 1 ? one : many;
}

/** The number and its word: `0 jobs`, `1 job`, `12,400 jobs`. */
export function count(n: Numeric, one: string, many?: string): string {
  return `${fullNumber(n)} ${plural(n, one, many)}`;
}

/** "a", "a and b", "a, b and c". */
export const allOf = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

const LISTED_MAX = 3;
/** "a, b, c and 197 more". */
export const listed = (items: readonly string[]): string =>
  items.length > LISTED_MAX
    ? `${items.slice(0, LISTED_MAX).join(', ')} and ${items.length - LISTED_MAX} more`
    : items.join(', ');
