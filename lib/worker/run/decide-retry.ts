/** Applies a queue's retry rule to a run that failed. The rule itself is in lib/contract/jobs/retry-policy.ts. */
import type { Failure } from '@/lib/broker/application';
import {
  effectiveRetryRule,
  NO_RETRY_RULES,
  type RetryPolicy,
  retryDecision,
} from '@/lib/contract/jobs/retry-policy';
import { withCallDeadline } from '../worker-deadline';
import type { ClaimedJob, WorkerBroker } from '../worker-types';

/** Only the first failure in a queue waits for an answer at all; later ones go by what is known. */
const DEADLINE_MS = 1_000;

export interface RetryDeps {
  readonly broker: Pick<WorkerBroker, 'retryRules'>;
  /** What this worker was started with, for queues and types that set no policy. */
  readonly retry: RetryPolicy;
  readonly random: () => number;
}

/** The failure with the decision in it: whether there will be another attempt, and when. */
export async function decideRetry(
  failure: Omit<Failure, 'retryInMs' | 'again'>,
  retryAfterMs: number,
  { queue, jobType, attempt, leaseLosses }: ClaimedJob,
  { broker, retry, random }: RetryDeps,
): Promise<Failure> {
  const rules = await withCallDeadline(
    broker.retryRules(queue),
    DEADLINE_MS,
    `the retry rules of ${queue}`,
  ).catch(() => null);
  const terms = effectiveRetryRule(rules ?? NO_RETRY_RULES, jobType, retry);
  const run = { errorClass: failure.errorClass, attempt, leaseLosses, retryAfterMs };
  // Rules that could not be read may say otherwise: then the broker decides, and the failure is sent until it answers.
  if (!rules) {
    const any = { ...terms, allows: () => true };
    return { ...failure, retryInMs: retryDecision(run, any, random) ?? 0 };
  }
  const retryInMs = retryDecision(run, terms, random);
  return retryInMs === null ? { ...failure, again: false } : { ...failure, again: true, retryInMs };
}
