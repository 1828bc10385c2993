import type { ClaimRef } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { outcomes } from '../reply';
import { batches } from './batch';

export type ReleaseOutcome = 'released' | 'already' | 'stale';

/** Gives jobs back unrun: to their old place in line, with their attempt given back. */
export function release(
  ctx: BrokerContext,
  queue: string,
  items: readonly ClaimRef[],
): Promise<ReleaseOutcome[]> {
  return batches(items, 100, async (part) =>
    outcomes(
      await ctx.run(
        'release',
        queue,
        part.flatMap((item) => [item.jobId, item.token]),
      ),
      'release',
      { 1: 'released', 2: 'already', 0: 'stale' } as const,
    ),
  );
}
