/** Deletes a queue: each shard in one script, which marks the shard as done, then the name, once no producer can have entered it. */

import { forgetRedaction } from '@/lib/broker/queues/settings/queue-redaction';
import { evalScript, ScriptKeys } from '@/lib/broker/redis/script-runner';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import { parseChunkReply } from '../kinds/shard-progress';
import { withCounts } from '../store/build-record';
import { updateRecord } from '../store/operation-store';
import { BACK_OFF_MS, backOff, markOk, type RunnerState, readShards, sumProgress } from './runner-state';

/** Producers enter a name once a minute, and before the next job when that is longer ago. */
const ENTERED_LATELY_MS = 90_000;
/** Then the name stays: producers use the queue, or its audit events are not collected. */
const WAIT_MAX_MS = 300_000;

/** Why a shard is deleted later. */
const WAITS: Readonly<Record<string, (queue: string) => string>> = {
  late: (queue) => `A call that deletes a shard of ${queue} came too late, and is sent again.`,
  leaving: (queue) =>
    `Jobs of ${queue} are on their way to another queue. It is deleted when they have arrived; if the operation that moves them is paused, resume or cancel it.`,
};

/** Deletes the next shard. @returns the wait before the next slice */
export async function deleteNextShard(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
): Promise<number> {
  const nowMs = performance.now();
  const left = run.shards.filter(({ progress }) => progress?.status !== 'done');
  const state = left.find(({ retryAtMs }) => retryAtMs <= nowMs);
  if (!state) return BACK_OFF_MS / 2;
  const until = record.runner?.until ?? 0;
  try {
    if (state.progress === null) await readShards(ctx, run, [state]);
    if (state.progress === null || state.progress.status !== 'running') return 0;
    const reply = await ctx.run('delete-queue', state.shard.name, [record.id, until]);
    const waitsFor = WAITS[String(reply)];
    if (waitsFor === undefined) markOk(state, parseChunkReply(reply, 'delete-queue').progress);
    else {
      state.trouble = waitsFor(record.scope.queue ?? '');
      state.retryAtMs = nowMs + BACK_OFF_MS;
    }
  } catch (error) {
    backOff(state, error);
    // The call may still run.
    run.fencedUntil = Math.max(run.fencedUntil, until);
  }
  return 0;
}

/** Removes the name from the registry. Null: done, or the queue has jobs again; else the record with the reason to wait. */
export async function removeQueueName(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
  now: number,
): Promise<OperationRecord | null> {
  const queue = record.scope.queue ?? '';
  forgetRedaction(ctx, queue);
  // A late call must still find the rows of the operation, which end with it.
  const isFenced = now < run.fencedUntil;
  const waitsFor = isFenced
    ? `All of ${queue} is deleted. Its name goes in a moment.`
    : await whyNot(ctx, record, queue, now);
  if (waitsFor === null) return null;
  const since = record.startedAt ?? record.createdAt;
  if (!isFenced && now - since > WAIT_MAX_MS) return null;
  return updateRecord(ctx, record.id, (latest) =>
    latest.status !== 'running' || latest.trouble === waitsFor
      ? null
      : { ...withCounts(latest, sumProgress(run)), startedAt: latest.startedAt ?? now, trouble: waitsFor },
  );
}

async function whyNot(
  ctx: ShardedContext,
  { shards }: OperationRecord,
  queue: string,
  now: number,
): Promise<string | null> {
  for (const { name } of shards) {
    const [jobs, records] = await ctx.plain((redis) =>
      Promise.all([redis.hlen(ctx.keys.column(name, 'jobs')), redis.xlen(ctx.keys.column(name, 'audit'))]),
    );
    // A job enqueued since makes it a new queue, which keeps its name.
    if (jobs > 0) return null;
    // The collector leaves the newest event.
    if (records > 1)
      return `All of ${queue} is deleted. Its name goes when the audit log has what was recorded of it.`;
  }
  const keys = new ScriptKeys([ctx.keys.global('queues')]);
  const args = [ctx.clock ? String(ctx.clock()) : '', queue, now - ENTERED_LATELY_MS];
  const gone = await ctx.plain((redis) => evalScript(redis, 'queue-forget', keys, args, false));
  if (gone === 1) return null;
  return `All of ${queue} is deleted. Its name goes when no producer has entered it for ${ENTERED_LATELY_MS / 1_000} seconds.`;
}
