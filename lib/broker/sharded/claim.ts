/** Claiming from a sharded queue: its shards in turn, until the count is filled or all were asked. */
import { parseOrThrow } from '@/lib/contract/errors';
import { type ClaimOptions, claimOptionsSchema } from '@/lib/contract/verbs';
import { idFrom, randomId } from '../id';
import type { ShardedContext } from '../shards';
import { abandon as abandonOne } from '../verbs/abandon';
import type { AckItem, AckOutcome } from '../verbs/ack';
import { type ClaimResult, claim as claimOne } from '../verbs/claim';
import { exchange as exchangeOne, type ExchangeResult } from '../verbs/exchange';
import { allOf, fanOut, inLanes } from './fan-out';
import { type Layout, nonceIn, shardOfToken } from './layout';
import { awake, giveBack, isResting, letRest } from './resting';
import { ack } from './settle';

/** Shards asked at once when the first had too little: each for its share, so that no more is taken than was asked for. */
const AT_ONCE = 8;
const turns = new WeakMap<Layout, number>();

/** Takes up to `count` ready jobs under a lease. A lost reply: UNKNOWN_OUTCOME, then `abandon` with the same nonce. */
export async function claim(ctx: ShardedContext, queue: string, input: ClaimOptions): Promise<ClaimResult> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  if (layout.count === 1) return claimOne(ctx, queue, input);
  const options = { ...parseOrThrow(claimOptionsSchema, input, 'claim options'), nonce: nonceOf(input) };
  return claimFrom(ctx, layout, options, [], orderOf(ctx, layout));
}

/**
 * Completes jobs and claims new ones: in one script where both concern the same shard. The others' acks go out at the same
 * time, and a shard that does not take them answers for its part with an error, as the whole does.
 */
export async function exchange(
  ctx: ShardedContext,
  queue: string,
  acks: readonly AckItem[],
  input: ClaimOptions,
): Promise<ExchangeResult> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  if (layout.count === 1) return exchangeOne(ctx, queue, acks, input);
  const options = { ...parseOrThrow(claimOptionsSchema, input, 'claim options'), nonce: nonceOf(input) };
  const [first = 0, ...others] = orderOf(ctx, layout);
  const start = options.count > 0 && !isResting(ctx, layout.names[first] ?? queue) ? first : -1;
  const mine = acks.map((item, at) => ({ item, at, here: shardOfToken(layout, item.token) === start }));
  const here = mine.filter((one) => one.here);
  const elsewhere = mine.filter((one) => !one.here);
  const acked: AckOutcome[] = new Array(acks.length);
  const place = (part: typeof mine, outcomes: readonly AckOutcome[]) => {
    part.forEach(({ at }, i) => {
      acked[at] = outcomes[i] ?? 'stale';
    });
  };
  const away = ack(
    ctx,
    queue,
    elsewhere.map(({ item }) => item),
  ).then((outcomes) => place(elsewhere, outcomes));
  // Awaited below in any case; its failure must not go unnoticed while the other call runs.
  away.catch(() => undefined);
  const claimed = await claimFrom(ctx, layout, options, [first, ...others], undefined, {
    shard: start,
    items: here.map(({ item }) => item),
    taken: (outcomes) => place(here, outcomes),
  });
  await away;
  return { acked, claimed };
}
