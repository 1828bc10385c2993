/** Judges one job in memory: what a filter means, exactly. Redis is asked in other words (lib/broker/search), for the same answer. */
import { compareDecimals, parseDecimal } from './decimal';
import type { Comparison, Filter, JobFacts } from './filter';
import { readTagged, type Tagged, valuesAt } from './json';

/** What was worked out about a job's payload, for as long as somebody holds the facts. */
const read = new WeakMap<JobFacts, { tagged?: { value: Tagged | undefined }; lower?: readonly string[] }>();
const noted = (facts: JobFacts) => {
  const known = read.get(facts) ?? {};
  read.set(facts, known);
  return known;
};

/** `now` is what ages count back from. */
export function matches(filter: Filter, facts: JobFacts, now: number): boolean {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'and':
      return filter.of.every((part) => matches(part, facts, now));
    case 'or':
      return filter.of.some((part) => matches(part, facts, now));
    case 'not':
      return !matches(filter.of, facts, now);
    case 'name': {
      const has = facts[filter.field];
      if (has === null) return false;
      return filter.prefix || filter.field === 'group' ? has.startsWith(filter.value) : has === filter.value;
    }
    case 'number':
      return compares(facts[filter.field] - filter.value, filter.compare);
    case 'age':
      return compares(now - facts.enteredAt - filter.ms, filter.compare);
    case 'payload':
      return inPayload(filter, facts);
    case 'text': {
      const known = noted(facts);
      known.lower ??= [facts.payload, facts.id, facts.type, facts.code, facts.message].map((text) =>
        asciiLower(text ?? ''),
      );
      const wanted = asciiLower(filter.value);
      return known.lower.some((text) => text.includes(wanted));
    }
  }
}

function compares(difference: number, compare: Comparison): boolean {
  switch (compare) {
    case '=':
      return difference === 0;
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
  }
}

/** A–Z in lower case and nothing else, as Redis does it. */
export const asciiLower = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

function inPayload(filter: Extract<Filter, { kind: 'payload' }>, facts: JobFacts): boolean {
  if (facts.payload === null) return false;
  const known = noted(facts);
  known.tagged ??= { value: readTagged(facts.payload) };
  const { value: root } = known.tagged;
  if (root === undefined) return false;
  const { compare, value: wanted, prefix } = filter;
  const number = parseDecimal(wanted);
  const last = filter.upTo === undefined ? null : parseDecimal(filter.upTo);
  for (const value of valuesAt(root, filter.path)) {
    // `payload.a:*` asks whether there is such a value, be it a list or an object.
    if (prefix && wanted === '') return true;
    if (typeof value === 'object' && value !== null) continue;
    const text = typeof value === 'string' ? value.slice(1) : String(value);
    if (prefix) {
      if (text.startsWith(wanted)) return true;
    } else if (typeof value === 'string' && value.startsWith('n')) {
      const has = number && parseDecimal(text);
      if (
        has &&
        compares(compareDecimals(has, number), compare) &&
        (last === null || compareDecimals(has, last) <= 0)
      )
        return true;
    } else if (compare === '=' && text === wanted) return true;
  }
  return false;
}
