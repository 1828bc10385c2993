/** What a worker is given and what it gives back. */
import type { ApplicationBroker, ClaimedJob, ClaimResult } from '@/lib/broker/application';
import { brand } from '@/lib/contract/brand';
import type { ErrorClass } from '@/lib/contract/jobs/error-classes';
import type { WorkerAction } from '@/lib/contract/workers/worker-requests';
import type { BreakerState } from './run/circuit-breaker';

/** The part of a broker a worker uses; tests wrap it to inject faults. */
export type WorkerBroker = Pick<
  ApplicationBroker,
  | 'claim'
  | 'exchange'
  | 'claimBehindWait'
  | 'abandon'
  | 'ack'
  | 'fail'
  | 'extend'
  | 'release'
  | 'maintain'
  | 'maintainDue'
  | 'waiter'
  | 'workers'
  | 'dataset'
  | 'schedules'
  | 'addTimes'
  | 'retryRules'
  | 'once'
>;

/** The part of pino that is needed, so that any logger will do. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Where it is missing, all levels are written. */
  isLevelEnabled?(level: string): boolean;
}
export const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Time is an input. */
export interface Clock {
  wallMs(): number;
  /** Never set back: leases are measured with it. */
  monotonicMs(): number;
}
export const SYSTEM_CLOCK: Clock = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };

/** Why a handler's signal fired. */
export type AbortReason = 'timeout' | 'lease-lost' | 'shutdown';

/** What `ctx.signal.reason` is: why the handler has to stop. */
export class JobAborted extends Error {
  static {
    brand(JobAborted, 'JobAborted');
  }
  override readonly name = 'AbortError';
  readonly reason: AbortReason;
  constructor(reason: AbortReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

type JobRef = { queue: string; jobId: string };
export type WorkerEvent =
  | ({ type: 'claimed' } & Pick<ClaimedJob, 'queue' | 'jobId' | 'attempt' | 'delivery'>)
  | ({ type: 'completed' } & JobRef)
  | ({ type: 'failed'; outcome: 'retry' | 'dead'; errorClass: ErrorClass; errorCode: string } & JobRef)
  | ({ type: 'released' } & JobRef)
  /** The lease is gone while the handler ran: it was aborted and will never be acknowledged. */
  | ({ type: 'lease-lost' } & JobRef)
  /** Redis refused the end of a run because the claim is no longer held; nothing was changed. */
  | ({ type: 'stale' } & JobRef)
  /** The end of a run did not reach Redis while the lease held: the job will come back. */
  | ({ type: 'gave-up' } & JobRef)
  /** Nothing to do: blocked until woken, or for so long at most. */
  | { type: 'idle'; timeoutMs: number }
  | { type: 'woken'; queue: string | null }
  /** The circuit breaker of a job type changed: open, its jobs are given back unrun for a while. */
  | { type: 'breaker'; jobType: string; state: BreakerState }
  /** An operator asked for it, in the console or on the command line. */
  | { type: 'requested'; action: WorkerAction }
  | { type: 'trouble'; where: string; error: unknown };
export type OnEvent = (event: WorkerEvent) => void;
export const NO_LISTENER: OnEvent = () => undefined;

export type WorkerStatus = 'idle' | 'running' | 'quiet' | 'draining' | 'stopped';
export interface WorkerState {
  status: WorkerStatus;
  concurrency: number;
  leaseMs: number;
  inHand: readonly { queue: string; jobId: string; jobType: string }[];
  /** An operator asked for its end: the process is expected to exit with 0 once it has drained. */
  stopRequested: boolean;
  completed: number;
  failed: number;
  released: number;
}

export interface Worker {
  readonly workerId: string;
  start(): void;
  /** Claims no more; finishes what it has, and stays. */
  quiet(): void;
  /** Claims again after `quiet`. */
  resume(): void;
  /** Stops claiming at once and drains. Called again with `hurry`: gives everything back now. */
  stop(options?: { hurry?: boolean }): Promise<void>;
  /** Changes a running worker; jobs in hand are not disturbed. */
  adjust(change: { concurrency?: number; leaseMs?: number }): void;
  state(): WorkerState;
  /** Resolves when a stop is complete. */
  readonly drained: Promise<void>;
}

export type { ClaimedJob, ClaimResult };
