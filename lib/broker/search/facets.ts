/** How many of what matches have which queue, type, tenant, code, class, age and number of attempts. */
import { FACET_MAX_VALUES, type Facets } from '@/lib/contract/dead';
import type { Within } from '@/lib/contract/permissions';
import type { JobState } from '@/lib/contract/states';
import type { ShardedContext } from '../shards';
import { agesOf } from './ages';
import { census } from './census';
import { openSearch } from './request';
import { Tally } from './tally';

export interface FacetsScope {
  q: string;
  state?: JobState | undefined;
  queue?: string | undefined;
  /** Only what lies within; left out: everything. */
  within?: Within | undefined;
}

/** @throws RedriveError BAD_QUERY */
export async function facets(
  ctx: ShardedContext,
  { q, state = 'dead', queue, within }: FacetsScope,
): Promise<Facets> {
  const search = await openSearch(ctx, { state, q, queue, within });
  const told = await census(ctx, search);
  const tallies = {
    queue: new Tally(),
    type: new Tally(),
    tenant: new Tally(),
    code: new Tally(),
    class: new Tally(),
    attempts: new Tally(),
  };
  for (const { place, cells } of told.parts)
    for (const { of, count } of cells) {
      tallies.queue.add(place.queue, count);
      tallies.type.add(of.type, count);
      tallies.tenant.add(of.tenant, count);
      if (of.code !== null) tallies.code.add(of.code, count);
      if (of.class !== null) tallies.class.add(of.class, count);
      tallies.attempts.add(String(of.attempts), count);
    }
  const age = await agesOf(ctx, search, told);
  return {
    at: told.at,
    matching: told.matching,
    sampled: told.sampled,
    facets: {
      queue: tallies.queue.mostFirst(FACET_MAX_VALUES),
      type: tallies.type.mostFirst(FACET_MAX_VALUES),
      tenant: tallies.tenant.mostFirst(FACET_MAX_VALUES),
      code: tallies.code.mostFirst(FACET_MAX_VALUES),
      class: tallies.class.mostFirst(FACET_MAX_VALUES),
      attempts: tallies.attempts.mostFirst(FACET_MAX_VALUES),
      age: age.values,
    },
    ageSampled: age.sampled,
    ...(told.missing.length > 0
      ? { unavailable: told.missing.map(({ queue: name, shard }) => ({ queue: name, shard })) }
      : {}),
  };
}
