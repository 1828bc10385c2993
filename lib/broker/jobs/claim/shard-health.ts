/** Backs off shards that do not answer, so that a dead node does not cost every claim a timeout. Jobs of lost replies go back first. */
import type { LostClaim, ShardBackOff, ShardedContext } from '@/lib/broker/shards/sharded-context';
import { RedriveError } from '@/lib/contract/redrive-error';
import { abandonInShard } from './claim-from-shard';

const FIRST_MS = 250;
const MAX_MS = 5_000;
/** Beyond so many lost replies in a row, leases run out instead. */
const NONCES_MAX = 16;

/** False: use it. Whether a backed-off shard answers again is tried in the background. */
export function isBackedOff(ctx: ShardedContext, name: string): boolean {
  const state = ctx.shards.backedOff.get(name);
  if (!state) return false;
  if (!state.probing && performance.now() >= state.untilMs) {
    state.probing = true;
    void probe(ctx, name, state);
  }
  return true;
}

/** A call failed there. `claim`: jobs it took may have been handed out without a worker knowing. */
export function backOffShard(ctx: ShardedContext, name: string, error: unknown, claim?: LostClaim): void {
  const before = ctx.shards.backedOff.get(name);
  const state: ShardBackOff = before ?? { failures: 0, untilMs: 0, probing: false, lostClaims: new Map() };
  state.failures += 1;
  state.untilMs = performance.now() + Math.min(MAX_MS, FIRST_MS * 2 ** (state.failures - 1));
  const lost = error instanceof RedriveError && error.code === 'UNKNOWN_OUTCOME';
  if (claim && lost && state.lostClaims.size < NONCES_MAX)
    state.lostClaims.set(claim.only ?? claim.nonce, claim);
  ctx.shards.backedOff.set(name, state);
}

/** It answers: first the jobs of lost replies go back, then claims use it again. */
export async function markShardBack(ctx: ShardedContext, name: string): Promise<void> {
  const state = ctx.shards.backedOff.get(name);
  if (!state) return;
  for (const [key, claim] of state.lostClaims) {
    await abandonInShard(ctx, name, claim.nonce, claim);
    state.lostClaims.delete(key);
  }
  ctx.shards.backedOff.delete(name);
}

async function probe(ctx: ShardedContext, name: string, state: ShardBackOff): Promise<void> {
  try {
    await ctx.run('snapshot', name, []);
    await markShardBack(ctx, name);
  } catch (error) {
    backOffShard(ctx, name, error);
  } finally {
    state.probing = false;
  }
}
