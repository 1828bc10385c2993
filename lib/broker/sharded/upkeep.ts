/** Maintenance and reclaim of all shards. A shard that does not answer is left for the next turn, its neighbours are not. */
import type { Actor } from '../note';
import type { ShardedContext } from '../shards';
import { type MaintainResult, maintain as maintainOne } from '../verbs/maintain';
import {
  type ReclaimResult,
  reclaim as reclaimOne,
  reclaimWorker as reclaimWorkerOne,
} from '../verbs/reclaim';
import { fanOut, someOf } from './fan-out';

/** @throws only when no shard answers: the snapshot says which ones do not */
export async function maintain(ctx: ShardedContext, queue: string): Promise<MaintainResult> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  if (layout.count === 1) return maintainOne(ctx, queue);
  const results = someOf(await fanOut(layout, (name) => maintainOne(ctx, name)));
  const times = results.flatMap((result) => result.nextAt ?? []);
  const sum = (field: 'promoted' | 'reclaimed' | 'expired') =>
    results.reduce((total, result) => total + result[field], 0);
  return {
    promoted: sum('promoted'),
    reclaimed: sum('reclaimed'),
    expired: sum('expired'),
    nextAt: times.length > 0 ? Math.min(...times) : null,
  };
}

/** Takes back leases that ran out, up to `limit` in all. Anyone may call it, any number at a time. */
export async function reclaim(
  ctx: ShardedContext,
  queue: string,
  limit = 10_000,
  by?: Actor,
): Promise<ReclaimResult> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  if (layout.count === 1) return reclaimOne(ctx, queue, limit, by);
  const total: ReclaimResult = { returned: 0, died: 0 };
  // One after the other, so that they keep within the limit together.
  const answers = await fanOut(
    layout,
    async (name) => {
      const result = await reclaimOne(ctx, name, limit - total.returned - total.died, by);
      total.returned += result.returned;
      total.died += result.died;
    },
    { atOnce: 1 },
  );
  someOf(answers);
  return total;
}

/** Takes back at once all that a worker held, because it is known to be gone (its supervisor saw it die). */
export async function reclaimWorker(
  ctx: ShardedContext,
  queue: string,
  worker: string,
  cause: { errorCode: string; message: string },
): Promise<ReclaimResult & { jobIds: string[] }> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  if (layout.count === 1) return reclaimWorkerOne(ctx, queue, worker, cause);
  const results = someOf(await fanOut(layout, (name) => reclaimWorkerOne(ctx, name, worker, cause)));
  return { ...summed(results), jobIds: results.flatMap((result) => result.jobIds) };
}

const summed = (results: readonly ReclaimResult[]): ReclaimResult => ({
  returned: results.reduce((sum, result) => sum + result.returned, 0),
  died: results.reduce((sum, result) => sum + result.died, 0),
});
