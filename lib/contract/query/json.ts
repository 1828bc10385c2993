/**
 * Payloads, read so that their numbers keep the digits they are written with. Every string gets the letter `s` before it and
 * every number becomes a string with an `n` before it; then the JSON parser of the platform reads it, which needs no more stack for
 * deep nesting than for flat.
 */

/** `s<text>` or `n<digits>`, true, false, null, and lists and objects of those; an object's keys are `s<text>`. */
export type Tagged = string | boolean | null | readonly Tagged[] | { readonly [key: string]: Tagged };

const BYTE_ORDER_MARK = 0xfeff;
/** A number, unless a colon follows: no key is one. */
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![ \t\n\r]*:)/y;

/** Undefined: not JSON. */
export function readTagged(payload: string): Tagged | undefined {
  try {
    return JSON.parse(tag(payload)) as Tagged;
  } catch {
    return undefined;
  }
}

function tag(payload: string): string {
  const parts: string[] = [];
  /** Up to here it is in parts. */
  let done = payload.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  let at = done;
  while (at < payload.length) {
    const char = payload.charCodeAt(at);
    if (char === 0x22) {
      parts.push(payload.slice(done, at), '"s');
      done = at + 1;
      at = stringEnd(payload, done);
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(payload)?.[0];
      // No JSON, and neither is nothing.
      if (number === undefined) return '';
      parts.push(payload.slice(done, at), '"n', number, '"');
      at += number.length;
      done = at;
    } else at += 1;
  }
  parts.push(payload.slice(done));
  return parts.join('');
}

/** After the closing quote of a string whose first letter is at `from`. */
function stringEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c && quote - 1 - backslashes >= from)
      backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

const isList = (value: Tagged): value is readonly Tagged[] => Array.isArray(value);
const INDEX = /^(?:0|[1-9][0-9]{0,8})$/;

/**
 * Everything that a path leads to. A list stands for its entries, at each step and at the end; a step that is a number also
 * picks that entry. Each value is looked at once a step, however many ways lead to it.
 */
export function valuesAt(root: Tagged, path: readonly string[]): Iterable<Tagged> {
  let here = new Set<Tagged>([root]);
  for (const step of path) {
    const next = new Set<Tagged>();
    const index = INDEX.test(step) ? Number(step) : null;
    const key = `s${step}`;
    // A set grows while it is walked: lists within lists are met here, too.
    for (const value of here) {
      if (isList(value)) {
        const picked = index === null ? undefined : value[index];
        if (picked !== undefined) next.add(picked);
        for (const entry of value) if (typeof entry === 'object' && entry !== null) here.add(entry);
      } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, key))
        next.add(value[key] ?? null);
    }
    here = next;
  }
  for (const value of here) if (isList(value)) for (const entry of value) here.add(entry);
  return here;
}

/**
 * What stands in every payload in which a path leads anywhere, in quotes as a key, unless it is written with \u escapes: its last
 * step that is not a place in a list. Null: nothing is sure to.
 */
export function payloadNeedle(path: readonly string[]): string | null {
  const key = path.findLast((step) => !INDEX.test(step));
  // These may be written with a backslash.
  return key === undefined || [...key].some((char) => char < ' ' || '"\\/'.includes(char))
    ? null
    : `"${key}"`;
}
