import type { ClaimRef } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { outcomes } from '../reply';
import { batches } from './batch';

export type AckOutcome = 'completed' | 'already' | 'stale';
export const ACK_OUTCOMES: Readonly<Record<number, AckOutcome>> = {
  1: 'completed',
  2: 'already',
  0: 'stale',
};
export const RESULT_MAX_CHARS = 4_000;
/** Per script call. */
export const ACK_MAX_JOBS = 200;
export interface AckItem extends ClaimRef {
  /** Kept with the capped history of completed jobs; longer results are cut. */
  readonly result?: string;
}

/**
 * Completes claimed jobs. `already`: this very claim completed it before (a resend). `stale`: the claim is no longer held,
 * and nothing was changed.
 */
export function ack(ctx: BrokerContext, queue: string, items: readonly AckItem[]): Promise<AckOutcome[]> {
  return batches(items, ACK_MAX_JOBS, async (part) =>
    outcomes(await ctx.run('ack', queue, ackArgs(part)), 'ack', ACK_OUTCOMES),
  );
}

/** What the script takes per job. */
export function ackArgs(items: readonly AckItem[]): string[] {
  const args: string[] = [];
  for (const { jobId, token, result = '' } of items)
    args.push(jobId, token, result.length > RESULT_MAX_CHARS ? result.slice(0, RESULT_MAX_CHARS) : result);
  return args;
}
