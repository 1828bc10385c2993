/** Queries that the page builds from facets, and the group that one is about; pure. */

import type { Scope } from '@/lib/contract/operations/operation-request';
import {
  type Filter,
  hasTerm,
  parseQuery,
  printQuery,
  printValue,
  termsOf,
  toggleTerm,
  withoutTerm,
  withTerm,
} from '@/lib/contract/search/query';
import { AGE_BUCKETS } from '@/lib/contract/search/search-limits';
import type { Facets } from '@/lib/contract/search/search-schemas';

/** All dead letters that match. */
export const queryScope = (q: string): Scope => ({ state: 'dead', q });

export type FacetField = keyof Facets['facets'];

/** The condition of a facet's value; null when the field has no such value. */
function facetCondition(field: FacetField, value: string): Filter | null {
  const text =
    field === 'age'
      ? AGE_BUCKETS.find((bucket) => bucket.value === value)?.query
      : `${field}:${printValue(value)}`;
  const parsed = parseQuery(text ?? '');
  return parsed.ok && parsed.filter.kind !== 'all' ? parsed.filter : null;
}

/** Whether the query has this condition already, so that a click removes it. */
export function isFacetActive(filter: Filter, field: FacetField, value: string): boolean {
  const condition = facetCondition(field, value);
  return condition !== null && hasTerm(filter, condition);
}

/** The query with the condition added or, if it was there, removed. */
export function toggleFacet(filter: Filter, field: FacetField, value: string): string {
  const condition = facetCondition(field, value);
  return printQuery(condition ? toggleTerm(filter, condition) : filter);
}

/** The query without the matches that have this value. */
export function excludeFacet(filter: Filter, field: FacetField, value: string): string {
  const condition = facetCondition(field, value);
  if (!condition) return printQuery(filter);
  return printQuery(withTerm(withoutTerm(filter, condition), { kind: 'not', of: condition }));
}

const GROUP_ID = /^[0-9a-f]{12}$/;

/** The failure group the query is limited to; null when it is not limited to one. */
export function groupInQuery(filter: Filter): string | null {
  for (const { filter: term } of termsOf(filter))
    if (term.kind === 'name' && term.field === 'group' && GROUP_ID.test(term.value)) return term.value;
  return null;
}
