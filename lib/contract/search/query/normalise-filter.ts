/** One form for equal filters: no needless nesting, no double NOT, no repeated condition. */
import type { Filter } from './filter';

/** Matches no job. Written in the language, so that it can be printed and compiled like any filter. */
const NOTHING: Filter = { kind: 'number', field: 'attempts', compare: '<', value: 0 };
const ALL: Filter = { kind: 'all' };
const GROUP_ID_CHARS = 12;

/** Every property of a filter, in the order that its key has them. */
const PROPERTIES = ['kind', 'field', 'path', 'compare', 'value', 'prefix', 'upTo', 'ms', 'of'];

/** Equal normal forms have equal keys. */
export const filterKey = (filter: Filter): string => JSON.stringify(filter, PROPERTIES);
export const sameFilter = (a: Filter, b: Filter): boolean =>
  filterKey(normalise(a)) === filterKey(normalise(b));

/** An empty AND matches everything, an empty OR nothing: the normal form is never wider. */
export function normalise(filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const { kind } = filter;
      const parts: Filter[] = [];
      const seen = new Set<string>();
      for (const part of filter.of.map(normalise))
        for (const one of part.kind === kind ? part.of : [part]) {
          const key = filterKey(one);
          if (!seen.has(key)) parts.push(one);
          seen.add(key);
        }
      if (kind === 'or' && parts.some((part) => part.kind === 'all')) return ALL;
      const rest = parts.filter((part) => part.kind !== 'all');
      const [only] = rest;
      if (only === undefined) return kind === 'and' ? ALL : NOTHING;
      return rest.length === 1 ? only : { kind, of: rest };
    }
    case 'not': {
      const of = normalise(filter.of);
      if (of.kind === 'not') return of.of;
      return of.kind === 'all' ? NOTHING : { kind: 'not', of };
    }
    case 'name': {
      if (filter.field !== 'group') return filter;
      // A prefix of its id is enough to name a group.
      return { ...filter, prefix: filter.value.length < GROUP_ID_CHARS };
    }
    case 'payload':
      return filter.compare === '=' ? filter : { ...filter, prefix: false };
    case 'text':
      return filter.value === '' ? ALL : filter;
    default:
      return filter;
  }
}

/** The same, with every NOT right before a single condition. */
export const pushNotDown = (filter: Filter): Filter => normalise(pushed(normalise(filter), false));
function pushed(filter: Filter, negate: boolean): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const kind = negate ? (filter.kind === 'and' ? 'or' : 'and') : filter.kind;
      return { kind, of: filter.of.map((part) => pushed(part, negate)) };
    }
    case 'not':
      return pushed(filter.of, !negate);
    default:
      return negate ? { kind: 'not', of: filter } : filter;
  }
}
