/**
 * A smaller index source, by the values that the dead-letter aggregate has for matches. `version:2 -class:crash` names no index range, but
 * if only three groups have such jobs, only these are read.
 */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import type { ShardRef } from '@/lib/broker/shards/shard-ref';
import { type DeadAggregate, evaluateAggregate, readDeadAggregate } from '../aggregate/dead-aggregate';
import { compileQuery, type JobQuery } from '../plan/compile-query';
import { type IndexSource, SOURCE_FACETS, SOURCE_PARTS_MAX } from '../plan/index-sources';

export interface SizedSource {
  /** Empty: nothing matches. */
  readonly source: IndexSource;
  /** How many entries it holds, as far as the aggregate knows. */
  readonly size: number;
}

/** Null: no smaller one. */
export async function smallestSource(
  ctx: BrokerContext,
  shard: ShardRef,
  query: JobQuery,
  size: number,
): Promise<SizedSource | null> {
  if (query.state !== 'dead') return null;
  const aggregate = await readDeadAggregate(ctx, shard.name);
  if (!aggregate) return null;
  const values = possibleValues(aggregate, query, shard);
  if (values.group.size === 0) return { source: [], size: 0 };
  const sizes = sizesOf(aggregate);
  let smallest: SizedSource | null = null;
  for (const facet of SOURCE_FACETS) {
    if (values[facet].size > SOURCE_PARTS_MAX) continue;
    const source = [...values[facet]].map((value) => `${facet}=${value}`);
    const entries = source.reduce((sum, part) => sum + (sizes.get(part) ?? 0), 0);
    if (entries < (smallest?.size ?? size)) smallest = { source, size: entries };
  }
  return smallest;
}

type Values = Record<(typeof SOURCE_FACETS)[number], Set<string>>;

/** Of each facet the values of jobs that match or may match; no more of them than one too many. */
function possibleValues(aggregate: DeadAggregate, query: JobQuery, shard: ShardRef): Values {
  const values: Values = {
    group: new Set(),
    tenant: new Set(),
    code: new Set(),
    type: new Set(),
    class: new Set(),
  };
  const { matching, undecided } = evaluateAggregate(
    aggregate,
    compileQuery(query, shard.queue).filterBesideRange,
  );
  for (const cells of [matching, undecided])
    for (const { key } of cells) {
      for (const facet of SOURCE_FACETS)
        if (values[facet].size <= SOURCE_PARTS_MAX) values[facet].add(key[facet]);
      if (SOURCE_FACETS.every((facet) => values[facet].size > SOURCE_PARTS_MAX)) return values;
    }
  return values;
}

/** By cells, which are replaced when anything changes. */
const sizesByCells = new WeakMap<DeadAggregate['cells'], Map<string, number>>();
function sizesOf({ cells }: DeadAggregate): Map<string, number> {
  const cached = sizesByCells.get(cells);
  if (cached) return cached;
  const sizes = new Map<string, number>();
  for (const { key, count } of cells)
    for (const facet of SOURCE_FACETS) {
      const part = `${facet}=${key[facet]}`;
      sizes.set(part, (sizes.get(part) ?? 0) + count);
    }
  sizesByCells.set(cells, sizes);
  return sizes;
}
