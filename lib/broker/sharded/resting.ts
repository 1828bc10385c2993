/**
 * Shards that did not answer. They rest, so that a dead node does not cost every claim a timeout, and what their lost replies
 * may have claimed is given back before anything else is asked of them.
 */
import { RedriveError } from '@/lib/contract/errors';
import type { Rest, ShardedContext } from '../shards';
import { abandon } from '../verbs/abandon';

const FIRST_MS = 250;
const MAX_MS = 5_000;
/** More lost replies than this in a row: their leases run out by themselves. */
const NONCES_MAX = 16;

export const isResting = (ctx: ShardedContext, name: string): boolean =>
  (ctx.shards.resting.get(name)?.untilMs ?? 0) > performance.now();

/** A claim failed there. */
export function letRest(ctx: ShardedContext, name: string, error: unknown, nonce: string): void {
  const rest: Rest = ctx.shards.resting.get(name) ?? {
    failures: 0,
    untilMs: 0,
    error,
    lostNonces: new Set(),
  };
  rest.error = error;
  rest.failures += 1;
  rest.untilMs = performance.now() + Math.min(MAX_MS, FIRST_MS * 2 ** (rest.failures - 1));
  const lost = error instanceof RedriveError && error.code === 'UNKNOWN_OUTCOME';
  if (lost && rest.lostNonces.size < NONCES_MAX) rest.lostNonces.add(nonce);
  ctx.shards.resting.set(name, rest);
}

/** It answers again: first what it may have handed out to nobody goes back in line. */
export async function giveBack(ctx: ShardedContext, name: string): Promise<void> {
  const rest = ctx.shards.resting.get(name);
  if (!rest) return;
  for (const nonce of rest.lostNonces) {
    await abandon(ctx, name, nonce);
    rest.lostNonces.delete(nonce);
  }
}

export function awake(ctx: ShardedContext, name: string): void {
  ctx.shards.resting.delete(name);
}
