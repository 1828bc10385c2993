/** One slice of an operation: read its progress, decide, and move a few chunks. Any number of runners may do it; see move-chunk.ts. */

import { serverNow } from '@/lib/broker/redis/server-info';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { Operation } from '@/lib/contract/operations/operation';
import { isOpen } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import { moveChunk } from '../kinds/move-chunk';
import { toCheckedMoveSpec } from '../kinds/move-spec';
import { type Decision, decideNext, type EndedCounts, needsOutcome, phaseOf } from '../rules/decide-next';
import { withCounts } from '../store/build-record';
import { endedOf } from '../store/operation-outcome';
import { loadRecord, updateRecord } from '../store/operation-store';
import { toOperation } from '../store/read-operations';
import { missingApproval } from './check-approval';
import { deleteNextShard, removeQueueName } from './delete-queue';
import { pickShard, prefetchChunk, takeChunk } from './next-chunk';
import { cancelOperation, completeOperation, pauseOperation } from './operation-transitions';
import {
  backOff,
  dropRunnerState,
  findRunnerState,
  markOk,
  openRunnerState,
  type RunnerState,
  readUnconfirmed,
  sumProgress,
  takeLease,
  withLease,
  withProgress,
} from './runner-state';

/** Whether the principal of an operation is still authorized; if not, the reason, shown on the paused operation. */
export type CheckAuthorization = (
  record: OperationRecord,
) => Promise<{ readonly ok: true } | { readonly ok: false; readonly sentence: string }>;
export interface SliceOptions {
  readonly sliceMs?: number;
  /** Left out: nothing is checked. */
  readonly checkAuthorization?: CheckAuthorization;
}

export interface SliceResult {
  readonly operation: Operation;
  /** When to run the next slice; 0: at once, or never if the operation has ended. */
  readonly waitMs: number;
}

/** Then the other operations of this process get a slice. */
const SLICE_MS = 25;
/** How often the record gets the progress of the shards. */
const SAVE_EVERY_MS = 250;
/** An older chunk is discarded: the lease has nearly expired. */
const STALE_AFTER_MS = 3_000;
const IDLE_MS = 1_000;
/** How often approval and authorization are checked while it runs. */
const ASK_EVERY_MS = 1_000;

/** @throws RedriveError OPERATION_NOT_FOUND, or an error that ends the operation (see `failOperation`) */
export async function runSlice(
  ctx: ShardedContext,
  id: string,
  runner: string,
  options: SliceOptions = {},
): Promise<SliceResult> {
  const record = await loadRecord(ctx, id);
  if (record.status !== 'running' || record.kind === 'export') {
    const flushed = await flushProgress(ctx, record, runner);
    dropRunnerState(ctx, id);
    return { operation: toOperation(flushed), waitMs: isOpen(record.status) ? IDLE_MS : 0 };
  }
  const now = await serverNow(ctx);
  const lease = await takeLease(ctx, record, runner, now);
  if (!lease.isMine) {
    dropRunnerState(ctx, id);
    return {
      operation: toOperation(lease.record),
      waitMs: Math.min(IDLE_MS, Math.max(1, lease.untilMs - now)),
    };
  }
  const run = await runFor(ctx, lease.record, runner, lease.isNew);
  if (lease.record.cancelling) return finish(ctx, await cancelOperation(ctx, lease.record, now));
  return work(ctx, lease.record, run, options);
}

/** Enters the jobs moved since the last write, so that the user who paused it sees them. */
async function flushProgress(
  ctx: ShardedContext,
  record: OperationRecord,
  runner: string,
): Promise<OperationRecord> {
  const run = findRunnerState(ctx, record.id);
  if (record.status !== 'paused' || run?.runner !== runner) return record;
  await readUnconfirmed(ctx, run);
  const totals = sumProgress(run);
  if (totals.moved <= record.moved && totals.scanned <= record.scanned) return record;
  return updateRecord(ctx, record.id, (stored) =>
    stored.status === 'paused' ? withCounts(stored, totals) : null,
  );
}

/** The state of the last slice, unless another runner may have moved jobs or a user changed the operation. */
async function runFor(
  ctx: ShardedContext,
  record: OperationRecord,
  runner: string,
  taken: boolean,
): Promise<RunnerState> {
  const known = findRunnerState(ctx, record.id);
  if (known && !taken && known.runner === runner && known.epoch === record.epoch) return known;
  return openRunnerState(ctx, record, runner, taken);
}

async function work(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
  { sliceMs = SLICE_MS, checkAuthorization }: SliceOptions,
): Promise<SliceResult> {
  const startedAtMs = performance.now();
  let waitMs = 0;
  let canaryPassed = false;
  let ended: EndedCounts | null = null;
  let decision: Decision;
  let now: number;
  do {
    now = await serverNow(ctx);
    const { mayBeMoved } = sumProgress(run);
    const plan = { canary: record.canary, stop: record.stop, control: run.control, moved: mayBeMoved };
    if (needsOutcome(plan) && (ended === null || phaseOf(plan) === 'canary-wait'))
      ended = await endedOf(ctx, record, mayBeMoved);
    const left = run.shards.some(({ progress }) => progress?.status !== 'done');
    decision = decideNext({ ...plan, now, rate: record.rate, left, ended });
    run.control = decision.control;
    canaryPassed ||= decision.canaryPassed;
    const { next } = decision;
    if (next.act === 'complete') {
      const waits = record.kind === 'delete-queue' ? await removeQueueName(ctx, record, run, now) : null;
      if (waits !== null) return { operation: toOperation(waits), waitMs: IDLE_MS };
      return finish(ctx, await completeOperation(ctx, record, run, now));
    }
    if (next.act === 'pause') return finish(ctx, await pauseOperation(ctx, record, run, next, now));
    if (run.shards.some(({ progress }) => progress?.status === 'stopped'))
      return finish(ctx, await cancelOperation(ctx, record, now));
    const refusal = await refusalOf(ctx, record, run, checkAuthorization);
    if (refusal !== null) return finish(ctx, await pauseOperation(ctx, record, run, refusal, now));
    waitMs = next.act === 'wait' ? next.waitMs : await moveSome(ctx, record, run, next.atMost, startedAtMs);
    // The passed canary is saved before the next chunk, which may complete the operation.
  } while (waitMs === 0 && !canaryPassed && performance.now() - startedAtMs < sliceMs);
  return { operation: toOperation(await save(ctx, record, run, { now, canaryPassed })), waitMs };
}

/** Checks approval and authorization at intervals, also while it waits for its rate. Null: the operation may go on. */
async function refusalOf(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
  checkAuthorization: CheckAuthorization | undefined,
): Promise<{ by: 'approval' | 'rights'; sentence: string } | null> {
  if (performance.now() - run.checkedAtMs < ASK_EVERY_MS) return null;
  const asks = await missingApproval(ctx, record, run);
  if (asks !== null) return { by: 'approval', sentence: asks };
  if (record.principal !== null && checkAuthorization) {
    const answer = await checkAuthorization(record);
    if (!answer.ok) return { by: 'rights', sentence: answer.sentence };
  }
  run.checkedAtMs = performance.now();
  return null;
}

/** Moves a chunk where there is room. @returns the wait before the next */
async function moveSome(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
  atMost: number,
  startedAtMs: number,
): Promise<number> {
  if (record.kind === 'delete-queue') return deleteNextShard(ctx, record, run);
  const picked = await pickShard(ctx, record, run);
  if ('waitMs' in picked) return picked.waitMs;
  const { state, room } = picked;
  const from = state.progress?.cursor ?? '';
  let hits = 0;
  try {
    const most = Math.min(atMost, room);
    const chunk = await takeChunk(ctx, record, run, state.shard, from, most);
    if (performance.now() - startedAtMs > STALE_AFTER_MS) return 1;
    hits = chunk.hits.length;
    const moving = moveChunk(
      ctx,
      state.shard,
      await toCheckedMoveSpec(ctx, record),
      from,
      chunk,
      state.scriptSize,
    );
    prefetchChunk(ctx, record, run, state.shard, chunk, most);
    markOk(state, await moving);
  } catch (error) {
    // The other shards go on.
    state.unconfirmed += hits;
    backOff(state, error);
  }
  return 0;
}

const finish = (ctx: ShardedContext, record: OperationRecord): SliceResult => {
  dropRunnerState(ctx, record.id);
  return { operation: toOperation(record), waitMs: isOpen(record.status) ? IDLE_MS : 0 };
};

/** The record with the progress, saved at intervals. */
async function save(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
  { now, canaryPassed }: { now: number; canaryPassed: boolean },
): Promise<OperationRecord> {
  const latest = withProgress(record, run, now, canaryPassed);
  const nowMs = performance.now();
  const early =
    nowMs - run.savedAtMs < SAVE_EVERY_MS &&
    latest.phase === record.phase &&
    latest.control.canaryWaitingSince === record.control.canaryWaitingSince &&
    latest.trouble === record.trouble &&
    latest.startedAt === record.startedAt;
  if (early) return latest;
  run.savedAtMs = nowMs;
  return updateRecord(ctx, record.id, (stored) =>
    stored.status === 'running' && stored.runner?.id === run.runner
      ? withLease(withProgress(stored, run, now, canaryPassed), run.runner, now)
      : null,
  );
}
