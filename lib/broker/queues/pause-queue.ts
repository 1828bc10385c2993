/** Pausing, resuming and draining a queue: in every shard, or the error names the shards that were not reached. */

import type { PauseRequest, PauseScope } from '@/lib/contract/queues/pause-schemas';
import type { DrainRequest } from '@/lib/contract/queues/queue-config';
import { type Actor, actorJson } from '../access/actor';
import { quotaArg, throwIfOverQuota } from '../access/quota-check';
import { PAUSES_BOUND, readHash } from '../redis/bounded-reads';
import { payAhead } from '../redis/scripts/audit-purse';
import { allAnswers, changeOtherShards, fanOut } from '../shards/fan-out';
import { afterPart } from '../shards/partial-change';
import type { ShardLayout } from '../shards/shard-layout';
import type { ShardedContext } from '../shards/sharded-context';

/** The sharding may change during the call: then the new shards are changed, too. */
const TRIES = 5;
/** Each call returns up to 100 held jobs. If this process dies midway, claims and maintenance finish the rest. */
const RESUME_CALLS_MAX = 20_000;

/** Stops handing out jobs of the queue, a tenant or a job type. What runs goes on; enqueue goes on. */
export async function pause(
  ctx: ShardedContext,
  queue: string,
  { scope, reason, forMs }: PauseRequest,
  by: Actor,
): Promise<void> {
  const args = [scope, forMs ?? 0, actorJson({ ...by, reason }), quotaArg('pauses', by)];
  await inEveryShard(ctx, queue, 'The pause', async (name) => {
    const reply = await ctx.run('pause', name, args);
    await throwIfOverQuota(ctx, reply, ctx.keys.column(name, 'pauseShares'), by, 'scope');
  });
}

/** Ends a pause; held jobs go back to their old position. False when it was not paused. */
export async function resume(
  ctx: ShardedContext,
  queue: string,
  scope: PauseScope,
  by: Actor,
): Promise<boolean> {
  const resumed = await inEveryShard(ctx, queue, 'The end of the pause', async (name) => {
    let any = false;
    for (let calls = 0; calls < RESUME_CALLS_MAX; calls++) {
      const call = ctx.run('resume', name, [scope, actorJson(by), any ? 0 : 1]);
      const reply = await call.catch((error: unknown) => {
        throw any ? afterPart(error) : error;
      });
      any ||= reply !== 0;
      if (reply !== 2) break;
    }
    return any;
  });
  return resumed.some(Boolean);
}

/** Refuses new jobs while the old ones finish, or ends that. False when nothing changed. */
export async function drain(
  ctx: ShardedContext,
  queue: string,
  { draining, reason }: DrainRequest,
  by: Actor,
): Promise<boolean> {
  const args = [draining ? 1 : 0, actorJson({ ...by, reason })];
  const changed = await inEveryShard(ctx, queue, 'Draining', (name) => ctx.run('drain', name, args));
  return changed.includes(1);
}

async function inEveryShard<R>(
  ctx: ShardedContext,
  queue: string,
  what: string,
  change: (name: string) => Promise<R>,
): Promise<R[]> {
  let layout = await ctx.shards.fresh(queue);
  for (let tries = 1; ; tries++) {
    // For all shards or none: a user is not refused halfway.
    await payAhead(layout.names);
    const results = await inShardsOf(layout, what, change).catch((error: unknown) => {
      throw tries > 1 ? afterPart(error) : error;
    });
    const { generation } = layout;
    if (layout.count === 1 || tries === TRIES) return results;
    layout = await ctx.shards.fresh(queue);
    if (layout.generation === generation) return results;
  }
}

const inShardsOf = async <R>(layout: ShardLayout, what: string, change: (name: string) => Promise<R>) =>
  allAnswers(await fanOut(layout, change), layout, what);

/** A new shard starts with the pauses of its queue. */
export async function copyPauses(ctx: ShardedContext, layout: ShardLayout): Promise<void> {
  if (layout.count === 1) return;
  const rows = await readHash(ctx, { queue: layout.queue, index: 'pauses' }, PAUSES_BOUND);
  const args = [...rows].flat();
  if (args.length === 0) return;
  await changeOtherShards(layout, 'The pauses', (name) => ctx.run('pauses-copy', name, args));
}
