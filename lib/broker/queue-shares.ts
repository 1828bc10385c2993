/**
 * Shares of what stands in keys of other slots than its shares: names of queues, and their shardings. The share is taken first, in one
 * script, so that two calls at once cannot pass the ceiling together. What is gone since gives its share back before anybody is refused.
 */
import type { CeilingName } from '@/lib/contract/ceilings';
import type { BrokerContext } from './context';
import type { Actor } from './note';
import { serverNow } from './now';
import { limitReached, shareArg, shareRefusal } from './shares';

type QueueCeiling = Extract<CeilingName, 'queues' | 'shardings'>;

/** The script touches no queue, but every script call names one. */
const NO_QUEUE = 'none';
/** A share this young may be of a queue that is being made just now. */
const YOUNG_MS = 60_000;
/** Reading all shares is not worth more of Redis's time than once in so long. */
const SETTLE_EVERY_MS = 5_000;
const SCAN_COUNT = 500;
const SCANS_MAX = 50;
const GIVEN_AT_ONCE = 200;

const settledAt = new WeakMap<BrokerContext, Map<QueueCeiling, number>>();

/** Calls of the library take none. @throws RedriveError LIMIT_REACHED */
export async function takeQueueShare(
  ctx: BrokerContext,
  ceiling: QueueCeiling,
  queue: string,
  by: Actor | undefined,
): Promise<void> {
  if (by?.holder === undefined || (await isThere(ctx, ceiling, [queue]))[0]) return;
  const at = await serverNow(ctx);
  const ask = shareArg(ceiling, by, at);
  const take = async () => shareRefusal(await ctx.run('share-take', NO_QUEUE, [queue, ask]));
  let refused = await take();
  if (refused && (await giveBackGone(ctx, ceiling, at))) refused = await take();
  if (refused) throw await limitReached(ctx, ctx.keys.global('queuesShares'), refused, by, 'queue');
}

/** Whether any was given back. */
async function giveBackGone(ctx: BrokerContext, ceiling: QueueCeiling, now: number): Promise<boolean> {
  const settled = settledAt.get(ctx) ?? new Map<QueueCeiling, number>();
  settledAt.set(ctx, settled);
  if (now - (settled.get(ceiling) ?? Number.NEGATIVE_INFINITY) < SETTLE_EVERY_MS) return false;
  settled.set(ceiling, now);
  const mark = `${ceiling} of `;
  let [cursor, given] = ['0', false];
  for (let scans = 0; scans < SCANS_MAX; scans += 1) {
    const from = cursor;
    const [next, found] = await ctx.plain((redis) =>
      redis.hscan(ctx.keys.global('queuesShares'), from, 'COUNT', SCAN_COUNT),
    );
    const old: string[] = [];
    for (let i = 0; i + 1 < found.length; i += 2) {
      const field = found[i] ?? '';
      if (field.startsWith(mark) && takenAt(found[i + 1]) < now - YOUNG_MS)
        old.push(field.slice(mark.length));
    }
    const there = await isThere(ctx, ceiling, old);
    const gone = old.filter((_, i) => !there[i]);
    for (let i = 0; i < gone.length; i += GIVEN_AT_ONCE)
      await ctx.run('share-give', NO_QUEUE, [ceiling, ...gone.slice(i, i + GIVEN_AT_ONCE)]);
    given ||= gone.length > 0;
    cursor = next;
    if (cursor === '0') break;
  }
  return given;
}

/** 0: a row that cannot be read is as old as can be. */
const takenAt = (row: string | undefined): number => Number(/\n(\d+)$/.exec(row ?? '')?.[1] ?? 0);

async function isThere(
  ctx: BrokerContext,
  ceiling: QueueCeiling,
  queues: readonly string[],
): Promise<boolean[]> {
  if (queues.length === 0) return [];
  const rows = await ctx.plain<unknown[]>((redis) =>
    ceiling === 'queues'
      ? redis.zmscore(ctx.keys.global('queues'), ...queues)
      : redis.hmget(ctx.keys.global('queuesSharding'), ...queues),
  );
  return rows.map((row) => row !== null);
}
