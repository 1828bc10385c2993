/** Pausing and draining hold for every shard, or the caller is told which ones they did not reach. */
import type { PauseScope } from '@/lib/contract/queue';
import type { Actor } from '../note';
import type { ShardedContext } from '../shards';
import { type DrainOptions, drain as drainOne } from '../verbs/drain';
import { type PauseOptions, pause as pauseOne } from '../verbs/pause';
import { resume as resumeOne } from '../verbs/resume';
import { allOf, fanOut } from './fan-out';
import type { Layout } from './layout';

/** A change of the sharding while one pauses: then again, for the shards that are new. */
const TRIES = 5;

async function everywhere<R>(
  ctx: ShardedContext,
  queue: string,
  what: string,
  change: (name: string) => Promise<R>,
): Promise<R[]> {
  let layout = await ctx.shards.fresh(queue);
  for (let tries = 1; ; tries++) {
    const results = allOf(await fanOut(layout, change), layout, what);
    const { generation } = layout;
    if (layout.count === 1 || tries === TRIES) return results;
    layout = await ctx.shards.fresh(queue);
    if (layout.generation === generation) return results;
  }
}

/** Stops handing out jobs of the queue, a tenant or a job type. What runs goes on; enqueue goes on. */
export async function pause(
  ctx: ShardedContext,
  queue: string,
  input: PauseOptions,
  by: Actor,
): Promise<void> {
  await everywhere(ctx, queue, 'The pause', (name) => pauseOne(ctx, name, input, by));
}

/** Ends a pause; what it held goes back to its old place in line. False when it was not paused. */
export async function resume(
  ctx: ShardedContext,
  queue: string,
  scope?: PauseScope,
  by?: Actor,
): Promise<boolean> {
  return (
    await everywhere(ctx, queue, 'The end of the pause', (name) => resumeOne(ctx, name, scope, by))
  ).some(Boolean);
}

/** Refuses new jobs while the old ones finish; or ends that. False when it was not draining in the first place. */
export async function drain(
  ctx: ShardedContext,
  queue: string,
  input: DrainOptions,
  by: Actor,
): Promise<boolean> {
  return (await everywhere(ctx, queue, 'Draining', (name) => drainOne(ctx, name, input, by))).some(Boolean);
}

/** A new shard starts with the pauses of its queue. */
export async function sharePauses(ctx: ShardedContext, layout: Layout): Promise<void> {
  if (layout.count === 1) return;
  const rows = await ctx.plain((redis) => redis.hgetall(ctx.keys.column(layout.queue, 'pauses')));
  const args = Object.entries(rows).flat();
  if (args.length === 0) return;
  const shards = layout.names.map((_, shard) => shard).slice(1);
  allOf(await fanOut(layout, (name) => ctx.run('adopt', name, args), { shards }), layout, 'The pauses');
}
