import { z } from 'zod';
import { parseOrThrow } from '@/lib/contract/errors';
import { errorClassSchema, isRetryable } from '@/lib/contract/failures';
import { errorCodeSchema } from '@/lib/contract/names';
import type { BrokerContext } from '../context';
import { errorNote } from '../note';
import { outcomes } from '../reply';
import { batches, type ClaimRef } from './batch';

export type FailOutcome = 'retry' | 'dead' | 'already' | 'stale';
const OUTCOMES: Readonly<Record<number, FailOutcome>> = { 1: 'retry', 2: 'dead', 3: 'already', 0: 'stale' };

const failureSchema = z.object({
  errorClass: errorClassSchema,
  errorCode: errorCodeSchema,
  message: z.string(),
  stack: z.string().optional(),
  /** Backoff before the next attempt, for retryable classes; decided by the worker's retry rule. */
  retryInMs: z.number().int().min(0).max(30 * 86_400_000).optional(),
});
export type Failure = z.input<typeof failureSchema>;
export interface FailItem extends ClaimRef {
  readonly failure: Failure;
}

/**
 * Ends runs that failed. A retryable failure waits `retryInMs` in `retry`, unless its attempts are used up or its deadline
 * would pass first; every other class is dead at once.
 */
export function fail(ctx: BrokerContext, queue: string, items: readonly FailItem[]): Promise<FailOutcome[]> {
  return batches(items, 50, async (part) => {
    const args = part.flatMap((item) => {
      const failure = parseOrThrow(failureSchema, item.failure, 'failure');
      const delay = isRetryable(failure.errorClass) ? (failure.retryInMs ?? 0) : -1;
      return [item.jobId, item.token, delay, failure.errorClass, failure.errorCode, errorNote(failure.message, failure.stack)];
    });
    return outcomes(await ctx.run('fail', queue, args), 'fail', OUTCOMES);
  });
}
