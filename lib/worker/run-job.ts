/** One run of one job: find the handler, check the payload, run it under a timeout, say how it ended. Never throws. */
import type { Failure } from '@/lib/broker';
import { type RetryPolicy, retryDelayMs } from '@/lib/contract/retry';
import { classify } from './errors';
import type { Registry } from './handler';
import type { JobInHand } from './job-in-hand';
import type { Logger } from './types';

export interface RunDeps {
  readonly registry: Registry;
  readonly retry: RetryPolicy;
  readonly defaultTimeoutMs: number;
  readonly random: () => number;
  readonly logger: Logger;
}

export type RunEnd =
  | { kind: 'done'; result: string | undefined }
  | { kind: 'failed'; failure: Failure }
  /** Aborted for a shutdown: the attempt is given back. */
  | { kind: 'release' }
  /** The lease is gone: nothing may be reported. */
  | { kind: 'lost' };

type HandlerEnd = { value: unknown } | { thrown: unknown } | 'given-up';

/**
 * Resolves when the handler has ended, or its grace after an abort is over. Whatever an aborted handler returns or throws
 * is ignored: one that obeys its signal may well return something half done.
 */
export async function runJob(job: JobInHand, deps: RunDeps): Promise<RunEnd> {
  let timeout: NodeJS.Timeout | undefined;
  let timeoutMs = deps.defaultTimeoutMs;
  try {
    const { claimed } = job;
    const prepared = deps.registry(claimed);
    timeoutMs = claimed.envelope.timeoutMs || prepared.timeoutMs || deps.defaultTimeoutMs;
    timeout = setTimeout(() => job.abort('timeout'), timeoutMs);
    const running: Promise<HandlerEnd> = (async () =>
      prepared.run({
        job: claimed.envelope,
        attempt: claimed.attempt,
        delivery: claimed.delivery,
        signal: job.signal,
        logger: deps.logger,
      }))().then(
      (value) => ({ value }),
      (thrown: unknown) => ({ thrown }),
    );
    const end = await Promise.race([running, job.gaveUp.then(() => 'given-up' as const)]);
    return conclude(job, end, timeoutMs, deps);
  } catch (thrown) {
    // No handler, or a payload it refuses.
    return conclude(job, { thrown }, timeoutMs, deps);
  } finally {
    clearTimeout(timeout);
    job.close();
  }
}

function conclude(job: JobInHand, end: HandlerEnd, timeoutMs: number, deps: RunDeps): RunEnd {
  switch (job.abortedBecause) {
    case 'lease-lost':
      return { kind: 'lost' };
    case 'shutdown':
      return { kind: 'release' };
    case 'timeout': {
      const still = end === 'given-up' ? ' It ignored the signal and was left behind.' : '';
      const message = `The handler of ${job.claimed.envelope.jobType} did not finish within ${timeoutMs} ms.${still}`;
      return failed(job, { errorClass: 'retryable', errorCode: 'HANDLER_TIMEOUT', message }, 0, deps);
    }
    case null:
      break;
  }
  // Given up without an abort happens only in a hurried shutdown.
  if (end === 'given-up') return { kind: 'release' };
  if ('value' in end) return { kind: 'done', result: resultText(end.value, job, deps.logger) };
  const classified = classify(end.thrown);
  if (classified === 'success') return { kind: 'done', result: undefined };
  return failed(job, classified.failure, classified.retryAfterMs, deps);
}

function failed(job: JobInHand, failure: Failure, retryAfterMs: number, deps: RunDeps): RunEnd {
  // A run lost with its worker says nothing about what the job calls, so it must not lengthen the wait.
  const failures = Math.max(1, job.claimed.attempt - job.claimed.leaseLosses);
  const retryInMs = retryDelayMs(failures, deps.retry, deps.random, retryAfterMs);
  return { kind: 'failed', failure: { ...failure, retryInMs } };
}

/** A result that is no JSON is no reason to run the job again. */
function resultText(value: unknown, job: JobInHand, logger: Logger): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Not its message, which may quote the result.
    const errorType = error instanceof Error ? error.name : typeof error;
    logger.warn({ jobId: job.ref.jobId, errorType }, 'the result is not JSON and was dropped');
    return undefined;
  }
}
