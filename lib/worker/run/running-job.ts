import type { ClaimRef } from '@/lib/broker';
import { type AbortReason, type ClaimedJob, JobAborted } from '../worker-types';

const SAID: Readonly<Record<AbortReason, string>> = {
  timeout: 'The handler took longer than its timeout.',
  'lease-lost': 'The lease was lost: another worker may have the job now.',
  shutdown: 'The worker is shutting down.',
};

export interface Lease {
  /** Redis's clock. */
  readonly claimedAt: number;
  /** The monotonic clock of this process. */
  readonly leaseEndsAtMs: number;
}

/** One claimed job from claim to end: its lease as this process knows it, and the way to stop its handler. */
export class RunningJob {
  readonly claimed: ClaimedJob;
  readonly ref: ClaimRef;
  /** By the monotonic clock. Counted from before the call that won it, so it never ends later than Redis thinks. */
  leaseEndsAtMs: number;
  /** Redis's clock, for show. */
  readonly claimedAt: number;
  leaseUntil: number;
  /** Its run ended and the result is on its way to Redis: heartbeats no longer matter. */
  ending = false;
  /** Of the run's span when it is traced, else of the producer's, else what the producer called it. */
  traceId: string | null;
  /** By the monotonic clock of this process: how long it has been in hand. */
  readonly takenAtMs = performance.now();
  #abortedBecause: AbortReason | null = null;
  /** Created on first use: most handlers never read the signal. */
  #controller: AbortController | undefined;
  readonly #graceMs: number;
  #graceTimer: NodeJS.Timeout | undefined;
  #givenUp = false;
  #onGivenUp: () => void = () => undefined;

  constructor(claimed: ClaimedJob, { claimedAt, leaseEndsAtMs }: Lease, graceMs: number) {
    this.claimed = claimed;
    this.ref = { jobId: claimed.jobId, token: claimed.token };
    this.claimedAt = claimedAt;
    this.leaseEndsAtMs = leaseEndsAtMs;
    this.leaseUntil = claimed.leaseUntil;
    const { traceParent, traceId } = claimed.envelope;
    this.traceId = traceParent?.split('-')[1] ?? traceId;
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
    this.#controller?.abort(new JobAborted(reason, SAID[reason]));
  }

  extend(leaseEndsAtMs: number): void {
    this.leaseUntil += Math.round(leaseEndsAtMs - this.leaseEndsAtMs);
    this.leaseEndsAtMs = leaseEndsAtMs;
  }

  /** Stop waiting for the handler now. */
  giveUp(): void {
    this.#givenUp = true;
    this.#onGivenUp();
  }
  /** Calls back when the worker stops waiting for the handler. */
  whenGivenUp(callback: () => void): void {
    if (this.#givenUp) callback();
    else this.#onGivenUp = callback;
  }

  /** The handler ended, or was given up. */
  close(): void {
    clearTimeout(this.#graceTimer);
  }
}
