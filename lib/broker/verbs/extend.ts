import type { ClaimRef } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { outcomes } from '../reply';
import { batches } from './batch';

export type ExtendOutcome = 'extended' | 'stale';

/** A heartbeat: each lease still held now ends `leaseMs` from now. A lost one stays lost. */
export function extend(
  ctx: BrokerContext,
  queue: string,
  items: readonly ClaimRef[],
  leaseMs: number,
): Promise<ExtendOutcome[]> {
  return batches(items, 500, async (part) =>
    outcomes(
      await ctx.run('extend', queue, [leaseMs, ...part.flatMap((item) => [item.jobId, item.token])]),
      'extend',
      { 1: 'extended', 0: 'stale' } as const,
    ),
  );
}
