/** Transitions of an operation that a runner makes: complete, pause, cancel, fail. */

import { readQueueSettings } from '@/lib/broker/queues/settings/settings-fields';
import { withoutAddresses } from '@/lib/broker/redis/redis-errors';
import { serverNow } from '@/lib/broker/redis/server-info';
import { forEachLimited } from '@/lib/broker/shards/fan-out';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { KIND_RULES } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import { stopShard } from '../kinds/move-chunk';
import { toMoveSpec } from '../kinds/move-spec';
import { forgetShard, type ProgressTotals } from '../kinds/shard-progress';
import type { NextAction } from '../rules/decide-next';
import { operationActor } from '../rules/operation-summary';
import { withCounts, withEvent } from '../store/build-record';
import { readOutcome } from '../store/operation-outcome';
import { loadRecord, updateRecord } from '../store/operation-store';
import {
  markOk,
  type RunnerState,
  readUnconfirmed,
  sumProgress,
  unreadShards,
  withProgress,
} from './runner-state';

const SHARDS_AT_ONCE = 8;

/** Completes an operation that every shard has finished. */
export async function completeOperation(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
  now: number,
): Promise<OperationRecord> {
  const undo = await findUndo(ctx, record, now);
  const outcome = await outcomeOf(ctx, record, sumProgress(run).moved);
  const deletes = record.kind === 'delete-queue';
  const completed = await updateRecord(
    ctx,
    record.id,
    (latest) =>
      latest.status === 'running'
        ? endRecord({ ...withGone(withProgress(latest, run, now, false)), outcome }, 'completed', now, undo)
        : null,
    // The queues of other kinds record the end themselves; this queue is deleted.
    deletes
      ? (_, { moved }) => ({
          by: operationActor(record),
          action: 'operation.end',
          after: `ended: the queue is deleted with ${moved} jobs`,
          count: moved,
        })
      : undefined,
  );
  if (deletes)
    await forEachLimited(record.shards, SHARDS_AT_ONCE, (shard) =>
      forgetShard(ctx, shard, record.id).catch(() => undefined),
    );
  return completed;
}

/** Only jobs that were moved can be undone. */
function endRecord(
  record: OperationRecord,
  status: 'completed' | 'cancelled' | 'failed',
  now: number,
  undo: OperationRecord['undo'],
): OperationRecord {
  const ended: OperationRecord = {
    ...record,
    // Readers see the masked patch, and nothing runs it again.
    patch: record.maskedPatch ? null : record.patch,
    status,
    endedAt: now,
    phase: null,
    paused: null,
    trouble: null,
    runner: null,
    undo: record.moved > 0 ? undo : null,
  };
  const by = (status === 'cancelled' && record.cancelling?.by) || 'redrive';
  return withEvent(ended, { at: now, type: status, by, sentence: record.error });
}

/** Jobs that left their state before the operation came to them count as skipped, so that every confirmed job is counted. */
function withGone(record: OperationRecord): OperationRecord {
  const gone = record.estimated ? 0 : Math.max(0, record.expected - record.moved - record.skipped);
  if (gone === 0) return record;
  return {
    ...record,
    skipped: record.skipped + gone,
    skips: { ...record.skips, changed: (record.skips.changed ?? 0) + gone },
  };
}

/** Pauses an operation by the runner's own decision. */
export async function pauseOperation(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
  {
    by,
    sentence,
  }: { by: Extract<NextAction, { act: 'pause' }>['by'] | 'approval' | 'rights'; sentence: string },
  now: number,
): Promise<OperationRecord> {
  await readUnconfirmed(ctx, run);
  return updateRecord(
    ctx,
    record.id,
    (latest) => {
      // A user has changed the rules meanwhile.
      if (latest.status !== 'running' || latest.epoch !== run.epoch) return null;
      const next: OperationRecord = {
        ...withProgress(latest, run, now, false),
        status: 'paused',
        paused: { by, at: now, sentence },
        runner: null,
      };
      return withEvent(next, { at: now, type: 'paused', by, sentence });
    },
    () => ({ by: { actor: 'redrive', reason: sentence }, action: 'operation.pause', after: by }),
  );
}

/** Cancels an operation once every shard has stopped it. Unreachable shards are tried again. */
export async function cancelOperation(
  ctx: ShardedContext,
  record: OperationRecord,
  now: number,
): Promise<OperationRecord> {
  const { totals, trouble } = await stopShards(ctx, record);
  const undo = trouble === null ? await findUndo(ctx, record, now) : null;
  const outcome = trouble === null ? await outcomeOf(ctx, record, totals.moved) : null;
  return updateRecord(ctx, record.id, (latest) => {
    if (latest.status !== 'running' && latest.status !== 'paused') return null;
    const counted = withCounts(latest, totals);
    return trouble === null
      ? endRecord({ ...counted, outcome }, 'cancelled', now, undo)
      : { ...counted, trouble };
  });
}

/** @returns the progress of the shards that answered, and the trouble of one that did not */
async function stopShards(
  ctx: ShardedContext,
  record: OperationRecord,
): Promise<{ totals: ProgressTotals; trouble: string | null }> {
  const shards = unreadShards(record);
  let trouble: string | null = null;
  await forEachLimited(shards, SHARDS_AT_ONCE, async (state) => {
    try {
      markOk(state, await stopShard(ctx, state.shard, toMoveSpec(record)));
    } catch (error) {
      trouble = `${state.shard.queue} does not answer, and has not heard of the cancellation yet: ${withoutAddresses(error)}`;
    }
  });
  return { totals: sumProgress({ shards }), trouble };
}

const outcomeOf = (ctx: ShardedContext, record: OperationRecord, moved: number) =>
  readOutcome(ctx, record, moved).catch(() => record.outcome);

/** Ends an operation that cannot go on. Its shards stop as after a cancellation, so that every moved job is counted and can be undone. */
export async function failOperation(ctx: ShardedContext, id: string, error: string): Promise<void> {
  const now = await serverNow(ctx);
  const undo = await findUndo(ctx, await loadRecord(ctx, id), now);
  const failed = await updateRecord(ctx, id, (latest) =>
    latest.status === 'running'
      ? endRecord({ ...latest, error: error.slice(0, 500) }, 'failed', now, undo)
      : null,
  );
  if (failed.status !== 'failed' || failed.kind === 'export') return;
  const { totals } = await stopShards(ctx, failed);
  const outcome = await outcomeOf(ctx, failed, Math.max(failed.moved, totals.moved));
  await updateRecord(ctx, id, (latest) => {
    if (latest.status !== 'failed') return null;
    const counted = withCounts(latest, totals);
    return { ...counted, outcome, undo: counted.moved > 0 ? undo : null };
  });
}

/** The kind that undoes it, and until when: the shortest grace of the trash among its shards. */
async function findUndo(
  ctx: ShardedContext,
  record: Pick<OperationRecord, 'kind' | 'shards' | 'undoes'>,
  now: number,
): Promise<OperationRecord['undo']> {
  const kind = record.undoes === null ? KIND_RULES[record.kind].undoneBy : null;
  if (kind === null) return null;
  if (kind !== 'restore') return { kind, until: null };
  let graceMs = Number.POSITIVE_INFINITY;
  await forEachLimited([...new Set(record.shards.map(({ name }) => name))], SHARDS_AT_ONCE, async (name) => {
    // A shard that does not answer is left out: a restore reports the jobs it still has.
    const found = await readQueueSettings(ctx, name).catch(() => null);
    if (found) graceMs = Math.min(graceMs, found.config.trashGraceMs);
  });
  return { kind, until: Number.isFinite(graceMs) ? now + graceMs : null };
}
