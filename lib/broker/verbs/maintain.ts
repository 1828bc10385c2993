import type { BrokerContext } from '../context';
import { numbers } from '../reply';
import { reclaim } from './reclaim';

/**
 * Of some hundred entries each. So a tick a second takes away more than one worker can add: keys and tenants that come once and
 * never again do not pile up, however many there are.
 */
const ROUNDS_MAX = 25;

export interface MaintainResult {
  promoted: number;
  reclaimed: number;
  /** Trashed jobs whose grace ended. */
  expired: number;
  nextAt: number | null;
}

/** A damaged queue is mended in steps; the next tick goes on. */
const MEND_ROUNDS = 10;

/**
 * The tick every worker and console runs for its queues: promotes what is due, reclaims what ran out, ends pauses, empties
 * the trash, and puts back what was damaged from outside. Races between tickers are harmless, so no leader is needed.
 */
export async function maintain(ctx: BrokerContext, queue: string): Promise<MaintainResult> {
  const { returned, died } = await reclaim(ctx, queue, 1_000);
  const result: MaintainResult = { promoted: 0, reclaimed: returned + died, expired: 0, nextAt: null };
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) {
    const [promoted = 0, expired = 0, more = 0, nextAt = 0] = numbers(
      await ctx.run('maintain', queue, []),
      'maintain',
    );
    result.promoted += promoted;
    result.expired += expired;
    result.nextAt = nextAt || null;
    if (more === 0) break;
  }
  for (let rounds = 0; rounds < MEND_ROUNDS; rounds++) {
    const [, unfinished = 0] = numbers(await ctx.run('mend', queue, []), 'mend');
    if (unfinished === 0) break;
  }
  return result;
}
