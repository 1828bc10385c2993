/**
 * Numbers as JSON writes them, compared by their digits: a double would take 9007199254740993 for its neighbour. `1`, `1.0`
 * and `10e-1` are equal.
 */
export interface Decimal {
  readonly sign: -1 | 0 | 1;
  /** Without zeros at either end; the value is 0.<digits> × 10^exponent. */
  readonly digits: string;
  readonly exponent: number;
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** Exponents beyond this are all the same to us; it keeps their sums exact. */
const EXPONENT_MAX = 1e12;

/** Null: not a number in JSON. */
export function parseDecimal(text: string): Decimal | null {
  if (!NUMBER.test(text)) return null;
  const negative = text.startsWith('-');
  const unsigned = negative ? text.slice(1) : text;
  const e = unsigned.toLowerCase().indexOf('e');
  const mantissa = e < 0 ? unsigned : unsigned.slice(0, e);
  const power = e < 0 ? 0 : Number(unsigned.slice(e + 1));
  const dot = mantissa.indexOf('.');
  const whole = dot < 0 ? mantissa : mantissa.slice(0, dot);
  const all = dot < 0 ? whole : whole + mantissa.slice(dot + 1);
  let start = 0;
  while (start < all.length && all[start] === '0') start += 1;
  let end = all.length;
  while (end > start && all[end - 1] === '0') end -= 1;
  if (start === end) return { sign: 0, digits: '', exponent: 0 };
  const exponent = Math.max(-EXPONENT_MAX, Math.min(EXPONENT_MAX, power)) + whole.length - start;
  return { sign: negative ? -1 : 1, digits: all.slice(start, end), exponent };
}

/** Below 0: a < b; 0: equal; above 0: a > b. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -a.sign : a.sign;
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -a.sign : a.sign;
}
