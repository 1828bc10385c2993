import { type AbortReason, type ClaimedJob, JobAborted } from '../worker-types';
import type { Breaker, Ticket } from './circuit-breaker';
import { emptyContext } from './empty-context';
import type { RunTrace } from './run-tracing';

const SAID: Readonly<Record<AbortReason, string>> = {
  timeout: 'The handler took longer than its timeout.',
  'lease-lost': 'The lease was lost: another worker may have the job now.',
  shutdown: 'The worker is shutting down.',
};

/** The jobs of one claim share it. */
export interface Lease {
  /** Redis's clock. */
  readonly claimedAt: number;
  /** The monotonic clock of this process, as the two below. */
  readonly takenAtMs: number;
  /** Counted from before the call that won it, so it never ends later than Redis thinks. */
  readonly leaseEndsAtMs: number;
}

/**
 * One claimed job from claim to end: its lease as this process knows it, and the way to stop its handler. Each job of a busy
 * worker makes one, so what few jobs need is made on first use. It stands for its claim in calls to the broker.
 */
export class RunningJob {
  readonly claimed: ClaimedJob;
  readonly jobId: string;
  readonly token: string;
  readonly lease: Lease;
  leaseEndsAtMs: number;
  /** When the run is aborted as timed out; Infinity: it has not begun, or has ended. */
  timeoutAtMs = Number.POSITIVE_INFINITY;
  timeoutMs = 0;
  /** Its run ended and the result is on its way to Redis: a lost lease no longer matters to the run. */
  ending = false;
  /** What the handler returned, as JSON. */
  result: string | undefined = undefined;
  /** Of a job type with a circuit breaker: the right to run. */
  admission: { readonly breaker: Breaker; readonly ticket: Ticket } | undefined = undefined;
  /** While a tracer is registered. */
  trace: RunTrace | undefined = undefined;
  /** Where all of the application's code of this run is called. */
  readonly scope = emptyContext();
  #abortedBecause: AbortReason | null = null;
  #controller: AbortController | undefined = undefined;
  readonly #graceMs: number;
  #graceTimer: NodeJS.Timeout | undefined = undefined;
  #onGivenUp: ((job: RunningJob) => void) | undefined = undefined;

  constructor(claimed: ClaimedJob, lease: Lease, graceMs: number) {
    this.claimed = claimed;
    this.jobId = claimed.jobId;
    this.token = claimed.token;
    this.lease = lease;
    this.leaseEndsAtMs = lease.leaseEndsAtMs;
    this.#graceMs = graceMs;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#abortedBecause) this.#fire(this.#abortedBecause);
    }
    return this.#controller.signal;
  }
  get queue(): string {
    return this.claimed.queue;
  }
  /** Jobs of one shard share a call: an unavailable shard must not delay the others. */
  get shardName(): string {
    return this.claimed.shardName ?? this.claimed.queue;
  }
  get abortedBecause(): AbortReason | null {
    return this.#abortedBecause;
  }
  get lost(): boolean {
    return this.#abortedBecause === 'lease-lost';
  }
  /** Redis's clock, for show. */
  get leaseUntil(): number {
    return this.claimed.leaseUntil + Math.round(this.leaseEndsAtMs - this.lease.leaseEndsAtMs);
  }
  /** Of the run's span when it is traced, else of the producer's, else what the producer called it. */
  get traceId(): string | null {
    const { traceParent, traceId } = this.claimed.envelope;
    return this.trace?.traceId ?? traceParent?.split('-')[1] ?? traceId;
  }

  /** Fires the signal. A lost lease overrules any other reason: such a job may never be reported. */
  abort(reason: AbortReason): void {
    if (this.ending) return;
    if (this.#abortedBecause === null) {
      this.#graceTimer = setTimeout(() => this.giveUp(), this.#graceMs);
      this.#fire(reason);
    } else if (reason !== 'lease-lost') return;
    this.#abortedBecause = reason;
  }

  #fire(reason: AbortReason): void {
    const controller = this.#controller;
    if (controller) this.scope.runInAsyncScope(() => controller.abort(new JobAborted(reason, SAID[reason])));
  }

  /** The run begins. `onGivenUp`: the worker stops waiting for the handler before it has ended. */
  begin(onGivenUp: (job: RunningJob) => void): void {
    this.#onGivenUp = onGivenUp;
  }
  /** Stop waiting for the handler now. */
  giveUp(): void {
    this.#onGivenUp?.(this);
  }
  /** The handler ended, or was given up: the first of the two counts, and is answered with true. */
  close(): boolean {
    const first = this.#onGivenUp !== undefined;
    this.#onGivenUp = undefined;
    this.timeoutAtMs = Number.POSITIVE_INFINITY;
    if (this.#graceTimer !== undefined) clearTimeout(this.#graceTimer);
    return first;
  }
}
