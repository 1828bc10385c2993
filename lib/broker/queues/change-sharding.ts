/** Spreading a queue over more shards, or by another rule. */
import type { Sharding } from '@/lib/contract/queues/queue-config';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type Actor, actorJson } from '../access/actor';
import { payAhead } from '../redis/scripts/audit-purse';
import { layoutOf, type ShardLayout, shardingText } from '../shards/shard-layout';
import type { ShardedContext } from '../shards/sharded-context';
import { returnShardQuota, takeShardQuota } from './queue-quotas';
import {
  closeShards,
  copySettingsToShards,
  layoutAfterRollback,
  shardingJson,
  writeShardingRecord,
} from './recover-resharding';
import { registerName } from './register-queue';
import { readConfig } from './settings/sharded-settings';
import { checkSplit } from './settings/split-settings';

/**
 * Only while the queue is empty: a job is found by the rule that placed it. Safe while producers enqueue: shards are first closed to
 * producers of the old sharding, then the new one is written, then producers read it and send again.
 * @throws RedriveError VALIDATION | WRONG_STATE when jobs are left | CONFIG_CHANGED when another change was faster
 */
export async function setSharding(
  ctx: ShardedContext,
  queue: string,
  { count, by: rule }: Sharding,
  by: Actor,
): Promise<Sharding> {
  const old = await ctx.shards.fresh(queue);
  if (isSame(old, { count, by: rule })) return { count: old.count, by: old.by };
  if (count < old.count) throw fewer(old, count);
  const next = layoutOf(queue, { count, by: rule }, old.generation + 1);
  checkSplit((await readConfig(ctx, old)).config, next);
  // The change itself, and the part of the limits that each shard gets.
  await payAhead(['.queues', ...next.names]);
  await takeShardQuota(ctx, queue, next.count, by);
  // In the registry from now on, so that it is listed and can be deleted even when it is never used.
  await registerName(ctx, queue);
  const notChanged = async (): Promise<void> => {
    await reopen(ctx, old, next, by);
    await returnShardQuota(ctx, queue, old.count, by).catch(() => undefined);
  };
  const { closed, jobs } = await closeShards(ctx, old, next, by).catch(async (error: unknown) => {
    await notChanged();
    throw error;
  });
  if (!closed) {
    await notChanged();
    throw jobs > 0 ? holdsJobs(queue, jobs) : otherwise(await ctx.shards.fresh(queue));
  }
  // The new sharding is in use only once it is written: pauses and limits are in force from its first moment …
  await copySettingsToShards(ctx, next, by);
  await writeShardingRecord(ctx, old, next, by);
  const now = await ctx.shards.fresh(queue);
  // … and what was paused or set by the old sharding meanwhile follows here.
  await copySettingsToShards(ctx, now, by);
  // Another process may have finished this change: that is as good.
  if (!isSame(now, next)) throw otherwise(now);
  return { count: now.count, by: now.by };
}

/** One shard is one shard, whatever the rule. */
const isSame = (a: Sharding, b: Sharding) => a.count === b.count && (a.by === b.by || a.count === 1);

async function reopen(ctx: ShardedContext, old: ShardLayout, next: ShardLayout, by: Actor): Promise<void> {
  const kept = layoutAfterRollback(old, next);
  if (!(await writeShardingRecord(ctx, old, kept, by))) return;
  const reason = 'The sharding stays as it was: the queue holds jobs, or a shard did not answer.';
  // The first shard's record of changes said otherwise, if it was closed.
  await ctx
    .run('sharding-rollback', old.queue, [
      shardingText(kept),
      shardingText(next),
      actorJson({ ...by, reason }),
      shardingJson(next),
      shardingJson(old),
    ])
    .catch(() => undefined);
  await ctx.shards.fresh(old.queue);
}

const holdsJobs = (queue: string, jobs: number): RedriveError =>
  new RedriveError(
    'WRONG_STATE',
    `${queue} holds ${jobs} jobs, completed and dead ones included, which would be looked for in the wrong shard. Change the sharding of a queue before its first job, or drain it and remove what is left; or enqueue to a new queue.`,
    { fields: [{ field: 'sharding', message: 'can change only while the queue holds no jobs' }] },
  );

const otherwise = ({ queue, count }: ShardLayout): RedriveError =>
  new RedriveError(
    'CONFIG_CHANGED',
    `The sharding of ${queue} was changed by another user meanwhile: it has ${count} shards now. Look at it again, then repeat the change.`,
  );

const fewer = (old: ShardLayout, count: number): RedriveError =>
  new RedriveError(
    'VALIDATION',
    `${old.queue} has ${old.count} shards and cannot go down to ${count}: the number only grows. For fewer, enqueue to a new queue and let this one finish.`,
    { fields: [{ field: 'count', message: `must be at least ${old.count}` }] },
  );
