/** Matches counted by age. The dead-letter aggregate holds no times, so ages are counted from indexes, or sampled. */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { forEachLimited } from '@/lib/broker/shards/fan-out';
import type { ShardRef } from '@/lib/broker/shards/shard-ref';
import { createMatcher, type Filter, parseQueryOrThrow, withTerm } from '@/lib/contract/search/query';
import { AGE_BUCKETS } from '@/lib/contract/search/search-limits';
import type { FacetValue } from '@/lib/contract/search/search-schemas';
import type { Search } from '../open-search';
import { compileQuery } from '../plan/compile-query';
import { countIndexEntries } from '../scan/count-matches';
import { openShardScan } from '../scan/scan-shard';
import { type MatchAggregate, sampleMatches } from './aggregate-matches';

export interface AgeCounts {
  readonly values: FacetValue[];
  /** Of how many of the newest; null: of all. */
  readonly sampled: number | null;
}

const CALLS_AT_ONCE = 8;
/** Entries of a bucket worth scanning in a shard, and shards worth scanning. */
const BUCKET_ENTRIES = 750;
const SHARDS_MAX = 8;
const SAMPLE_MATCHES = 500;

/** By index ranks, where one range holds all matches. Else scans the small buckets; the large one gets the rest. Else from a sample. */
export async function countAges(
  ctx: BrokerContext,
  search: Search,
  aggregate: MatchAggregate,
): Promise<AgeCounts> {
  const { query } = search;
  if (aggregate.enteredTimes)
    return { values: countByBucket(aggregate.enteredTimes, query.at), sampled: aggregate.sampled };
  const shards = aggregate.parts.map(({ shard }) => shard);
  const isOneRange = shards.every((shard) => compileQuery(query, shard.queue).program === null);
  const countIn = isOneRange ? countIndexEntries : countFew;
  const counts =
    isOneRange || shards.length <= SHARDS_MAX
      ? withRest(
          await eachBucket(shards, (shard, bucket) => countIn(ctx, shard, queryOf(search, bucket))),
          aggregate.matching.count,
        )
      : null;
  if (counts) return { values: bucketValues(counts), sampled: null };
  const sample = await sampleMatches(ctx, search, SAMPLE_MATCHES);
  return { values: countByBucket(sample.enteredTimes ?? [], query.at), sampled: sample.sampled };
}

const BUCKETS: readonly Filter[] = AGE_BUCKETS.map(({ query }) => parseQueryOrThrow(query));
const queryOf = ({ query }: Search, bucket: Filter) => ({
  ...query,
  filter: withTerm(query.filter, bucket),
});

/** Sums over the shards; null where a shard has too many to count. */
async function eachBucket(
  shards: readonly ShardRef[],
  countIn: (shard: ShardRef, bucket: Filter) => Promise<number | null>,
): Promise<(number | null)[]> {
  const sums: (number | null)[] = BUCKETS.map(() => 0);
  const calls = shards.flatMap((shard) => BUCKETS.map((bucket, i) => ({ shard, bucket, i })));
  await forEachLimited(calls, CALLS_AT_ONCE, async ({ shard, bucket, i }) => {
    // An unreachable shard is missing from all sums; the answer lists it.
    const count = await countIn(shard, bucket).catch(() => 0);
    const sum = sums[i] ?? null;
    sums[i] = count === null || sum === null ? null : sum + count;
  });
  return sums;
}

/** Null: too many to scan. */
async function countFew(ctx: BrokerContext, shard: ShardRef, query: Search['query']): Promise<number | null> {
  const scan = openShardScan(ctx, shard, query, 'newest', null, true);
  while (!scan.done) {
    if (scan.sourceSize !== null && scan.sourceSize > BUCKET_ENTRIES) return null;
    await scan.next(scan.sourceSize === null ? 1 : BUCKET_ENTRIES, 0);
  }
  return scan.matched;
}

/** The one bucket that was not counted gets the rest of the total; null when there are several. */
function withRest(counts: readonly (number | null)[], total: number): number[] | null {
  const open = counts.filter((count) => count === null).length;
  if (open > 1) return null;
  const rest = total - counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return counts.map((count) => count ?? Math.max(0, rest));
}

function countByBucket(enteredTimes: readonly number[], at: number): FacetValue[] {
  const matchers = BUCKETS.map((bucket) => createMatcher(bucket, at));
  const counts = BUCKETS.map(() => 0);
  for (const enteredAt of enteredTimes) {
    const bucket = matchers.findIndex((matcher) => matcher({ enteredAt }) === true);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return bucketValues(counts);
}

const bucketValues = (counts: readonly number[]): FacetValue[] =>
  AGE_BUCKETS.map(({ value }, i) => ({ value, count: counts[i] ?? 0 }));
