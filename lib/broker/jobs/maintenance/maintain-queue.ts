/** Maintenance of one queue. Workers and consoles may all do it: each script only does the work that is left. */
import { type Actor, actorJson, errorJson } from '@/lib/broker/access/actor';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyList, replyNumbers, replyText } from '@/lib/broker/redis/script-reply';
import { answersOrThrow, fanOut } from '@/lib/broker/shards/fan-out';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { errorCodeSchema, workerIdSchema } from '@/lib/contract/name-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';

export interface ReclaimResult {
  /** Back in ready. */
  returned: number;
  /** Dead as `crash`: deliveries or attempts used up. */
  died: number;
}
export interface MaintainResult {
  promoted: number;
  reclaimed: number;
  /** Trashed jobs past their grace. */
  expired: number;
  nextAt: number | null;
}

/** Some hundred entries each: a tick a second clears more keys and tenants than one worker can add. */
const ROUNDS_MAX = 25;
/** A damaged queue is repaired in steps; the next tick goes on. */
const REPAIR_ROUNDS = 10;
const RECLAIM_MAX = 10_000;
const RECLAIM_PER_TICK = 1_000;
const RECLAIM_PER_SCRIPT = 100;

/** A shard that does not answer is left for the next turn. @throws only when no shard answers: the snapshot says which ones do not */
export async function maintain(ctx: ShardedContext, queue: string): Promise<MaintainResult> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const results = answersOrThrow(await fanOut(layout, (name) => maintainShard(ctx, name)));
  const times = results.flatMap((result) => result.nextAt ?? []);
  return {
    promoted: sumOf(results, 'promoted'),
    reclaimed: sumOf(results, 'reclaimed'),
    expired: sumOf(results, 'expired'),
    nextAt: times.length > 0 ? Math.min(...times) : null,
  };
}

/** Promotes due jobs, reclaims expired leases, ends pauses, empties the trash, repairs damage. Ticks may race, so no leader is needed. */
export async function maintainShard(ctx: BrokerContext, name: string): Promise<MaintainResult> {
  const { returned, died } = await reclaimInShard(ctx, name, RECLAIM_PER_TICK);
  const result: MaintainResult = { promoted: 0, reclaimed: returned + died, expired: 0, nextAt: null };
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) {
    const reply = await ctx.run('maintain', name, []);
    const [promoted = 0, expired = 0, more = 0, nextAt = 0] = replyNumbers(reply, 'maintain');
    result.promoted += promoted;
    result.expired += expired;
    result.nextAt = nextAt || null;
    if (more === 0) break;
  }
  for (let rounds = 0; rounds < REPAIR_ROUNDS; rounds++) {
    const [, unfinished = 0] = replyNumbers(await ctx.run('repair', name, []), 'repair');
    if (unfinished === 0) break;
  }
  return result;
}

/** Takes back expired leases, up to `limit` in all. @param by when a user asks for it */
export async function reclaim(
  ctx: ShardedContext,
  queue: string,
  limit = RECLAIM_MAX,
  by?: Actor,
): Promise<ReclaimResult> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const total: ReclaimResult = { returned: 0, died: 0 };
  // One after the other, so that they keep within the limit together.
  const answers = await fanOut(
    layout,
    async (name) => {
      const { returned, died } = await reclaimInShard(ctx, name, limit - total.returned - total.died, by);
      total.returned += returned;
      total.died += died;
    },
    { atOnce: 1 },
  );
  answersOrThrow(answers);
  return total;
}

export async function reclaimInShard(
  ctx: BrokerContext,
  name: string,
  limit: number,
  by?: Actor,
): Promise<ReclaimResult> {
  const total: ReclaimResult = { returned: 0, died: 0 };
  const actor = by ? actorJson(by) : '';
  for (let left = limit; left > 0; ) {
    const step = Math.min(left, RECLAIM_PER_SCRIPT);
    const reply = await ctx.run('reclaim', name, [step, actor]);
    const [returned = 0, died = 0, more = 0] = replyNumbers(reply, 'reclaim');
    total.returned += returned;
    total.died += died;
    left -= step;
    if (more === 0) break;
  }
  return total;
}

/** Takes back at once all that a worker held, because its supervisor saw it die. */
export async function reclaimWorker(
  ctx: ShardedContext,
  queue: string,
  worker: string,
  cause: { errorCode: string; message: string },
): Promise<ReclaimResult & { jobIds: string[] }> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  parseOrThrow(workerIdSchema, worker, 'worker');
  const code = parseOrThrow(errorCodeSchema, cause.errorCode, 'errorCode');
  const args = [code, errorJson(cause.message, undefined)];
  const results = answersOrThrow(
    await fanOut(layout, async (name) => {
      const total = { returned: 0, died: 0, jobIds: [] as string[] };
      let cursor = '0';
      do {
        const reply = replyList(
          await ctx.run('reclaim-worker', name, [worker, cursor, ...args]),
          'reclaim-worker',
        );
        cursor = replyText(reply[0]);
        total.returned += Number(reply[1]);
        total.died += Number(reply[2]);
        total.jobIds.push(...reply.slice(3).map(replyText));
      } while (cursor !== '0');
      return total;
    }),
  );
  return {
    returned: sumOf(results, 'returned'),
    died: sumOf(results, 'died'),
    jobIds: results.flatMap(({ jobIds }) => jobIds),
  };
}

const sumOf = <K extends string>(results: readonly Record<K, number>[], field: K): number =>
  results.reduce((sum, result) => sum + result[field], 0);
