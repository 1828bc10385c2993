/** All queues at a glance: one script a shard, all in one round trip, at a cost that does not grow with their length. */
import type { Pause } from '@/lib/contract/queues/pause-schemas';
import type { Ledger } from '@/lib/contract/queues/queue-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import { isOversized } from '../redis/redis-errors';
import { evalMany } from '../redis/run-pipelines';
import type { ShardLayout } from '../shards/shard-layout';
import type { ShardedContext } from '../shards/sharded-context';
import { fieldsOf, parseQueueReading, type QueueReading } from './queue-reading';
import { type JobFlow, mergeRecentMinutes, mergeRunTimes } from './recent-activity';

/**
 * Reads queues in one round trip. Numbers of a shard that cannot be read are missing from the sums; a queue without any readable shard is
 * left out. @throws only when nothing can be read at all
 * @param runTimesSince the minute from which on the run times of a queue are wanted, at most six minutes back; undefined: none
 */
export async function snapshotQueues(
  ctx: ShardedContext,
  queues: readonly string[],
  runTimesSince: (queue: string) => number | undefined = () => undefined,
): Promise<QueueReading[]> {
  const layouts: ShardLayout[] = [];
  for (const queue of queues) layouts.push(ctx.shards.recent(queue) ?? (await ctx.shards.of(queue)));
  const settled = await evalMany(
    ctx,
    layouts.flatMap(({ queue, names }) => {
      const since = runTimesSince(queue);
      const args = since === undefined ? [] : [since];
      return names.map((name) => ({ script: 'snapshot' as const, queue: name, args }));
    }),
  );
  const trouble = settled.find((one) => one.status === 'rejected' && !isOwnTrouble(one.reason));
  // Keys of another type, or larger than Redrive writes, are that queue's own trouble; anything else that meets every call is Redis's.
  if (trouble?.status === 'rejected' && settled.every((one) => one.status === 'rejected'))
    throw trouble.reason;
  let next = 0;
  return layouts.flatMap((layout) => {
    const replies = settled.slice(next, next + layout.count);
    next += layout.count;
    const unavailable: number[] = [];
    const parts = replies.flatMap((one, shard) => {
      if (one.status === 'fulfilled') return parseQueueReading(layout.queue, one.value);
      unavailable.push(shard);
      return [];
    });
    const [first, ...others] = parts;
    return first ? mergeReadings(layout.queue, [first, ...others], { count: layout.count, unavailable }) : [];
  });
}

const isOwnTrouble = (error: unknown) =>
  isOversized(error) || (error instanceof Error && error.message.startsWith('WRONGTYPE'));

export interface LedgerCheck extends Ledger {
  /** Rows in no state, or entries of states without a row. */
  strayRows: number;
  /** Shards that could not be read: the check is of the others. */
  unavailable: number[];
}

/** Checks a queue's ledger in one call: `difference` and `strayRows` are 0, or something is wrong. */
export async function checkLedger(ctx: ShardedContext, queue: string): Promise<LedgerCheck> {
  const [reading] = await snapshotQueues(ctx, [queue]);
  if (!reading)
    throw new RedriveError(
      'REDIS_UNAVAILABLE',
      `Nothing of ${queue} can be read: its keys are of another type, or their server is away.`,
    );
  return {
    ...reading.ledger,
    strayRows: reading.rows - reading.ledger.inStates,
    unavailable: reading.shards.unavailable,
  };
}

/** Counts add up, ages are the oldest, times the next. @param parts the shards that could be read, at least one */
function mergeReadings(
  queue: string,
  parts: readonly [QueueReading, ...QueueReading[]],
  shards: QueueReading['shards'],
): QueueReading {
  const [first] = parts;
  if (parts.length === 1) return { ...first, queue, shards };
  const sum = (of: (reading: QueueReading) => number) => parts.reduce((total, one) => total + of(one), 0);
  const known = (of: (reading: QueueReading) => number | null) =>
    parts.map(of).filter((value) => value !== null);
  const soonest = (of: (reading: QueueReading) => number | null) => least(known(of));
  const longest = (of: (reading: QueueReading) => number | null) => most(known(of));
  const limits = known((one) => one.depth.limit);
  return {
    queue,
    at: Math.max(...parts.map((one) => one.at)),
    counts: fieldsOf(keysOf(first.counts), (state) => sum((one) => one.counts[state])),
    ledger: fieldsOf(keysOf(first.ledger), (field) => sum((one) => one.ledger[field])),
    totals: fieldsOf(keysOf(first.totals), (field) => sum((one) => one.totals[field])),
    rows: sum((one) => one.rows),
    oldestReadyAgeMs: longest((one) => one.oldestReadyAgeMs),
    nextDueAt: soonest((one) => one.nextDueAt),
    overdueLeaseMs: longest((one) => one.overdueLeaseMs),
    pauses: mergedPauses(parts.flatMap((one) => one.pauses)),
    draining: parts.some((one) => one.draining),
    depth: {
      jobs: sum((one) => one.depth.jobs),
      limit: limits.length > 0 ? limits.reduce((total, limit) => total + limit, 0) : null,
    },
    objectives: first.objectives,
    throttledTenants: sum((one) => one.throttledTenants),
    deadExpireAt: soonest((one) => one.deadExpireAt),
    shards,
    runTimes: {
      buckets: summed(parts.map((one) => one.runTimes.buckets)),
      sumMs: sum((one) => one.runTimes.sumMs),
    },
    waitTimes: summed(parts.map((one) => one.waitTimes)),
    endToEndTimes: {
      buckets: summed(parts.map((one) => one.endToEndTimes.buckets)),
      sumMs: sum((one) => one.endToEndTimes.sumMs),
    },
    recent: mergeRecentMinutes(parts.map((one) => one.recent)),
    recentRunTimes: mergeRunTimes(parts.map((one) => one.recentRunTimes)),
    flow: mergeFlows(parts.map((one) => one.flow)),
    attempts: new Map([...summed(parts.map((one) => one.attempts))].sort(([a], [b]) => a - b)),
  };
}

const keysOf = <K extends string>(record: Record<K, number>) => Object.keys(record) as K[];
const least = (values: readonly number[]) => (values.length > 0 ? Math.min(...values) : null);
const most = (values: readonly number[]) => (values.length > 0 ? Math.max(...values) : null);

function summed<K>(maps: readonly ReadonlyMap<K, number>[]): Map<K, number> {
  const total = new Map<K, number>();
  for (const map of maps) for (const [key, count] of map) total.set(key, (total.get(key) ?? 0) + count);
  return total;
}

function mergeFlows(flows: readonly JobFlow[]): JobFlow {
  const sum = (of: (flow: JobFlow) => number) => flows.reduce((total, one) => total + of(one), 0);
  return {
    donePerSecond: sum((one) => one.donePerSecond),
    arrivalPerSecond: sum((one) => one.arrivalPerSecond),
    chancePerSecond: Math.hypot(...flows.map((one) => one.chancePerSecond)),
  };
}

/** One pause reaches the shards a moment apart: it is as old as in the first of them, and lasts as long as in the last. */
function mergedPauses(pauses: readonly Pause[]): Pause[] {
  const byScope = new Map<string, Pause>();
  for (const pause of pauses) {
    const known = byScope.get(pause.scope);
    const until =
      known?.until === null || pause.until === null ? null : Math.max(known?.until ?? 0, pause.until);
    byScope.set(pause.scope, known ? { ...known, since: Math.min(known.since, pause.since), until } : pause);
  }
  return [...byScope.values()].sort((a, b) => a.since - b.since);
}
