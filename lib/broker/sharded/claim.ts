/** Claiming from a sharded queue: its shards in turn, until the count is filled or all were asked. */
import { parseOrThrow } from '@/lib/contract/errors';
import { type ClaimOptions, claimOptionsSchema } from '@/lib/contract/verbs';
import { idFrom, randomId } from '../id';
import type { ShardedContext } from '../shards';
import { type AbandonOptions, abandon as abandonOne } from '../verbs/abandon';
import type { AckItem } from '../verbs/ack';
import { type ClaimedJob, type ClaimResult, claim as claimOne } from '../verbs/claim';
import { type ExchangeResult, exchange as exchangeOne } from '../verbs/exchange';
import { fanOut, someOf } from './fan-out';
import { divide, type Layout, nonceIn } from './layout';
import { isResting, letRest, wakeUp } from './resting';
import { ack } from './settle';

/** Shards asked at once when the first had too little: each for its share, so that no more is taken than was asked for. */
const AT_ONCE = 8;
const turns = new WeakMap<Layout, number>();

/** Takes up to `count` ready jobs under a lease. A lost reply: UNKNOWN_OUTCOME, then `abandon` with the same nonce. */
export async function claim(ctx: ShardedContext, queue: string, input: ClaimOptions): Promise<ClaimResult> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  if (layout.count === 1) return claimOne(ctx, queue, input);
  const options = parseOrThrow(claimOptionsSchema, input, 'claim options');
  const nonce = options.nonce ?? randomId(16);
  const unindexed = options.unindexed || options.nonce === undefined;
  const order = orderOf(ctx, layout);
  const awake = order.filter((shard) => !isResting(ctx, layout.names[shard] ?? queue));
  // With none awake they are asked all the same: the caller is told what is wrong, and how it is now.
  const waiting = awake.length > 0 ? awake : order;
  const results: ClaimResult[] = [];
  const hungry: number[] = [];
  let left = options.count;
  let trouble: unknown;
  const ask = async (shard: number, count: number): Promise<void> => {
    const name = layout.names[shard] ?? queue;
    const named = nonceFor(shard, nonce);
    // Known here, so that a lost call is given back alone: by then its name may hold jobs that another process handed out.
    const only = unindexed ? undefined : nonceFor(shard, randomId(16));
    try {
      if (awake.length === 0) await wakeUp(ctx, name);
      const result = await claimOne(ctx, name, { ...options, count, nonce: named, unindexed }, only);
      results.push(inQueue(layout, shard, result));
      left -= result.jobs.length;
      if (result.more && result.jobs.length === count) hungry.push(shard);
    } catch (error) {
      trouble ??= error;
      letRest(ctx, name, error, { nonce: named, unindexed, only });
    }
  };
  await ask(waiting.shift() ?? 0, left);
  while (left > 0 && waiting.length > 0) {
    const wave = waiting.splice(0, Math.min(AT_ONCE, left));
    const shares = divide(left, wave.length);
    await Promise.all(wave.map((shard, i) => ask(shard, shares[i] ?? 1)));
  }
  // What some shards had too little of, others may have more of than their share.
  for (const shard of hungry.splice(0)) if (left > 0) await ask(shard, left);
  if (results.length === 0) throw trouble;
  return merged(results, waiting.length > 0);
}

/**
 * Completes jobs and claims new ones. The acks go to their shards, the claim to those whose turn it is, all at the same time.
 * A lost reply leaves both open, as with one shard: see verbs/exchange.ts.
 */
export async function exchange(
  ctx: ShardedContext,
  queue: string,
  acks: readonly AckItem[],
  input: ClaimOptions,
): Promise<ExchangeResult> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  if (layout.count === 1) return exchangeOne(ctx, queue, acks, input);
  const nonce = input.nonce ?? randomId(16);
  const [acked, claimed] = await Promise.allSettled([
    ack(ctx, queue, acks),
    claim(ctx, queue, { ...input, nonce, unindexed: true }),
  ]);
  if (claimed.status === 'rejected') throw claimed.reason;
  if (acked.status === 'fulfilled') return { acked: acked.value, claimed: claimed.value };
  // The caller will not hear of these jobs: they go back at once, instead of when their leases end.
  await abandon(ctx, queue, nonce, { unindexed: true }).catch(() => undefined);
  throw acked.reason;
}

/** Gives back every job of one claim call whose reply was lost. A shard that cannot be asked now is asked when it is back. */
export async function abandon(
  ctx: ShardedContext,
  queue: string,
  nonce: string,
  { unindexed = false }: AbandonOptions = {},
): Promise<number> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  if (layout.count === 1) return abandonOne(ctx, queue, nonce, { unindexed });
  const answers = await fanOut(layout, (name, shard) =>
    abandonOne(ctx, name, nonceFor(shard, nonce), { unindexed }),
  );
  for (const { shard, error } of answers.failed)
    letRest(ctx, layout.names[shard] ?? queue, error, { nonce: nonceFor(shard, nonce), unindexed });
  return someOf(answers).reduce((sum, released) => sum + released, 0);
}

const nonceFor = (shard: number, nonce: string) => nonceIn(shard, nonce, idFrom);

/** Woken for a shard: that one first. Then by turns, so that each is the first one equally often. */
function orderOf(ctx: ShardedContext, layout: Layout): number[] {
  const turn = turns.get(layout) ?? Math.floor(Math.random() * layout.count);
  turns.set(layout, (turn + 1) % layout.count);
  const hints = ctx.shards.hints.get(layout.queue);
  const order = new Set(hints);
  hints?.clear();
  for (let i = 0; i < layout.count; i++) order.add((turn + i) % layout.count);
  return [...order];
}

/** Jobs know their queue, and by `lane` what else goes to the same place. */
function inQueue({ queue }: Layout, shard: number, result: ClaimResult): ClaimResult {
  const jobs = result.jobs.map((job): ClaimedJob => ({ ...job, queue, lane: `${queue}#${shard}` }));
  return { ...result, jobs };
}

function merged(results: readonly ClaimResult[], someUnasked: boolean): ClaimResult {
  const times = results.flatMap((result) => result.nextAt ?? []);
  return {
    jobs: results.flatMap((result) => result.jobs),
    paused: results.every((result) => result.paused),
    more: someUnasked || results.some((result) => result.more),
    nextAt: times.length > 0 ? Math.min(...times) : null,
    now: Math.max(...results.map((result) => result.now)),
  };
}
