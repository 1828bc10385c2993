/** The next chunk of an operation: its shard and its jobs. */

import { setImmediate } from 'node:timers/promises';
import { scanShard } from '@/lib/broker/search/scan/scan-shard';
import { type ShardRef, shardRefsOf } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { OperationRecord, SelectedJob } from '@/lib/contract/operations/operation-record';
import type { MoveChunk } from '../kinds/move-chunk';
import { canaryLeft, phaseOf } from '../rules/decide-next';
import { BACK_OFF_MS, type RunnerState, readShards, type ShardState, sumProgress } from './runner-state';

/** How often to check a full queue for room: its workers must not run out of jobs. */
const ROOM_CHECK_MS = 25;
/** Queues checked for room in one go. */
const ROOM_CHECKS_MAX = 8;

export type PickedShard = { readonly state: ShardState; readonly room: number } | { readonly waitMs: number };

export async function pickShard(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
): Promise<PickedShard> {
  const nowMs = performance.now();
  const unfinished = run.shards.filter(({ progress }) => progress?.status !== 'done');
  const awake = unfinished.filter(({ retryAtMs }) => retryAtMs <= nowMs);
  const unread = awake.filter(({ progress, unconfirmed }) => progress === null || unconfirmed > 0);
  if (unread.length > 0) await readShards(ctx, run, unread);
  const moved = sumProgress(run).mayBeMoved;
  const plan = { canary: record.canary, control: run.control, moved };
  const isCanary = phaseOf(plan) === 'canary';
  // An unread shard may have moved jobs of the canary, which must not exceed its size.
  if (isCanary && unfinished.some(({ progress }) => progress === null)) return { waitMs: BACK_OFF_MS };
  const ready = awake.filter(
    ({ progress, unconfirmed, retryAtMs }) => progress !== null && unconfirmed === 0 && retryAtMs <= nowMs,
  );
  // The canary takes jobs from every queue.
  if (isCanary) ready.sort((a, b) => (a.progress?.moved ?? 0) - (b.progress?.moved ?? 0));
  const part = isCanary
    ? Math.max(1, Math.ceil(canaryLeft(plan) / Math.max(1, ready.length)))
    : Number.MAX_SAFE_INTEGER;
  if (record.rate.keepReadyBelow === null) {
    const [state] = ready;
    return state ? { state, room: part } : { waitMs: BACK_OFF_MS / 2 };
  }
  if (!isCanary) ready.sort((a, b) => (a.progress?.ready ?? 0) - (b.progress?.ready ?? 0));
  for (const state of ready.slice(0, ROOM_CHECKS_MAX)) {
    const room = await roomIn(ctx, record, run, state, record.rate.keepReadyBelow);
    if (room > 0) return { state, room: Math.min(room, part) };
  }
  return { waitMs: ready.length > 0 ? ROOM_CHECK_MS : BACK_OFF_MS / 2 };
}

/** How many more jobs may become ready. The shards of a queue share the mark. */
async function roomIn(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
  state: ShardState,
  mark: number,
): Promise<number> {
  if (record.target !== null) return mark - (await readyIn(ctx, record.target));
  await readShards(ctx, run, [state]);
  if (!state.progress || state.trouble !== null) return 0;
  const shards = (await shardRefsOf(ctx, [state.shard.queue])).length;
  return Math.max(1, Math.floor(mark / shards)) - state.progress.ready;
}

async function readyIn(ctx: ShardedContext, queue: string): Promise<number> {
  let ready = 0;
  for (const { name } of await shardRefsOf(ctx, [queue]))
    ready += await ctx.plain((redis) => redis.zcard(ctx.keys.column(name, 'ready')));
  return ready;
}

/** Moved in several small scripts; other work of this process runs in between. */
export const CHUNK_JOBS = 200;
/** Entries scanned for one chunk, which may hold no job. */
const CHUNK_SCAN = 5_000;
/** Other operations wait meanwhile. */
const CHUNK_SCAN_MS = 100;

export function findChunk(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
  shard: ShardRef,
  cursor: string,
  most: number,
): Promise<MoveChunk> {
  const count = Math.min(most, CHUNK_JOBS);
  return run.selection
    ? Promise.resolve(listedChunk(run.selection.get(shard.name) ?? [], cursor, count))
    : walkedChunk(ctx, record, run, shard, cursor, count);
}

/** The cursor is the number of jobs done. */
function listedChunk(jobs: readonly SelectedJob[], cursor: string, count: number): MoveChunk {
  const from = Number(cursor) || 0;
  const hits = jobs
    .slice(from, from + count)
    .map((job, i) => ({ ...job, looked: i + 1, cursor: String(from + i + 1) }));
  const end = from + hits.length;
  return { hits, cursor: String(end), done: end >= jobs.length, scanned: hits.length };
}

/** With several states the cursor is `<index of the state>~<cursor in it>`. */
async function walkedChunk(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
  shard: ShardRef,
  cursor: string,
  maxHits: number,
): Promise<MoveChunk> {
  const { states, cutoff } = record;
  const hasSeveral = states.length > 1;
  const at = hasSeveral ? Number(cursor.split('~', 1)[0]) || 0 : 0;
  const state = states[at] ?? record.scope.state;
  const scan = await scanShard(ctx, shard, {
    state,
    filter: run.filter,
    at: cutoff,
    cutoff,
    order: 'oldest',
    cursor: hasSeveral ? cursor.slice(cursor.indexOf('~') + 1) : cursor,
    maxScan: CHUNK_SCAN,
    maxHits,
    signal: AbortSignal.timeout(CHUNK_SCAN_MS),
  });
  if (!hasSeveral) return scan;
  const isLast = at >= states.length - 1;
  return {
    ...scan,
    hits: scan.hits.map((hit) => ({ ...hit, cursor: `${at}~${hit.stamp}|${hit.jobId}` })),
    cursor: scan.done && !isLast ? `${at + 1}~` : `${at}~${scan.cursor}`,
    done: scan.done && isLast,
  };
}

const PREFETCH_VALID_MS = 1_000;

/** The chunk behind a cursor: the prefetched one if it fits, else searched now. */
export async function takeChunk(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
  shard: ShardRef,
  cursor: string,
  most: number,
): Promise<MoveChunk> {
  const { prefetched } = run;
  run.prefetched = null;
  const isUsable =
    prefetched?.shard === shard.name &&
    prefetched.cursor === cursor &&
    most >= CHUNK_JOBS &&
    performance.now() - prefetched.askedAtMs < PREFETCH_VALID_MS;
  return (isUsable ? await prefetched.chunk : null) ?? findChunk(ctx, record, run, shard, cursor, most);
}

/** Searches the next chunk while this one is moved, unless a limit may make it smaller. An old prefetch is discarded. */
export function prefetchChunk(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
  shard: ShardRef,
  { cursor, done }: MoveChunk,
  most: number,
): void {
  if (done || most < 2 * CHUNK_JOBS) return;
  // After the first script of this chunk, so that other calls get in between.
  const chunk = setImmediate()
    .then(() => findChunk(ctx, record, run, shard, cursor, most))
    .catch(() => null);
  run.prefetched = { shard: shard.name, cursor, askedAtMs: performance.now(), chunk };
}
