/** One run of one job: find the handler, check the payload, run it under a timeout, say how it ended. Never throws. */
import type { Failure } from '@/lib/broker/application';
import { describeError } from '@/lib/contract/describe-error';
import type { MissingHandler } from '@/lib/contract/workers/handler-table';
import type { OtherReleases } from '../releases/other-releases';
import type { ClaimedJob, Clock, Logger, WorkerBroker } from '../worker-types';
import type { BreakerRegistry } from './breaker-registry';
import type { CallOutcome } from './circuit-breaker';
import { createOnce, type Once } from './create-once';
import { decideRetry, type RetryDeps } from './decide-retry';
import {
  type Handler,
  type HandlerContext,
  NoHandler,
  PayloadRefused,
  payloadText,
  type Registry,
  readPayload,
} from './handler';
import { classify, OnceInProgressError } from './job-errors';
import type { RunEnd } from './run-end';
import type { RunningJob } from './running-job';

export interface RunDeps extends RetryDeps {
  readonly broker: Pick<WorkerBroker, 'retryRules' | 'once'>;
  readonly registry: Registry;
  readonly otherReleases: OtherReleases;
  readonly breakers: BreakerRegistry;
  readonly defaultTimeoutMs: number;
  readonly clock: Clock;
  /** No worker knows the type or version of the job, which fails for it. */
  onUnknown(job: ClaimedJob, missing: MissingHandler): void;
  loggerOf(job: RunningJob): Logger;
  /** The job has got its timeout. */
  watch(job: RunningJob): void;
  /** Once a run: when the handler has ended, or its grace after an abort is over. */
  onEnd(job: RunningJob, end: RunEnd): void;
}

/**
 * A handler that ignores its signal still runs when its job is given back for a shutdown. The process is about to exit: this is
 * how long it may take before another worker may start the job, or it would run twice at once.
 */
export const ABANDONED_HANDLER_MS = 5_000;
const LEFT_BEHIND: RunEnd = { kind: 'release', delayMs: ABANDONED_HANDLER_MS };
const DONE: RunEnd = { kind: 'done' };
/** Jobs given back together should not all come back together. */
const RELEASE_JITTER = 0.5;
/** A release may not be put off for longer. */
const DAY_MS = 24 * 3_600_000;
/** Node takes a timer beyond this for one of a millisecond. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Starts runs. Whatever an aborted handler returns or throws is ignored: one that obeys its signal may well return something half done. */
export type RunJob = (job: RunningJob) => void;

export function createRunJob(deps: RunDeps): RunJob {
  function run(job: RunningJob) {
    job.begin(giveUp);
    let value: unknown;
    try {
      value = job.scope.runInAsyncScope(callHandler, undefined, job);
    } catch (thrown) {
      return threw(job, thrown);
    }
    if (value instanceof NotAdmitted) return end(job, releaseFor(value.waitMs));
    if (!(value instanceof Promise)) return returned(job, value);
    // Timers and promises made here are the worker's: they must not begin in the context of the run.
    deps.watch(job);
    value.then(
      (result: unknown) => returned(job, result),
      (thrown: unknown) => threw(job, thrown),
    );
  }

  /** The part of a run that is the application's. What comes back is no thenable but for promises. */
  function callHandler(job: RunningJob): unknown {
    const handler = deps.registry(job.claimed);
    const payload = handler.check(readPayload(job.claimed));
    job.timeoutMs = timeoutOf(job, handler);
    const waitMs = admit(job);
    if (waitMs > 0) return new NotAdmitted(waitMs);
    job.timeoutAtMs = deps.clock.monotonicMs() + job.timeoutMs;
    const ctx = new RunContext(job, deps);
    const value = job.trace ? job.trace.run(() => handler.run(payload, ctx)) : handler.run(payload, ctx);
    return value instanceof Promise || !isThenable(value) ? value : Promise.resolve(value);
  }

  /** The wait until its circuit breaker lets it run; 0: now. */
  function admit(job: RunningJob): number {
    const breaker = deps.breakers.find(job.claimed.jobType);
    if (!breaker) return 0;
    const admission = breaker.admit();
    if ('waitMs' in admission) return admission.waitMs;
    job.admission = { breaker, ticket: admission.ticket };
    return 0;
  }

  function timeoutOf(job: RunningJob, { timeoutMs }: Handler): number {
    const { claimed } = job;
    const ofHandler = typeof timeoutMs === 'function' ? timeoutMs(claimed.envelope) : timeoutMs;
    const wantedMs = claimed.timeoutMs || ofHandler || deps.defaultTimeoutMs;
    return wantedMs > 0 ? Math.min(TIMER_MAX_MS, wantedMs) : deps.defaultTimeoutMs;
  }

  function returned(job: RunningJob, value: unknown) {
    if (!job.close()) return;
    if (job.abortedBecause !== null) return endAborted(job, false);
    if (value !== undefined) job.result = job.scope.runInAsyncScope(resultText, undefined, value, job);
    end(job, DONE);
  }

  function threw(job: RunningJob, thrown: unknown) {
    if (!job.close()) return;
    if (job.abortedBecause !== null) return endAborted(job, false);
    // Nothing was tried, so no attempt is burnt: it waits for the run that has the work.
    if (thrown instanceof OnceInProgressError) return end(job, releaseFor(thrown.retryAfterMs));
    if (thrown instanceof NoHandler || thrown instanceof PayloadRefused)
      return void leaveToOthers(job, thrown);
    failed(job, thrown);
  }

  /** This worker cannot run the job. While one of another release may, it goes back unrun. */
  async function leaveToOthers(job: RunningJob, thrown: NoHandler | PayloadRefused): Promise<void> {
    const { claimed } = job;
    const givenBack = Math.max(0, claimed.delivery - claimed.attempt);
    const payload = thrown instanceof PayloadRefused ? payloadText(claimed) : null;
    const waitMs = await deps.otherReleases.waitFor(claimed, payload, givenBack);
    if (waitMs === null) {
      if (thrown instanceof NoHandler) deps.onUnknown(claimed, thrown.missing);
      failed(job, thrown);
    } else if (waitMs === 0) end(job, { kind: 'release' });
    else end(job, releaseFor(waitMs));
  }

  function failed(job: RunningJob, thrown: unknown): void {
    const classified = job.scope.runInAsyncScope(classify, undefined, thrown);
    if (classified === 'success') end(job, DONE);
    else fail(job, classified.failure, classified.retryAfterMs);
  }

  /** The first of two: the handler's end, or the worker stops waiting for it. */
  function giveUp(job: RunningJob) {
    if (!job.close()) return;
    // Given up without an abort happens only in a hurried shutdown.
    if (job.abortedBecause === null) return end(job, LEFT_BEHIND);
    endAborted(job, true);
  }

  function endAborted(job: RunningJob, stillRuns: boolean) {
    if (job.abortedBecause === 'lease-lost') return end(job, { kind: 'lost' });
    if (job.abortedBecause === 'shutdown') return end(job, stillRuns ? LEFT_BEHIND : { kind: 'release' });
    const still = stillRuns ? ' It ignored the signal and was left behind.' : '';
    const message = `The handler of ${job.claimed.jobType} did not finish within ${job.timeoutMs} ms.${still}`;
    fail(job, { errorClass: 'retryable', errorCode: 'HANDLER_TIMEOUT', message }, 0);
  }

  function fail(job: RunningJob, failure: Failure, retryAfterMs: number): void {
    void decideRetry(failure, retryAfterMs, job.claimed, deps).then((decided) =>
      end(job, { kind: 'failed', failure: decided }, retryAfterMs),
    );
  }

  function releaseFor(waitMs: number): RunEnd {
    const delayMs = Math.ceil(waitMs * (1 + RELEASE_JITTER * deps.random()));
    return { kind: 'release', delayMs: Math.min(DAY_MS, delayMs) };
  }

  function end(job: RunningJob, how: RunEnd, retryAfterMs = 0): void {
    job.close();
    job.admission?.breaker.settle(job.admission.ticket, callOutcome(how), retryAfterMs);
    if (job.trace) job.scope.runInAsyncScope(job.trace.end, job.trace, how);
    deps.onEnd(job, how);
  }

  /** A result that is no JSON is no reason to run the job again. */
  function resultText(value: unknown, job: RunningJob): string | undefined {
    try {
      return JSON.stringify(value);
    } catch (error) {
      // Not its message, which may quote the result.
      const errorType = describeError(error).name || typeof error;
      deps.loggerOf(job).warn({ jobId: job.jobId, errorType }, 'the result is not JSON and was dropped');
      return undefined;
    }
  }

  return run;
}

/** Its circuit breaker does not let the job run yet. */
class NotAdmitted {
  readonly waitMs: number;
  constructor(waitMs: number) {
    this.waitMs = waitMs;
  }
}

/** Also a function with a `then`, which `await` would wait for: some query builders are such. */
const isThenable = (value: unknown): boolean =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as { then?: unknown }).then === 'function';

/** Created on first use: most handlers need neither envelope nor logger nor `once`. */
class RunContext implements HandlerContext {
  readonly attempt: number;
  readonly delivery: number;
  readonly #job: RunningJob;
  readonly #deps: RunDeps;
  #logger: Logger | undefined = undefined;
  #once: Once | undefined = undefined;
  constructor(job: RunningJob, deps: RunDeps) {
    this.#job = job;
    this.#deps = deps;
    this.attempt = job.claimed.attempt;
    this.delivery = job.claimed.delivery;
  }
  get job(): HandlerContext['job'] {
    return this.#job.claimed.envelope;
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
    this.#once ??= createOnce(broker, {
      scope: this.#job.claimed.jobType,
      signal: this.signal,
      logger: this.logger,
    });
    return this.#once;
  }
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
