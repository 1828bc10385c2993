import type { ClaimRef } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { outcomes } from '../reply';
import { batches } from './batch';

export type AckOutcome = 'completed' | 'already' | 'stale';
const OUTCOMES: Readonly<Record<number, AckOutcome>> = { 1: 'completed', 2: 'already', 0: 'stale' };
export const RESULT_MAX_CHARS = 4_000;
export interface AckItem extends ClaimRef {
  /** Kept with the capped history of completed jobs; longer results are cut. */
  readonly result?: string;
}

/**
 * Completes claimed jobs. `already`: this very claim completed it before (a resend). `stale`: the claim is no longer held,
 * and nothing was changed.
 */
export function ack(ctx: BrokerContext, queue: string, items: readonly AckItem[]): Promise<AckOutcome[]> {
  return batches(items, 200, async (part) =>
    outcomes(
      await ctx.run(
        'ack',
        queue,
        part.flatMap((item) => [item.jobId, item.token, (item.result ?? '').slice(0, RESULT_MAX_CHARS)]),
      ),
      'ack',
      OUTCOMES,
    ),
  );
}
