/** A filter as text, in one way only. Printed text is never longer than the parsed one, and stays the same when parsed again. */

import type { Filter } from './filter';
import { normalise } from './normalise-filter';
import { printAge } from './parse-age';
import { isBareRun, isBareStep, isBareText, isBareValue, quote, RANGE_DOTS } from './query-syntax';

export const printQuery = (filter: Filter): string => {
  const normal = normalise(filter);
  return normal.kind === 'all' ? '' : print(normal, 'top');
};

/** As it must be typed: in quotes when it could be taken for something else. */
export const printValue = (text: string): string => (isBareValue(text) ? text : quote(text));
export const printPath = (path: readonly string[]): string =>
  ['payload', ...path.map((step) => (isBareStep(step) ? step : quote(step)))].join('.');

/** The text between spaces: a condition, or the two ends of a range. */
export interface QueryTerm {
  readonly text: string;
  readonly filter: Filter;
}

function print(filter: Filter, inside: 'top' | 'and' | 'or' | 'not'): string {
  switch (filter.kind) {
    case 'and': {
      const terms = andTerms(filter.of);
      const text = terms.map((term) => term.text).join(' ');
      return terms.length > 1 && inside === 'not' ? `(${text})` : text;
    }
    case 'or': {
      const short = valuesOfOneField(filter.of);
      if (short !== null) return short;
      const text = filter.of.map((part) => print(part, 'or')).join(' OR ');
      return inside === 'top' ? text : `(${text})`;
    }
    case 'not':
      return `-${print(filter.of, 'not')}`;
    case 'text':
      return isBareText(filter.value) ? filter.value : quote(filter.value);
    default: {
      const { field, value } = split(filter);
      return `${field}:${value}`;
    }
  }
}

/** The parts of an AND, ranges as one. */
export function andTerms(parts: readonly Filter[]): QueryTerm[] {
  const terms: QueryTerm[] = [];
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i];
    const next = parts[i + 1];
    if (!part) break;
    const range = next ? rangeOf(part, next) : null;
    if (next && range) {
      terms.push({ text: `${range.field}:${range.value}`, filter: { kind: 'and', of: [part, next] } });
      i += 1;
    } else terms.push({ text: print(part, 'and'), filter: part });
  }
  return terms;
}

interface Pair {
  readonly field: string;
  readonly value: string;
}

const isOrdered = (filter: Filter): filter is Extract<Filter, { kind: 'number' | 'age' }> =>
  filter.kind === 'number' || filter.kind === 'age';

/** `attempts:>=1 attempts:<=3` is `attempts:1..3`. */
function rangeOf(low: Filter, high: Filter): Pair | null {
  if (!isOrdered(low) || !isOrdered(high) || low.compare !== '>=' || high.compare !== '<=') return null;
  const [from, to] = [sizeOf(low), sizeOf(high)];
  return from.field === to.field && from.size <= to.size
    ? { field: from.field, value: `${from.text}..${to.text}` }
    : null;
}
function sizeOf(filter: Extract<Filter, { kind: 'number' | 'age' }>) {
  return filter.kind === 'age'
    ? { field: 'age', size: filter.ms, text: printAge(filter.ms) }
    : { field: filter.field, size: filter.value, text: String(filter.value) };
}

/** `type:a OR type:b` is `type:(a OR b)`. */
function valuesOfOneField(parts: readonly Filter[]): string | null {
  const values: string[] = [];
  let field: string | null = null;
  for (const part of parts) {
    const pair = pairOf(part);
    if (!pair || (field !== null && pair.field !== field)) return null;
    field = pair.field;
    values.push(pair.value);
  }
  return `${field}:(${values.join(' OR ')})`;
}
function pairOf(filter: Filter): Pair | null {
  if (filter.kind === 'and') {
    const [low, high] = filter.of;
    return low && high && filter.of.length === 2 ? rangeOf(low, high) : null;
  }
  if (filter.kind === 'or' || filter.kind === 'not' || filter.kind === 'text' || filter.kind === 'all')
    return null;
  return split(filter);
}

function split(filter: Extract<Filter, { kind: 'name' | 'number' | 'age' | 'payload' | 'all' }>): Pair {
  switch (filter.kind) {
    case 'name': {
      // A group is named by how its id begins anyway.
      const star = filter.prefix && (filter.field !== 'group' || filter.value === '');
      return { field: filter.field, value: star ? starred(filter.value) : printValue(filter.value) };
    }
    case 'number':
      return { field: filter.field, value: `${filter.compare === '=' ? '' : filter.compare}${filter.value}` };
    case 'age':
      return { field: 'age', value: `${filter.compare}${printAge(filter.ms)}` };
    case 'payload': {
      const { value, prefix } = filter;
      const compare = filter.compare === '=' ? '' : filter.compare;
      if (filter.upTo !== undefined)
        return { field: printPath(filter.path), value: `${value}${RANGE_DOTS}${filter.upTo}` };
      // After a comparison even what begins like one needs no quotes.
      const isRun = isBareRun(value) && !isBareValue(value) && !value.includes(RANGE_DOTS);
      const text = isRun ? `=${value}` : printValue(value);
      return { field: printPath(filter.path), value: compare + (prefix ? starred(value, text) : text) };
    }
    case 'all':
      return { field: '', value: '' };
  }
}
const starred = (value: string, text = printValue(value)): string => (value === '' ? '*' : `${text}*`);
