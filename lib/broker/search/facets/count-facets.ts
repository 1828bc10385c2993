/** Matches counted by queue, type, tenant, code, class, age and attempts. */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { FACET_MAX_VALUES } from '@/lib/contract/search/search-limits';
import type { Facets } from '@/lib/contract/search/search-schemas';
import { openSearch, type Search, type SearchScope } from '../open-search';
import { aggregateMatches, type CellField, countValues, type MatchAggregate } from './aggregate-matches';
import { countAges } from './count-ages';

/** @throws RedriveError BAD_QUERY */
export async function countFacets(
  ctx: ShardedContext,
  scope: Omit<SearchScope, 'state'> & Partial<SearchScope>,
): Promise<Facets> {
  const search = await openSearch(ctx, { ...scope, state: scope.state ?? 'dead' });
  return facetsOf(ctx, search, await aggregateMatches(ctx, search));
}

export async function facetsOf(
  ctx: BrokerContext,
  search: Search,
  aggregate: MatchAggregate,
): Promise<Facets> {
  const valuesOf = (field: CellField) => countValues(aggregate, field).mostFirst(FACET_MAX_VALUES);
  const age = await countAges(ctx, search, aggregate);
  return {
    at: aggregate.at,
    matching: aggregate.matching,
    sampled: aggregate.sampled,
    facets: {
      queue: valuesOf('queue'),
      type: valuesOf('type'),
      tenant: valuesOf('tenant'),
      code: valuesOf('code'),
      class: valuesOf('class'),
      attempts: valuesOf('attempts'),
      age: age.values,
    },
    ageSampled: age.sampled,
    ...(aggregate.missing.length > 0
      ? { unavailable: aggregate.missing.map(({ queue: name, shard }) => ({ queue: name, shard })) }
      : {}),
  };
}
