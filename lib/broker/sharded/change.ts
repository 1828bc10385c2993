/** Spreading a queue over more shards, or by another rule. */
import { type Sharding, shardingSchema } from '@/lib/contract/config';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { type Actor, actorNote } from '../note';
import { takeQueueShare } from '../queue-shares';
import type { ShardedContext } from '../shards';
import { enterName } from '../verbs/enqueue';
import { checkShares, readConfig } from './config';
import { changeText, closeShards, keptAfter, writeRecord } from './heal';
import { type Layout, layoutOf, shardingText } from './layout';
import { shareAll } from './share-all';

export type ShardingInput = Partial<Sharding> & Pick<Sharding, 'count'>;

/**
 * Only while the queue has no job in any state: every job is found by the rule that placed it, and a resend must find its
 * first sending. Exact, whoever else enqueues meanwhile: each shard is first closed to producers that go by the old sharding
 * (which it refuses once it has a job), then the new one is written, then they are told it and come again.
 *
 * @throws RedriveError VALIDATION | WRONG_STATE when jobs are left | CONFIG_CHANGED when somebody else was faster
 */
export async function setSharding(
  ctx: ShardedContext,
  queue: string,
  input: ShardingInput,
  by: Actor,
): Promise<Sharding> {
  const { count, by: rule } = parseOrThrow(shardingSchema, input, 'sharding');
  const old = await ctx.shards.fresh(queue);
  if (isSame(old, { count, by: rule })) return { count: old.count, by: old.by };
  if (count < old.count) throw fewer(old, count);
  const next = layoutOf(queue, { count, by: rule }, old.generation + 1);
  checkShares((await readConfig(ctx, old)).config, next);
  await takeQueueShare(ctx, 'shardings', queue, by);
  // Known by its name from now on, so that it is seen and can be deleted when nobody comes to use it.
  await enterName(ctx, queue);
  const { closed, jobs } = await closeShards(ctx, old, next, by).catch(async (error: unknown) => {
    await reopen(ctx, old, next, by);
    throw error;
  });
  if (!closed) {
    await reopen(ctx, old, next, by);
    throw jobs > 0 ? holdsJobs(queue, jobs) : otherwise(await ctx.shards.fresh(queue));
  }
  // Nobody works by the new sharding before it is written: pauses and limits are in force from its first moment …
  await shareAll(ctx, next, by);
  await writeRecord(ctx, old, next, by);
  const now = await ctx.shards.fresh(queue);
  // … and what was paused or set by somebody who did not know of it yet follows here.
  await shareAll(ctx, now, by);
  // Written by somebody who took us for dead and finished for us, it is as good.
  if (!isSame(now, next)) throw otherwise(now);
  return { count: now.count, by: now.by };
}

/** One shard is one shard, whatever the rule. */
const isSame = (a: Sharding, b: Sharding) => a.count === b.count && (a.by === b.by || a.count === 1);

async function reopen(ctx: ShardedContext, old: Layout, next: Layout, by: Actor): Promise<void> {
  const kept = keptAfter(old, next);
  if (!(await writeRecord(ctx, old, kept, by))) return;
  const reason = 'The sharding stays as it was: the queue holds jobs, or a shard did not answer.';
  // The first shard's record of changes said otherwise, if it was closed.
  await ctx
    .run('recant', old.queue, [
      shardingText(kept),
      shardingText(next),
      actorNote({ ...by, reason }),
      changeText(next),
      changeText(old),
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

const otherwise = ({ queue, count }: Layout): RedriveError =>
  new RedriveError(
    'CONFIG_CHANGED',
    `The sharding of ${queue} was changed by somebody else meanwhile: it has ${count} shards now. Look at it again, then repeat the change.`,
  );

const fewer = (old: Layout, count: number): RedriveError =>
  new RedriveError(
    'VALIDATION',
    `${old.queue} has ${old.count} shards and cannot go down to ${count}: the number only grows. For fewer, enqueue to a new queue and let this one finish.`,
    { fields: [{ field: 'count', message: `must be at least ${old.count}` }] },
  );
