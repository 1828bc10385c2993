/** The outcome of re-driven jobs. Scripts count ended jobs in their shard (lua/operations/redriven_jobs.lua); the rest are in flight or wait. */

import { LRUCache } from 'lru-cache';
import { readFields, readMembers, SMALL_ROWS } from '@/lib/broker/redis/bounded-reads';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { perContext } from '@/lib/broker/redis/context-cache';
import { queryShards, type ShardRef, shardRefsOf } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { NAME_MAX_CHARS } from '@/lib/contract/name-pattern';
import type { Outcome } from '@/lib/contract/operations/operation';
import { RERUNS } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import type { EndedCounts } from '../rules/decide-next';

/** Asked at a time. */
const SHARDS_AT_ONCE = 8;
/** Jobs in flight read of a shard; further ones count as waiting. */
const IN_FLIGHT_MAX = 500;
const GROUPS_MAX = 20;

interface Counted {
  readonly ended: readonly [completed: number, diedAgain: number, recalled: number, deleted: number];
  readonly groups: ReadonlyMap<string, number>;
  readonly running: number;
}

/** @throws when a shard does not answer: a partial count would look complete */
export async function countOutcome(
  ctx: BrokerContext,
  shards: readonly ShardRef[],
  id: string,
  moved: number,
): Promise<Outcome> {
  const { answered, failed } = await queryShards(shards, SHARDS_AT_ONCE, ({ name }) =>
    countIn(ctx, name, id),
  );
  if (failed[0]) throw failed[0].error;
  let [completed, diedAgain, recalled, deleted, running] = [0, 0, 0, 0, 0];
  const groups = new Map<string, number>();
  for (const { value } of answered) {
    completed += value.ended[0];
    diedAgain += value.ended[1];
    recalled += value.ended[2];
    deleted += value.ended[3];
    running += value.running;
    for (const [group, count] of value.groups) groups.set(group, (groups.get(group) ?? 0) + count);
  }
  // A job may end between the two reads.
  const left = Math.max(0, moved - completed - diedAgain - recalled - deleted);
  running = Math.min(running, left);
  return {
    completed,
    diedAgain,
    recalled,
    deleted,
    running,
    waiting: left - running,
    groups: [...groups]
      .map(([group, count]) => ({ group, count }))
      .sort((a, b) => b.count - a.count || (a.group < b.group ? -1 : 1))
      .slice(0, GROUPS_MAX),
  };
}

async function countIn(ctx: BrokerContext, name: string, id: string): Promise<Counted> {
  const members = { members: IN_FLIGHT_MAX, bytes: NAME_MAX_CHARS };
  const [[row], inFlight] = await Promise.all([
    readFields(ctx, { queue: name, index: 'operations' }, [`${id} outcome`], SMALL_ROWS),
    readMembers(ctx, { queue: name, index: 'inflight' }, members),
  ]);
  const ids = inFlight.map(([jobId]) => jobId);
  const driven = await readFields(ctx, { queue: name, index: 'redriven' }, ids, SMALL_ROWS);
  const running = driven.filter((by) => by?.split(' ', 1)[0] === id).length;
  const [completed = '0', diedAgain = '0', recalled = '0', deleted = '0', ...groups] = row?.split(' ') ?? [];
  return {
    ended: [Number(completed), Number(diedAgain), Number(recalled), Number(deleted)],
    groups: new Map(groups.map((part) => [part.split('=')[0] ?? '', Number(part.split('=')[1])])),
    running,
  };
}

/** Viewers of one operation share an outcome for this long. */
const GOOD_FOR_MS = 1_000;

interface RecentOutcome {
  readonly outcome: Outcome;
  readonly moved: number;
  readonly readAtMs: number;
}
const recent = perContext(() => new LRUCache<string, RecentOutcome>({ max: 200 }));

export const hasOutcome = ({ kind }: Pick<OperationRecord, 'kind'>): boolean => RERUNS.has(kind);

/** None of its jobs waits or runs. */
export const isSettled = (outcome: Outcome | null): boolean =>
  outcome !== null && outcome.waiting === 0 && outcome.running === 0;

/** The shards in which its jobs run: a move's are the target's. */
export async function outcomeShards(
  ctx: ShardedContext,
  record: OperationRecord,
): Promise<readonly ShardRef[]> {
  return record.target === null ? record.shards : shardRefsOf(ctx, [record.target]);
}

/** The outcome now; null when the kind has none. @throws when a shard does not answer */
export async function readOutcome(
  ctx: ShardedContext,
  record: OperationRecord,
  moved: number,
): Promise<Outcome | null> {
  if (!hasOutcome(record)) return null;
  const outcome = await countOutcome(ctx, await outcomeShards(ctx, record), record.id, moved);
  recent.of(ctx).set(record.id, { outcome, moved, readAtMs: performance.now() });
  return outcome;
}

/** The outcome, at most a second old; the last known one when it cannot be read. */
export async function recentOutcome(ctx: ShardedContext, record: OperationRecord): Promise<Outcome | null> {
  if (!hasOutcome(record)) return null;
  const last = recent.of(ctx).get(record.id);
  if (last && last.moved === record.moved && performance.now() - last.readAtMs < GOOD_FOR_MS)
    return last.outcome;
  return readOutcome(ctx, record, record.moved).catch(() => last?.outcome ?? record.outcome);
}

/** The ended jobs; null: its jobs do not run again. */
export async function endedOf(
  ctx: ShardedContext,
  record: OperationRecord,
  moved: number,
): Promise<EndedCounts | null> {
  const outcome = await readOutcome(ctx, record, moved);
  if (!outcome) return null;
  const { completed, diedAgain, recalled, deleted } = outcome;
  return { completed, diedAgain, withdrawn: recalled + deleted };
}
