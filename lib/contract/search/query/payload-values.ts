/**
 * Payloads with the digits of their numbers as they are written: every string gets the letter `s` before it, every number becomes a string
 * with an `n` before it, and the platform's JSON parser, which does not recurse, reads the result.
 */
import { JsonScanner, jsonStart } from '@/lib/format/json-scanner';

/** `s<text>` or `n<digits>`, true, false, null, and lists and objects of those; an object's keys are `s<text>`. */
export type TaggedJson =
  | string
  | boolean
  | null
  | readonly TaggedJson[]
  | { readonly [key: string]: TaggedJson };

/** Undefined: not JSON. */
export function parseTaggedJson(payload: string): TaggedJson | undefined {
  try {
    return JSON.parse(tag(payload)) as TaggedJson;
  } catch {
    return undefined;
  }
}

function tag(payload: string): string {
  const parts: string[] = [];
  const scan = new JsonScanner(payload, jsonStart(payload));
  /** Up to here it is in parts. */
  let done = scan.to;
  while (scan.next()) {
    if (scan.kind === 'string') {
      parts.push(payload.slice(done, scan.from), '"s');
      done = scan.from + 1;
    } else if (scan.kind === 'number') {
      // As a string it would be a name.
      if (scan.isName) return '';
      parts.push(payload.slice(done, scan.from), '"n', scan.token, '"');
      done = scan.to;
    } else if (scan.kind === 'invalid') return '';
  }
  parts.push(payload.slice(done));
  return parts.join('');
}

const isList = (value: TaggedJson): value is readonly TaggedJson[] => Array.isArray(value);
const INDEX = /^(?:0|[1-9][0-9]{0,8})$/;

/**
 * Everything that a path leads to. A list stands for its entries, at each step and at the end; a step that is a number also
 * picks that entry. Each value is looked at once a step, however many ways lead to it.
 */
export function valuesAt(root: TaggedJson, path: readonly string[]): Iterable<TaggedJson> {
  let here = new Set<TaggedJson>([root]);
  for (const step of path) {
    const next = new Set<TaggedJson>();
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
