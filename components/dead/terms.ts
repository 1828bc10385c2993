/** Queries that the page builds by itself, from facets, groups and selections; pure. */
import { AGE_BUCKETS, type Facets } from '@/lib/contract/dead';
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
} from '@/lib/contract/query';

export const FACET_FIELDS = [
  'queue',
  'class',
  'code',
  'type',
  'tenant',
  'age',
  'attempts',
] as const satisfies readonly (keyof Facets['facets'])[];
export type FacetField = (typeof FACET_FIELDS)[number];

export const FACET_WORD: Readonly<Record<FacetField, string>> = {
  queue: 'Queue',
  class: 'Class',
  code: 'Code',
  type: 'Type',
  tenant: 'Tenant',
  age: 'Age',
  attempts: 'Attempts',
};

/** What a facet's value stands for; null when it is no value of this field. */
export function conditionOf(field: FacetField, value: string): Filter | null {
  const text =
    field === 'age'
      ? AGE_BUCKETS.find((bucket) => bucket.value === value)?.query
      : `${field}:${printValue(value)}`;
  const parsed = parseQuery(text ?? '');
  return parsed.ok && parsed.filter.kind !== 'all' ? parsed.filter : null;
}

/** Whether the query says so by itself, so that a click takes it back. */
export function isChosen(filter: Filter, field: FacetField, value: string): boolean {
  const condition = conditionOf(field, value);
  return condition !== null && hasTerm(filter, condition);
}

/** Narrowed to the value, or, when it was, no more. */
export function toggled(filter: Filter, field: FacetField, value: string): string {
  const condition = conditionOf(field, value);
  return printQuery(condition ? toggleTerm(filter, condition) : filter);
}

/** Everything that matches but this value. */
export function excluding(filter: Filter, field: FacetField, value: string): string {
  const condition = conditionOf(field, value);
  if (!condition) return printQuery(filter);
  return printQuery(withTerm(withoutTerm(filter, condition), { kind: 'not', of: condition }));
}

/** What matches and is in one of the groups. */
export function inGroups(filter: Filter, groups: readonly string[]): string {
  const parsed = parseQuery(`group:(${groups.join(' OR ')})`);
  return printQuery(parsed.ok ? withTerm(filter, parsed.filter) : filter);
}

const GROUP_ID = /^[0-9a-f]{12}$/;

/** The one failure group that the query is about, if it is. */
export function groupOf(filter: Filter): string | null {
  for (const { filter: term } of termsOf(filter))
    if (term.kind === 'name' && term.field === 'group' && GROUP_ID.test(term.value)) return term.value;
  return null;
}
