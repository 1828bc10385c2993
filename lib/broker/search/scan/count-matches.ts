/** How many match: exactly where indexes and counts allow, else as far as a budget goes, and then it says so. */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { queryShards, type ShardRef } from '@/lib/broker/shards/shard-ref';
import { evaluateAggregate, readDeadAggregate } from '../aggregate/dead-aggregate';
import { compileQuery, type JobQuery, type SearchPlan } from '../plan/compile-query';
import { openShardScan } from './scan-shard';

export interface CountedMatches {
  readonly count: number;
  /** False: at least so many. */
  readonly exact: boolean;
}
export interface CountMatchesInput extends JobQuery {
  /** Entries it may look at in all shards together. */
  readonly budget: number;
  /** What was counted within the last second will do. */
  readonly recent?: boolean;
  readonly signal?: AbortSignal;
}

/** Asked at a time: a count must not take Redis for itself because there are many shards. */
const SHARDS_AT_ONCE = 4;
const LEAST_BUDGET = 250;

/** @throws when no shard can be read; one of several that cannot makes the count a lower bound */
export async function countMatches(
  ctx: BrokerContext,
  shards: readonly ShardRef[],
  input: CountMatchesInput,
): Promise<CountedMatches> {
  const share = Math.max(LEAST_BUDGET, Math.floor(input.budget / Math.max(1, shards.length)));
  const { answered, failed } = await queryShards(shards, SHARDS_AT_ONCE, (shard) =>
    countMatchesInShard(ctx, shard, { ...input, budget: share }),
  );
  return {
    count: answered.reduce((sum, { value }) => sum + value.count, 0),
    exact: failed.length === 0 && answered.every(({ value }) => value.exact),
  };
}

export async function countMatchesInShard(
  ctx: BrokerContext,
  shard: ShardRef,
  input: CountMatchesInput,
): Promise<CountedMatches> {
  const plan = compileQuery(input, shard.queue);
  if (plan.isEmpty) return { count: 0, exact: true };
  if (plan.program === null) return { count: await countIndexEntries(ctx, shard, input), exact: true };
  const byAggregate = input.state === 'dead' ? await countByAggregate(ctx, shard, input, plan) : null;
  if (byAggregate?.exact) return byAggregate;
  const scanned = await walkAll(ctx, shard, input);
  return scanned.exact || !byAggregate || scanned.count >= byAggregate.count ? scanned : byAggregate;
}

/** How many entries there are to look at, by ranks: what matches, where the range says it all. */
export async function countIndexEntries(
  ctx: BrokerContext,
  shard: ShardRef,
  query: JobQuery,
): Promise<number> {
  const scan = openShardScan(ctx, shard, query, 'newest', null);
  if (!scan.done) await scan.next(1, 0);
  return scan.sourceSize ?? 0;
}

async function walkAll(
  ctx: BrokerContext,
  shard: ShardRef,
  input: CountMatchesInput,
): Promise<CountedMatches> {
  const scan = openShardScan(ctx, shard, input, 'newest', null);
  while (!scan.done && scan.scanned < input.budget && !input.signal?.aborted)
    await scan.next(input.budget - scan.scanned, 0);
  return { count: scan.matched, exact: scan.done };
}

/** A count that must fit a range of time is taken again when jobs came or went meanwhile. */
const TRIES = 3;

/** Counts all dead letters, then takes off those outside the range of time, if they are few: at a confirmation, deaths since the preview. */
async function countByAggregate(
  ctx: BrokerContext,
  shard: ShardRef,
  input: CountMatchesInput,
  plan: SearchPlan,
): Promise<CountedMatches | null> {
  const bounded = plan.low !== '-inf' || plan.high !== '+inf';
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const aggregate = await readDeadAggregate(ctx, shard.name, !input.recent);
    if (!aggregate) return null;
    const { count, undecidedCount } = evaluateAggregate(aggregate, plan.filterBesideRange);
    if (!bounded) return { count, exact: undecidedCount === 0 };
    if (undecidedCount > 0) return null;
    const outside = await countOutside(ctx, shard, input, plan, aggregate.at);
    if (outside === null) return null;
    if (aggregate.consistent) return { count: Math.max(0, count - outside), exact: true };
  }
  return null;
}

/** What matched when the aggregate was read, but for the range. Null: too many to look at. */
async function countOutside(
  ctx: BrokerContext,
  shard: ShardRef,
  input: CountMatchesInput,
  { low, high, filterBesideRange: timeless }: SearchPlan,
  aggregateAt: number,
): Promise<number | null> {
  const parts: Pick<JobQuery, 'since' | 'cutoff'>[] = [];
  if (low !== '-inf') parts.push({ cutoff: Number(low) - 1, since: undefined });
  if (high !== '+inf' && Number(high) < aggregateAt)
    parts.push({ cutoff: aggregateAt, since: Number(high) + 1 });
  let outside = 0;
  for (const part of parts) {
    const asked = { ...input, ...part, filter: timeless };
    if ((await countIndexEntries(ctx, shard, { ...asked, filter: { kind: 'all' } })) > input.budget)
      return null;
    const counted = await walkAll(ctx, shard, asked);
    if (!counted.exact) return null;
    outside += counted.count;
  }
  return outside;
}
