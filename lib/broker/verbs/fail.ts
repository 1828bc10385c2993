import { parseOrThrow } from '@/lib/contract/errors';
import { isRetryable } from '@/lib/contract/failures';
import { RETRY_DEFAULT, retryDelayMs } from '@/lib/contract/retry';
import { type ClaimRef, type Failure, failureSchema } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { errorNote } from '../note';
import { outcomes } from '../reply';
import { batches } from './batch';

export type FailOutcome = 'retry' | 'dead' | 'already' | 'stale';
const OUTCOMES: Readonly<Record<number, FailOutcome>> = { 1: 'retry', 2: 'dead', 3: 'already', 0: 'stale' };

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
      const delay = isRetryable(failure.errorClass) ? (failure.retryInMs ?? defaultDelayMs(item.token)) : -1;
      return [
        item.jobId,
        item.token,
        delay,
        failure.errorClass,
        failure.errorCode,
        errorNote(failure.message, failure.stack),
      ];
    });
    return outcomes(await ctx.run('fail', queue, args), 'fail', OUTCOMES);
  });
}

/** For callers with no rule of their own, such as workers over HTTP: the default one, by the delivery the token names. */
const defaultDelayMs = (token: string): number =>
  retryDelayMs(Number.parseInt(token, 10), RETRY_DEFAULT, Math.random);
