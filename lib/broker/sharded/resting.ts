/**
 * Shards that did not answer. They rest, so that a dead node does not cost every claim a timeout; whether they are back is
 * tried on the side. What their lost replies may have handed out is given back before anything else is asked of them.
 */
import { RedriveError } from '@/lib/contract/errors';
import type { Rest, ShardedContext } from '../shards';
import { abandon, type LostClaim } from '../verbs/abandon';

const FIRST_MS = 250;
const MAX_MS = 5_000;
/** More lost replies than this in a row: their leases run out by themselves. */
const NONCES_MAX = 16;

/** False: ask it. A look at whether it is back costs the caller no time. */
export function isResting(ctx: ShardedContext, name: string): boolean {
  const rest = ctx.shards.resting.get(name);
  if (!rest) return false;
  if (!rest.probing && performance.now() >= rest.untilMs) {
    rest.probing = true;
    void probe(ctx, name, rest);
  }
  return true;
}

/** A call failed there. `claim`: the jobs it took may have been handed out to nobody. */
export function letRest(ctx: ShardedContext, name: string, error: unknown, claim?: LostClaim): void {
  const found = ctx.shards.resting.get(name);
  const rest: Rest = found ?? { failures: 0, untilMs: 0, probing: false, lostClaims: new Map() };
  rest.failures += 1;
  rest.untilMs = performance.now() + Math.min(MAX_MS, FIRST_MS * 2 ** (rest.failures - 1));
  const lost = error instanceof RedriveError && error.code === 'UNKNOWN_OUTCOME';
  if (claim && lost && rest.lostClaims.size < NONCES_MAX)
    rest.lostClaims.set(claim.only ?? claim.nonce, claim);
  ctx.shards.resting.set(name, rest);
}

/** It answers: first what its lost replies took goes back in line, then it is one of the others again. */
export async function wakeUp(ctx: ShardedContext, name: string): Promise<void> {
  const rest = ctx.shards.resting.get(name);
  if (!rest) return;
  for (const [key, claim] of rest.lostClaims) {
    await abandon(ctx, name, claim.nonce, claim);
    rest.lostClaims.delete(key);
  }
  ctx.shards.resting.delete(name);
}

async function probe(ctx: ShardedContext, name: string, rest: Rest): Promise<void> {
  try {
    await ctx.run('snapshot', name, []);
    await wakeUp(ctx, name);
  } catch (error) {
    letRest(ctx, name, error);
  } finally {
    rest.probing = false;
  }
}
