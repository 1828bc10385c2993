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

const NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
/** Larger exponents are cut to this, which keeps their sums exact. */
const EXPONENT_MAX = 1e12;

/** Null: not a number in JSON. */
export function parseDecimal(text: string): Decimal | null {
  const [, minus, whole, fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return null;
  const all = whole + fraction;
  let start = 0;
  while (start < all.length && all[start] === '0') start += 1;
  let end = all.length;
  while (end > start && all[end - 1] === '0') end -= 1;
  if (start === end) return { sign: 0, digits: '', exponent: 0 };
  const exponent = Math.max(-EXPONENT_MAX, Math.min(EXPONENT_MAX, Number(power))) + whole.length - start;
  return { sign: minus ? -1 : 1, digits: all.slice(start, end), exponent };
}

/** Below 0: a < b; 0: equal; above 0: a > b. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.sign !== b.sign) return a.sign - b.sign;
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -a.sign : a.sign;
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -a.sign : a.sign;
}
