/** Index ranges or ids that hold every match. A source only limits what is read: each of its jobs is still matched. */

import type { JobState } from '@/lib/contract/jobs/job-states';
import { NAME_PATTERN } from '@/lib/contract/name-pattern';
import type { Filter } from '@/lib/contract/search/query';

/** Parts as lua/search/sources.lua reads them. */
export type IndexSource = readonly string[];
export const WHOLE_INDEX: IndexSource = ['*'];

export const SOURCE_PARTS_MAX = 8;
const IDS_MAX = 64;
/** The facet that divides dead letters most finely comes first. */
export const SOURCE_FACETS = ['group', 'tenant', 'code', 'type', 'class'] as const;

const PREFIX_OF_NAME = /^(?:[A-Za-z0-9][A-Za-z0-9_.-]{0,99})?$/;
/** A value that cannot be a name matches no job. */
export const canBeName = (value: string, prefix: boolean): boolean =>
  (prefix ? PREFIX_OF_NAME : NAME_PATTERN).test(value);

export function indexSourcesOf(filter: Filter, state: JobState): IndexSource[] {
  const found = implied(filter, state === 'dead');
  // Prefixes may stand for too many values.
  return found.length > 0 && found.every((source) => source.some((part) => part.includes('^')))
    ? [WHOLE_INDEX, ...found]
    : found;
}

function implied(filter: Filter, byFacet: boolean): IndexSource[] {
  switch (filter.kind) {
    case 'name': {
      const { field, value } = filter;
      const prefix = filter.prefix || field === 'group';
      if (!canBeName(value, prefix)) return [];
      if (field === 'id') return prefix ? [] : [[`=${value}`]];
      if (!byFacet || !SOURCE_FACETS.some((facet) => facet === field)) return [];
      return [[`${field}${filter.prefix || (field === 'group' && value.length < 12) ? '^' : '='}${value}`]];
    }
    case 'and':
      return filter.of.flatMap((part) => implied(part, byFacet)).slice(0, 16);
    case 'or':
      return uniteSources(filter.of.map((part) => implied(part, byFacet)));
    case 'not':
      return filter.of.kind === 'not' ? implied(filter.of.of, byFacet) : [];
    default:
      return [];
  }
}

const isIds = (source: IndexSource) => source[0]?.startsWith('=') ?? false;
const rankOf = (source: IndexSource) => SOURCE_FACETS.findIndex((facet) => source[0]?.startsWith(facet));

/** For an OR: one source of each alternative, if all have one of the same kind. */
function uniteSources(alternatives: readonly (readonly IndexSource[])[]): IndexSource[] {
  const ids = alternatives.map((sources) => sources.find(isIds));
  const ranges = alternatives.map(
    (sources) => sources.filter((source) => !isIds(source)).sort((a, b) => rankOf(a) - rankOf(b))[0],
  );
  return [
    { picked: ids, most: IDS_MAX },
    { picked: ranges, most: SOURCE_PARTS_MAX },
  ].flatMap(({ picked, most }) => {
    if (!picked.every((source) => source !== undefined)) return [];
    const parts = [...new Set(picked.flat())];
    return parts.length > 0 && parts.length <= most ? [parts] : [];
  });
}

/** Ids one filter may name, so that they make one source. */
export const IDS_A_FILTER = 60;

export const idsFilter = (ids: readonly string[]): Filter => ({
  kind: 'or',
  of: ids.map((value) => ({ kind: 'name', field: 'id', value, prefix: false })),
});
