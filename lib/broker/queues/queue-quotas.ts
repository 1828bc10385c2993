/**
 * Quotas of queue names and shardings, whose keys lie in other slots than the shares. A call takes its share first, so that two calls
 * cannot pass the quota together; shares of vanished queues are given back before a refusal.
 */
import type { QuotaName } from '@/lib/contract/access/quotas';
import type { Actor } from '../access/actor';
import { quotaArg, quotaReachedError, quotaRefusal } from '../access/quota-check';
import type { BrokerContext } from '../redis/broker-context';
import { perContext } from '../redis/context-cache';
import { scanHash } from '../redis/scan-hash';
import { serverNow } from '../redis/server-info';

type QueueQuota = Extract<QuotaName, 'queues' | 'shardings'>;

/** A share this young may be of a queue that is being made just now. */
const YOUNG_MS = 60_000;
/** Reading all shares is not worth more of Redis's time than once in so long. */
const SETTLE_EVERY_MS = 5_000;
const SCANS_MAX = 50;
const GIVEN_AT_ONCE = 200;

const settledAt = perContext(() => new Map<QueueQuota, number>());

/** For a new queue. Calls of the library take none. @throws RedriveError LIMIT_REACHED */
export async function takeQueueQuota(
  ctx: BrokerContext,
  queue: string,
  by: Actor | undefined,
): Promise<void> {
  if (by?.quotaOwner === undefined || (await isThere(ctx, 'queues', [queue]))[0]) return;
  await take(ctx, 'queues', queue, by, 1);
}

/** For the shards of a queue, all of them. Calls of the library take none. @throws RedriveError LIMIT_REACHED */
export async function takeShardQuota(
  ctx: BrokerContext,
  queue: string,
  shards: number,
  by: Actor,
): Promise<void> {
  if (by.quotaOwner !== undefined) await take(ctx, 'shardings', queue, by, shards);
}

/** For a change of the shards that did not come about. */
export async function returnShardQuota(
  ctx: BrokerContext,
  queue: string,
  shards: number,
  by: Actor,
): Promise<void> {
  if (by.quotaOwner === undefined) return;
  await ctx.run('share-give', null, ['shardings', queue]);
  if (shards > 1) await take(ctx, 'shardings', queue, by, shards);
}

async function take(
  ctx: BrokerContext,
  quota: QueueQuota,
  queue: string,
  by: Actor,
  weight: number,
): Promise<void> {
  const at = await serverNow(ctx);
  const ask = quotaArg(quota, by, at);
  const tryOnce = async () => quotaRefusal(await ctx.run('share-take', null, [queue, ask, weight]));
  let refused = await tryOnce();
  if (refused && (await giveBackGone(ctx, quota, at))) refused = await tryOnce();
  if (refused) throw await quotaReachedError(ctx, ctx.keys.global('queuesShares'), refused, by, 'queue');
}

/** Whether any was given back. */
async function giveBackGone(ctx: BrokerContext, quota: QueueQuota, now: number): Promise<boolean> {
  const settled = settledAt.of(ctx);
  if (now - (settled.get(quota) ?? Number.NEGATIVE_INFINITY) < SETTLE_EVERY_MS) return false;
  settled.set(quota, now);
  const mark = `${quota} of `;
  let given = false;
  for await (const page of scanHash(ctx, ctx.keys.global('queuesShares'), SCANS_MAX)) {
    const old = page.flatMap(([field, row]) =>
      field.startsWith(mark) && takenAt(row) < now - YOUNG_MS ? [field.slice(mark.length)] : [],
    );
    const there = await isThere(ctx, quota, old);
    const gone = old.filter((_, i) => !there[i]);
    for (let i = 0; i < gone.length; i += GIVEN_AT_ONCE)
      await ctx.run('share-give', null, [quota, ...gone.slice(i, i + GIVEN_AT_ONCE)]);
    given ||= gone.length > 0;
  }
  return given;
}

/** 0: a row that cannot be read is as old as can be. */
const takenAt = (row: string): number => Number(row.split('\n')[3] ?? 0) || 0;

async function isThere(ctx: BrokerContext, quota: QueueQuota, queues: readonly string[]): Promise<boolean[]> {
  if (queues.length === 0) return [];
  const rows = await ctx.plain<unknown[]>((redis) =>
    quota === 'queues'
      ? redis.zmscore(ctx.keys.global('queues'), ...queues)
      : redis.hmget(ctx.keys.global('queuesSharding'), ...queues),
  );
  return rows.map((row) => row !== null);
}
