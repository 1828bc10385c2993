/** A query as chips: the conditions that all must hold, to be added, taken away and switched one by one. */
import type { Filter } from './filter';
import { filterKey, normalise } from './normalise-filter';
import { andTerms, printQuery, type QueryTerm } from './print-query';

/** The conditions an AND joins at the top, as text and as filters; ranges as one. None for everything. */
export function termsOf(filter: Filter): QueryTerm[] {
  const normal = normalise(filter);
  if (normal.kind === 'all') return [];
  if (normal.kind === 'and') return andTerms(normal.of);
  return [{ text: printQuery(normal), filter: normal }];
}

const partsOf = (filter: Filter): readonly Filter[] => {
  const normal = normalise(filter);
  return normal.kind === 'and' ? normal.of : [normal];
};

/** Both must hold. */
export const withTerm = (filter: Filter, term: Filter): Filter =>
  normalise({ kind: 'and', of: [filter, term] });

/** Without the conditions of a term, where they stand at the top; elsewhere they stay. */
export function withoutTerm(filter: Filter, term: Filter): Filter {
  const gone = new Set(partsOf(term).map(filterKey));
  return normalise({ kind: 'and', of: partsOf(filter).filter((part) => !gone.has(filterKey(part))) });
}

export function hasTerm(filter: Filter, term: Filter): boolean {
  const has = new Set(partsOf(filter).map(filterKey));
  return partsOf(term).every((part) => has.has(filterKey(part)));
}

/** Takes a condition away that is there, and adds one that is not. */
export const toggleTerm = (filter: Filter, term: Filter): Filter =>
  hasTerm(filter, term) ? withoutTerm(filter, term) : withTerm(filter, term);
