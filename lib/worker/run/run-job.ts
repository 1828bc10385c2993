/** One run of one job: find the handler, check the payload, run it under a timeout, say how it ended. Never throws. */
import type { Failure } from '@/lib/broker';
import type { Logger, WorkerBroker } from '../worker-types';
import type { BreakerRegistry } from './breaker-registry';
import type { CallOutcome } from './circuit-breaker';
import { createOnce, type Once } from './create-once';
import { decideRetry, type RetryDeps } from './decide-retry';
import type { HandlerContext, Prepared, Registry } from './handler';
import { classify, OnceInProgressError } from './job-errors';
import type { RunningJob } from './running-job';

export interface RunDeps extends RetryDeps {
  readonly broker: Pick<WorkerBroker, 'retryRules' | 'once'>;
  readonly registry: Registry;
  readonly breakers: BreakerRegistry;
  readonly defaultTimeoutMs: number;
  loggerOf(job: RunningJob): Logger;
}

export type RunEnd =
  | { kind: 'done'; result: string | undefined }
  | { kind: 'failed'; failure: Failure }
  /** Not run, or not to its end, through no fault of the job: the attempt is given back. `delayMs`: not to be claimed sooner. */
  | { kind: 'release'; delayMs?: number }
  /** The lease is gone: nothing may be reported. */
  | { kind: 'lost' };

type HandlerEnd = { value: unknown } | { thrown: unknown } | 'given-up';

/**
 * A handler that ignores its signal still runs when its job is given back for a shutdown. The process is about to exit: this is
 * how long it may take before another worker may start the job, or it would run twice at once.
 */
export const ABANDONED_HANDLER_MS = 5_000;
const leftBehind: RunEnd = { kind: 'release', delayMs: ABANDONED_HANDLER_MS };
/** Jobs given back together should not all come back together. */
const RELEASE_JITTER = 0.5;
/** A release may not be put off for longer. */
const DAY_MS = 24 * 3_600_000;
/** Node takes a timer beyond this for one of a millisecond. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Resolves when the handler has ended, or its grace after an abort is over. Whatever an aborted handler returns or throws
 * is ignored: one that obeys its signal may well return something half done.
 */
export async function runJob(job: RunningJob, deps: RunDeps): Promise<RunEnd> {
  try {
    const { claimed } = job;
    const prepared = deps.registry(claimed);
    const breaker = deps.breakers.find(claimed.envelope.jobType);
    if (!breaker) return (await run(job, prepared, deps)).end;
    const admission = breaker.admit();
    if ('waitMs' in admission) return releaseFor(admission.waitMs, deps);
    let outcome: CallOutcome = 'neutral';
    let retryAfterMs = 0;
    try {
      const ran = await run(job, prepared, deps);
      outcome = callOutcome(ran.end);
      retryAfterMs = ran.retryAfterMs;
      return ran.end;
    } finally {
      breaker.settle(admission.ticket, outcome, retryAfterMs);
    }
  } catch (thrown) {
    // No handler, or a payload it refuses.
    return (await concluded(job, { thrown }, 0, deps)).end;
  } finally {
    job.close();
  }
}

interface Ran {
  readonly end: RunEnd;
  readonly retryAfterMs: number;
}

async function run(job: RunningJob, prepared: Prepared, deps: RunDeps): Promise<Ran> {
  const { claimed } = job;
  const wantedMs = claimed.envelope.timeoutMs || prepared.timeoutMs || deps.defaultTimeoutMs;
  const timeoutMs = wantedMs > 0 ? Math.min(TIMER_MAX_MS, wantedMs) : deps.defaultTimeoutMs;
  const timeout = setTimeout(() => job.abort('timeout'), timeoutMs);
  try {
    const end = await endOf(prepared, new RunContext(job, deps), job);
    // What fires from here on is not about the handler.
    clearTimeout(timeout);
    return await concluded(job, end, timeoutMs, deps);
  } finally {
    clearTimeout(timeout);
  }
}

/** The first of two: the handler's end, or the worker stops waiting for it. */
function endOf(prepared: Prepared, ctx: HandlerContext, job: RunningJob): Promise<HandlerEnd> {
  return new Promise((resolve) => {
    job.whenGivenUp(() => resolve('given-up'));
    const failed = (thrown: unknown) => resolve({ thrown });
    try {
      const value = prepared.run(ctx);
      if (value instanceof Promise) value.then((result: unknown) => resolve({ value: result }), failed);
      else Promise.resolve(value).then((result: unknown) => resolve({ value: result }), failed);
    } catch (thrown) {
      failed(thrown);
    }
  });
}

/** Created on first use: most handlers need neither logger nor `once`. */
class RunContext implements HandlerContext {
  readonly job: HandlerContext['job'];
  readonly attempt: number;
  readonly delivery: number;
  readonly #job: RunningJob;
  readonly #deps: RunDeps;
  #logger: Logger | undefined;
  #once: Once | undefined;
  constructor(job: RunningJob, deps: RunDeps) {
    this.#job = job;
    this.#deps = deps;
    this.job = job.claimed.envelope;
    this.attempt = job.claimed.attempt;
    this.delivery = job.claimed.delivery;
  }
  get signal(): AbortSignal {
    return this.#job.signal;
  }
  get logger(): Logger {
    this.#logger ??= this.#deps.loggerOf(this.#job);
    return this.#logger;
  }
  get once(): Once {
    const { broker } = this.#deps;
    this.#once ??= createOnce(broker, { scope: this.job.jobType, signal: this.signal, logger: this.logger });
    return this.#once;
  }
}

async function concluded(job: RunningJob, end: HandlerEnd, timeoutMs: number, deps: RunDeps): Promise<Ran> {
  const ended = (end: RunEnd): Ran => ({ end, retryAfterMs: 0 });
  switch (job.abortedBecause) {
    case 'lease-lost':
      return ended({ kind: 'lost' });
    case 'shutdown':
      return ended(end === 'given-up' ? leftBehind : { kind: 'release' });
    case 'timeout': {
      const still = end === 'given-up' ? ' It ignored the signal and was left behind.' : '';
      const message = `The handler of ${job.claimed.envelope.jobType} did not finish within ${timeoutMs} ms.${still}`;
      return ended(
        await failed(job, { errorClass: 'retryable', errorCode: 'HANDLER_TIMEOUT', message }, 0, deps),
      );
    }
    case null:
      break;
  }
  // Given up without an abort happens only in a hurried shutdown.
  if (end === 'given-up') return ended(leftBehind);
  if ('value' in end) return ended({ kind: 'done', result: resultText(end.value, job, deps) });
  // Nothing was tried, so no attempt is burnt: it waits for the run that has the work.
  if (end.thrown instanceof OnceInProgressError) return ended(releaseFor(end.thrown.retryAfterMs, deps));
  const classified = classify(end.thrown);
  if (classified === 'success') return ended({ kind: 'done', result: undefined });
  const { failure, retryAfterMs } = classified;
  return { end: await failed(job, failure, retryAfterMs, deps), retryAfterMs };
}

async function failed(
  job: RunningJob,
  failure: Failure,
  retryAfterMs: number,
  deps: RunDeps,
): Promise<RunEnd> {
  return { kind: 'failed', failure: await decideRetry(failure, retryAfterMs, job.claimed, deps) };
}

function releaseFor(waitMs: number, { random }: RunDeps): RunEnd {
  return { kind: 'release', delayMs: Math.min(DAY_MS, Math.ceil(waitMs * (1 + RELEASE_JITTER * random()))) };
}

/** What a run says about the health of what it called. An answer is an answer, even one the handler calls permanent. */
function callOutcome(end: RunEnd): CallOutcome {
  if (end.kind === 'done') return 'success';
  if (end.kind !== 'failed') return 'neutral';
  switch (end.failure.errorClass) {
    case 'retryable':
    case 'rate-limited':
      return 'failure';
    case 'permanent':
      return 'success';
    default:
      return 'neutral';
  }
}

/** A result that is no JSON is no reason to run the job again. */
function resultText(value: unknown, job: RunningJob, deps: RunDeps): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Not its message, which may quote the result.
    const errorType = error instanceof Error ? error.name : typeof error;
    deps.loggerOf(job).warn({ jobId: job.ref.jobId, errorType }, 'the result is not JSON and was dropped');
    return undefined;
  }
}
