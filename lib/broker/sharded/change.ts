/** Spreading a queue over more shards, or by another rule. */
import { type Sharding, shardingSchema } from '@/lib/contract/config';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { type Actor, actorNote } from '../note';
import { numbers } from '../reply';
import { evalMany } from '../script';
import type { ShardedContext } from '../shards';
import { checkShares, readConfig, shareSettings } from './config';
import { writeRecord } from './heal';
import { type Layout, layoutOf } from './layout';
import { sharePauses } from './pausing';

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
  if (old.count === count && (old.by === rule || count === 1)) return { count: old.count, by: old.by };
  if (count < old.count) throw fewer(old, count);
  const next = layoutOf(queue, { count, by: rule }, old.generation + 1);
  checkShares((await readConfig(ctx, old)).config, next);
  const jobs = await close(ctx, old, next, by);
  if (jobs > 0) {
    await reopen(ctx, old, next, by);
    throw new RedriveError(
      'WRONG_STATE',
      `${queue} holds ${jobs} jobs, completed and dead ones included, which would be looked for in the wrong shard. Change the sharding of a queue before its first job, or drain it and remove what is left; or enqueue to a new queue.`,
      { fields: [{ field: 'sharding', message: 'can change only while the queue holds no jobs' }] },
    );
  }
  // Nobody works by the new sharding before it is written: pauses and limits are in force from its first moment …
  await share(ctx, next, by);
  const won = await writeRecord(ctx, old, next);
  const now = await ctx.shards.fresh(queue);
  // … and what was paused or set by somebody who did not know of it yet follows here.
  await share(ctx, now, by);
  if (!won)
    throw new RedriveError(
      'CONFIG_CHANGED',
      `The sharding of ${queue} was changed by somebody else meanwhile: it has ${now.count} shards now. Look at it again, then repeat the change.`,
    );
  return { count: now.count, by: now.by };
}

async function share(ctx: ShardedContext, layout: Layout, by: Actor): Promise<void> {
  await sharePauses(ctx, layout);
  await shareSettings(ctx, layout, by);
}

/** How many jobs are in the way; 0: all shards are closed. The first shard's record of changes says who did it. */
async function close(ctx: ShardedContext, old: Layout, next: Layout, by: Actor): Promise<number> {
  const settled = await evalMany(
    ctx,
    next.names.map((name, shard) => ({
      script: 'reshard',
      queue: name,
      args: [next.generation, shard === 0 ? 'sharding' : '', actorNote(by), textOf(old), textOf(next)],
    })),
  );
  let jobs = 0;
  for (const one of settled) {
    if (one.status === 'rejected') {
      await reopen(ctx, old, next, by);
      throw one.reason;
    }
    jobs += numbers(one.value, 'reshard')[1] ?? 0;
  }
  return jobs;
}

/** The old sharding holds on, under the generation the shards were closed with. */
async function reopen(ctx: ShardedContext, old: Layout, next: Layout, by: Actor): Promise<void> {
  await writeRecord(ctx, old, { ...old, generation: next.generation });
  const note = actorNote({
    ...by,
    reason: 'The sharding stays as it was: the queue holds jobs, or a shard did not answer.',
  });
  // An entry that says so, unless the first shard was the one with the jobs and has none to take back.
  await ctx
    .run('reshard', old.queue, [next.generation, 'sharding', note, textOf(next), textOf(old)])
    .catch(() => undefined);
  await ctx.shards.fresh(old.queue);
}

const textOf = ({ count, by }: Sharding): string => JSON.stringify({ count, by });

const fewer = (old: Layout, count: number): RedriveError =>
  new RedriveError(
    'VALIDATION',
    `${old.queue} has ${old.count} shards and cannot go down to ${count}: the number only grows. For fewer, enqueue to a new queue and let this one finish.`,
    { fields: [{ field: 'count', message: `must be at least ${old.count}` }] },
  );
