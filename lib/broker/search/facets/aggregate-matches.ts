/** Matches counted by their values: from the dead-letter aggregates where they decide the query, else from a sample of the newest. */
import { parseDeathRow } from '@/lib/broker/jobs/read/stored-rows';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { groupWithPositions } from '@/lib/broker/shards/fan-out';
import { queryShards, type ShardRef } from '@/lib/broker/shards/shard-ref';
import {
  type AggregateKey,
  type DeadAggregate,
  evaluateAggregate,
  readDeadAggregate,
} from '../aggregate/dead-aggregate';
import type { Search } from '../open-search';
import { isDeathState } from '../plan/columns-to-read';
import { compileQuery } from '../plan/compile-query';
import { type CountedMatches, countMatches } from '../scan/count-matches';
import { type FoundJob, openShardMerge } from '../scan/merge-shards';
import { readJobFacts } from '../scan/read-job-facts';
import { ValueCounts } from './value-counts';

interface MatchCell {
  readonly key: MatchKey;
  readonly count: number;
}
/** Null: such a job has none. */
type MatchKey = Omit<AggregateKey, 'group' | 'class' | 'code'> & {
  readonly group: string | null;
  readonly class: string | null;
  readonly code: string | null;
};
export interface MatchAggregate {
  /** When it was true, by Redis's clock. */
  readonly at: number;
  readonly parts: readonly { readonly shard: ShardRef; readonly cells: readonly MatchCell[] }[];
  readonly matching: CountedMatches;
  /** How many were sampled; null: all that match. */
  readonly sampled: number | null;
  /** When the sampled jobs entered their state; null: the aggregates do not tell. */
  readonly enteredTimes: readonly number[] | null;
  readonly missing: readonly ShardRef[];
  /** The aggregates it was counted from, by shard. */
  readonly readings: ReadonlyMap<string, DeadAggregate>;
}

/** A field by which matches can be counted. */
export type CellField = 'queue' | keyof MatchKey;

export function countValues({ parts }: MatchAggregate, field: CellField): ValueCounts {
  const values = new ValueCounts();
  for (const { shard, cells } of parts)
    for (const { key, count } of cells) {
      const value = field === 'queue' ? shard.queue : key[field];
      if (value !== null) values.add(String(value), count);
    }
  return values;
}

/** Matches of a sample: of dead jobs one line each is read, of others everything. */
const SAMPLE = 1_000;
const SAMPLE_ROWS = 500;
/** Entries scanned for it. */
const BUDGET_LIGHT = 20_000;
const BUDGET_HEAVY = 10_000;
const SHARDS_AT_ONCE = 8;

export async function aggregateMatches(ctx: BrokerContext, search: Search): Promise<MatchAggregate> {
  const result =
    (search.query.state === 'dead' ? await fromAggregates(ctx, search) : null) ??
    (await sampleMatches(ctx, search));
  return search.unsearched === 0 ? result : { ...result, matching: { ...result.matching, exact: false } };
}

/** Null: they do not decide the query. */
async function fromAggregates(
  ctx: BrokerContext,
  { query, shards, now }: Search,
): Promise<MatchAggregate | null> {
  const planned = shards.flatMap((shard) => {
    const plan = compileQuery(query, shard.queue);
    return plan.isEmpty ? [] : [{ ...shard, plan }];
  });
  if (planned.some(({ plan }) => plan.low !== '-inf' || plan.high !== '+inf')) return null;
  const { answered, failed } = await queryShards(planned, SHARDS_AT_ONCE, async ({ name, plan }) => {
    const aggregate = await readDeadAggregate(ctx, name);
    return aggregate && { aggregate, ...evaluateAggregate(aggregate, plan.filterBesideRange) };
  });
  const parts: { shard: ShardRef; cells: readonly MatchCell[] }[] = [];
  const readings = new Map<string, DeadAggregate>();
  let [at, count] = [now, 0];
  for (const { shard, value } of answered) {
    if (!value || value.undecidedCount > 0) return null;
    if (value.count > 0) parts.push({ shard, cells: value.matching });
    readings.set(shard.name, value.aggregate);
    at = Math.min(at, value.aggregate.at);
    count += value.count;
  }
  return {
    at,
    parts,
    matching: { count, exact: failed.length === 0 },
    sampled: null,
    enteredTimes: null,
    missing: failed.map(({ shard }) => shard),
    readings,
  };
}

/** @param deadSample matches to sample of dead jobs at most */
export async function sampleMatches(
  ctx: BrokerContext,
  search: Search,
  deadSample = SAMPLE,
): Promise<MatchAggregate> {
  const { query, shards, order, now } = search;
  const merge = await openShardMerge(ctx, shards, query, order, null);
  const limit = isDeathState(query.state) ? deadSample : SAMPLE_ROWS;
  const budget = merge.readsRows ? BUDGET_HEAVY : BUDGET_LIGHT;
  const jobs: FoundJob[] = [];
  while (jobs.length < limit && !merge.finished && merge.scanned < budget)
    jobs.push(...(await merge.next(limit - jobs.length, budget - merge.scanned)));
  const { cells, enteredTimes } = isDeathState(query.state)
    ? fromDeathRows(jobs)
    : await fromFacts(ctx, jobs, search);
  const counted = merge.finished
    ? null
    : await countMatches(ctx, shards, { ...query, budget: 250, recent: true });
  const isComplete = merge.missing.length === 0;
  return {
    at: now,
    parts: [...groupWithPositions(cells, ({ shard }) => shard.name).values()].flatMap(({ items }) =>
      items[0] ? [{ shard: items[0].shard, cells: items }] : [],
    ),
    matching: merge.finished
      ? { count: jobs.length, exact: isComplete }
      : {
          count: Math.max(jobs.length, counted?.count ?? 0),
          exact: isComplete && counted?.exact === true,
        },
    sampled: merge.finished ? null : jobs.length,
    enteredTimes,
    missing: merge.missing.map(({ shard }) => shard),
    readings: new Map(),
  };
}

interface Sample {
  cells: (MatchCell & { shard: ShardRef })[];
  enteredTimes: number[];
}

function fromDeathRows(jobs: readonly FoundJob[]): Sample {
  const cells = jobs.flatMap(({ shard, death }) => {
    const key = parseDeathRow(death ?? '');
    return key ? [{ shard, key, count: 1 }] : [];
  });
  return { cells, enteredTimes: jobs.map((job) => job.score) };
}

async function fromFacts(
  ctx: BrokerContext,
  jobs: readonly FoundJob[],
  { query, within }: Search,
): Promise<Sample> {
  const found = await readJobFacts(ctx, query.state, jobs, { within });
  return {
    cells: found.map(({ shard, facts }) => ({ shard, key: facts, count: 1 })),
    enteredTimes: found.map(({ facts }) => facts.enteredAt),
  };
}
