/**
 * Where a search may look, by what every match must have: a range of one facet of the dead, several of them, or ids. Sources
 * only narrow what is looked at; whether it fits is judged for each job.
 */
import type { Filter } from '@/lib/contract/query';
import type { JobState } from '@/lib/contract/states';
import { canBeName } from './names';

/** Parts as lua/include/search-sources.lua has them. */
export type Source = readonly string[];
export const wholeIndex: Source = ['*'];

export const PARTS_MAX = 8;
const IDS_MAX = 64;
/** Those that divide the dead most finely come first. */
const FACETS = ['group', 'tenant', 'code', 'type', 'class'];

export function sourcesOf(filter: Filter, state: JobState): Source[] {
  const found = implied(filter, state === 'dead');
  // Prefixes may stand for too many values.
  return found.length > 0 && found.every((source) => source.some((part) => part.includes('^')))
    ? [wholeIndex, ...found]
    : found;
}

function implied(filter: Filter, byFacet: boolean): Source[] {
  switch (filter.kind) {
    case 'name': {
      const { field, value } = filter;
      const prefix = filter.prefix || field === 'group';
      if (!canBeName(value, prefix)) return [];
      if (field === 'id') return prefix ? [] : [[`=${value}`]];
      if (!byFacet || !FACETS.includes(field)) return [];
      return [[`${field}${filter.prefix || (field === 'group' && value.length < 12) ? '^' : '='}${value}`]];
    }
    case 'and':
      return filter.of.flatMap((part) => implied(part, byFacet)).slice(0, 16);
    case 'or':
      return united(filter.of.map((part) => implied(part, byFacet)));
    case 'not':
      return filter.of.kind === 'not' ? implied(filter.of.of, byFacet) : [];
    default:
      return [];
  }
}

const isIds = (source: Source) => source[0]?.startsWith('=') ?? false;
const rankOf = (source: Source) => FACETS.findIndex((facet) => source[0]?.startsWith(facet));

/** One source of each, if each has one of the same kind: what fits any of them is in one of those. */
function united(alternatives: readonly (readonly Source[])[]): Source[] {
  const ids = alternatives.map((sources) => sources.find(isIds));
  const ranges = alternatives.map(
    (sources) => sources.filter((source) => !isIds(source)).sort((a, b) => rankOf(a) - rankOf(b))[0],
  );
  return [
    { picked: ids, most: IDS_MAX },
    { picked: ranges, most: PARTS_MAX },
  ].flatMap(({ picked, most }) => {
    if (!picked.every((source) => source !== undefined)) return [];
    const parts = [...new Set(picked.flat())];
    return parts.length > 0 && parts.length <= most ? [parts] : [];
  });
}
