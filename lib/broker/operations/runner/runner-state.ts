/** A runner's state of an operation between two slices, and its lease. It caches what Redis holds and is valid only with the lease. */
import { LRUCache } from 'lru-cache';
import { perContext } from '@/lib/broker/redis/context-cache';
import { withoutAddresses } from '@/lib/broker/redis/redis-errors';
import { forEachLimited } from '@/lib/broker/shards/fan-out';
import type { ShardRef } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { addMark } from '@/lib/contract/operations/moved-rate';
import type { SkipReason } from '@/lib/contract/operations/operation-kinds';
import type {
  OperationControl,
  OperationRecord,
  SelectedJob,
} from '@/lib/contract/operations/operation-record';
import type { Filter } from '@/lib/contract/search/query/filter';
import type { MoveChunk } from '../kinds/move-chunk';
import { ScriptSize } from '../kinds/script-size';
import { type ProgressTotals, readShardProgress, type ShardProgress } from '../kinds/shard-progress';
import { parseSelection, scopeFilter } from '../preview/scope-jobs';
import { phaseOf } from '../rules/decide-next';
import { withCounts, withEvent } from '../store/build-record';
import { loadJobs, updateRecord } from '../store/operation-store';

/** Another runner takes over when a lease is this old. Renewed with each write of the record. */
export const LEASE_MS = 6_000;
const SHARDS_AT_ONCE = 8;
/** How long a failing shard is backed off. */
export const BACK_OFF_MS = 1_000;

export interface ShardState {
  readonly shard: ShardRef;
  /** How many jobs a script moves here. */
  readonly scriptSize: ScriptSize;
  /** As last read; null: not read yet. */
  progress: ShardProgress | null;
  /** Jobs of a call without a reply; they count as moved until the shard is read. */
  unconfirmed: number;
  /** By the monotonic clock. */
  retryAtMs: number;
  trouble: string | null;
}

export interface PrefetchedChunk {
  readonly shard: string;
  readonly cursor: string;
  readonly askedAtMs: number;
  /** Null: the search failed; it is repeated when the chunk is needed. */
  readonly chunk: Promise<MoveChunk | null>;
}

export interface RunnerState {
  readonly id: string;
  readonly runner: string;
  readonly epoch: number;
  readonly filter: Filter;
  /** By the shard's physical name; null: the operation walks a query. */
  readonly selection: ReadonlyMap<string, readonly SelectedJob[]> | null;
  readonly shards: readonly ShardState[];
  control: OperationControl;
  prefetched: PrefetchedChunk | null;
  /** When the record was last written, by the monotonic clock. */
  savedAtMs: number;
  /** When its approval and authorization were last checked, by the monotonic clock. */
  checkedAtMs: number;
  /** By the clock of Redis: until then a call without a reply may still run; see delete-queue.ts. */
  fencedUntil: number;
}

const states = perContext(() => new LRUCache<string, RunnerState>({ max: 200 }));

export const findRunnerState = (ctx: ShardedContext, id: string): RunnerState | undefined =>
  states.of(ctx).get(id);
export const dropRunnerState = (ctx: ShardedContext, id: string): boolean => states.of(ctx).delete(id);

/**
 * Reads the progress of every shard; one that does not answer is backed off.
 * @param isTaken no other lease was valid
 */
export async function openRunnerState(
  ctx: ShardedContext,
  record: OperationRecord,
  runner: string,
  isTaken: boolean,
): Promise<RunnerState> {
  const run: RunnerState = {
    id: record.id,
    runner,
    epoch: record.epoch,
    filter: scopeFilter(record.scope),
    selection: record.hasSelection
      ? groupByShard(parseSelection(await loadJobs(ctx, record.id), record.id))
      : null,
    shards: unreadShards(record),
    control: record.control,
    prefetched: null,
    savedAtMs: performance.now(),
    checkedAtMs: Number.NEGATIVE_INFINITY,
    fencedUntil: Math.max(
      isTaken ? 0 : (record.runner?.until ?? 0),
      // A pause ends the lease early.
      ...record.events.map(({ type, at }) => (type === 'resumed' ? at + LEASE_MS : 0)),
    ),
  };
  const { answered, error } = await readShards(ctx, run, run.shards);
  if (answered === 0 && error !== null) throw error;
  states.of(ctx).set(record.id, run);
  return run;
}

/** The shards of an operation, not read yet. */
export const unreadShards = (record: OperationRecord): ShardState[] =>
  record.shards.map((shard) => ({
    shard,
    progress: null,
    scriptSize: new ScriptSize(),
    unconfirmed: 0,
    retryAtMs: 0,
    trouble: null,
  }));

/** Reads the progress of some shards; one that does not answer is backed off. */
export async function readShards(
  ctx: ShardedContext,
  run: RunnerState,
  states: readonly ShardState[],
): Promise<{ answered: number; error: unknown }> {
  let answered = 0;
  let error: unknown = null;
  await forEachLimited(states, SHARDS_AT_ONCE, async (state) => {
    try {
      markOk(state, await readShardProgress(ctx, state.shard, run.id));
      answered += 1;
    } catch (trouble) {
      error = trouble;
      backOff(state, trouble);
    }
  });
  return { answered, error };
}

/** Reads the shards with a call without a reply, so that the counts are exact. */
export async function readUnconfirmed(ctx: ShardedContext, run: RunnerState): Promise<void> {
  const unread = run.shards.filter(({ unconfirmed }) => unconfirmed > 0);
  if (unread.length > 0) await readShards(ctx, run, unread);
}

export function markOk(state: ShardState, progress: ShardProgress): void {
  state.progress = progress;
  state.unconfirmed = 0;
  state.trouble = null;
  state.retryAtMs = 0;
}

export function backOff(state: ShardState, error: unknown): void {
  const shard = state.shard.shard > 0 ? ` (shard ${state.shard.shard})` : '';
  state.trouble = `${state.shard.queue}${shard} does not answer: ${withoutAddresses(error)}`.slice(0, 300);
  state.retryAtMs = performance.now() + BACK_OFF_MS;
}

/** The progress of all shards together. `mayBeMoved` includes unconfirmed jobs, so that limits hold in any case. */
export function sumProgress(
  run: Pick<RunnerState, 'shards'>,
): ProgressTotals & { readonly mayBeMoved: number } {
  let [scanned, moved, skipped, unconfirmed] = [0, 0, 0, 0];
  const skips: Partial<Record<SkipReason, number>> = {};
  for (const state of run.shards) {
    unconfirmed += state.unconfirmed;
    if (!state.progress) continue;
    scanned += state.progress.scanned;
    moved += state.progress.moved;
    skipped += state.progress.skipped;
    for (const [reason, count] of Object.entries(state.progress.skips) as [SkipReason, number][])
      skips[reason] = (skips[reason] ?? 0) + count;
  }
  return { scanned, moved, skipped, skips, mayBeMoved: moved + unconfirmed };
}

function groupByShard(jobs: readonly SelectedJob[]): Map<string, SelectedJob[]> {
  const byShard = new Map<string, SelectedJob[]>();
  for (const job of jobs) {
    const part = byShard.get(job.shard) ?? [];
    part.push(job);
    byShard.set(job.shard, part);
  }
  return byShard;
}

/** The stored record with the runner's progress. */
export function withProgress(
  stored: OperationRecord,
  run: RunnerState,
  now: number,
  canaryPassed: boolean,
): OperationRecord {
  const totals = sumProgress(run);
  // A change by a user meanwhile wins over the runner's control.
  const isCurrent = stored.epoch === run.epoch;
  const control = isCurrent ? run.control : stored.control;
  const counted = withCounts(stored, totals);
  const next: OperationRecord = {
    ...counted,
    marks: addMark(counted.marks, now, counted.moved + counted.skipped),
    control,
    phase: phaseOf({ canary: stored.canary, control, moved: totals.mayBeMoved }),
    startedAt: stored.startedAt ?? (totals.moved > 0 ? now : null),
    trouble: run.shards.find(({ trouble }) => trouble !== null)?.trouble ?? null,
  };
  return canaryPassed && isCurrent
    ? withEvent(next, { at: now, type: 'canary-passed', by: 'redrive', sentence: null })
    : next;
}

/** A lease with less than this left is renewed before jobs are moved. */
const RENEW_BELOW_MS = 2_500;

export type LeaseResult =
  /** `isNew`: the runner's state is not valid. */
  | { readonly isMine: true; readonly record: OperationRecord; readonly isNew: boolean }
  | { readonly isMine: false; readonly record: OperationRecord; readonly untilMs: number };

export const withLease = (record: OperationRecord, runner: string, now: number): OperationRecord => ({
  ...record,
  runner: { id: runner, until: now + LEASE_MS },
});

/** The lease has expired, or the clock has gone back since. */
const isFree = ({ runner }: OperationRecord, now: number): boolean =>
  runner === null || runner.until <= now || runner.until > now + LEASE_MS;

/** Takes or renews the lease. It only saves double work: no job is moved twice without one. */
export async function takeLease(
  ctx: ShardedContext,
  record: OperationRecord,
  runner: string,
  now: number,
): Promise<LeaseResult> {
  const lease = record.runner;
  const isMine = lease?.id === runner && !isFree(record, now);
  if (isMine && lease.until - now >= RENEW_BELOW_MS) return { isMine, record, isNew: false };
  if (!isMine && !isFree(record, now)) return { isMine, record, untilMs: lease?.until ?? now };
  const after = await updateRecord(ctx, record.id, (latest) => {
    const isRenewal = latest.runner?.id === runner;
    if (latest.status !== 'running' || !(isRenewal || isFree(latest, now))) return null;
    const next = withLease(latest, runner, now);
    // An event only when another runner had begun and died.
    return isRenewal || latest.runner === null
      ? next
      : withEvent(next, { at: now, type: 'taken-over', by: 'redrive', sentence: null });
  });
  if (after.status === 'running' && after.runner?.id === runner)
    return { isMine: true, record: after, isNew: !isMine };
  return { isMine: false, record: after, untilMs: after.runner?.until ?? now };
}
