/** Ending and keeping claims: each token names its shard. */
import type { ClaimRef } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import type { ShardedContext } from '../shards';
import { type AckItem, type AckOutcome, ack as ackOne } from '../verbs/ack';
import { checkRefs } from '../verbs/batch';
import { type ExtendOutcome, extend as extendOne } from '../verbs/extend';
import { type FailItem, type FailOutcome, fail as failOne } from '../verbs/fail';
import { type ReleaseItem, type ReleaseOutcome, release as releaseOne } from '../verbs/release';
import { allOf, fanOut, grouped } from './fan-out';
import { shardOfToken } from './layout';

type Send<T, R> = (ctx: BrokerContext, name: string, items: readonly T[]) => Promise<R[]>;

/**
 * Sends each item to the shard its token names. All or an error: when a shard did not answer, what the others were told holds,
 * and the same call sent again is answered as if it were the first.
 */
async function route<T extends ClaimRef, R>(
  ctx: ShardedContext,
  queue: string,
  what: string,
  items: readonly T[],
  send: Send<T, R>,
): Promise<R[]> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  if (layout.count === 1) return send(ctx, queue, items);
  checkRefs(items);
  const parts = grouped(items, (item) => shardOfToken(layout, item.token));
  const shards = [...parts.keys()].sort((a, b) => a - b);
  const answers = await fanOut(layout, (name, shard) => send(ctx, name, parts.get(shard)?.items ?? []), {
    shards,
  });
  const outcomes: R[] = new Array(items.length);
  allOf(answers, layout, what).forEach((part, i) => {
    parts.get(shards[i] ?? 0)?.at.forEach((at, n) => {
      outcomes[at] = part[n] as R;
    });
  });
  return outcomes;
}

export const ack = (ctx: ShardedContext, queue: string, items: readonly AckItem[]): Promise<AckOutcome[]> =>
  route(ctx, queue, 'The ack', items, ackOne);

export const fail = (
  ctx: ShardedContext,
  queue: string,
  items: readonly FailItem[],
): Promise<FailOutcome[]> => route(ctx, queue, 'The failure', items, failOne);

export const extend = (
  ctx: ShardedContext,
  queue: string,
  items: readonly ClaimRef[],
  leaseMs: number,
): Promise<ExtendOutcome[]> =>
  route(ctx, queue, 'The heartbeat', items, (one, name, part) => extendOne(one, name, part, leaseMs));

export const release = (
  ctx: ShardedContext,
  queue: string,
  items: readonly ReleaseItem[],
): Promise<ReleaseOutcome[]> => route(ctx, queue, 'The release', items, releaseOne);
