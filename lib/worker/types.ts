/** What a worker is given and what it gives back. */
import type { Broker, ClaimedJob, ClaimResult } from '@/lib/broker';
import type { ErrorClass } from '@/lib/contract/failures';
import type { RetryPolicy } from '@/lib/contract/retry';
import type { BreakerState } from './breaker';
import type { Priority } from './fair-shares';
import type { Handler } from './handler';

/** The part of a broker a worker uses; tests wrap it to inject faults. */
export type WorkerBroker = Pick<
  Broker,
  | 'claim'
  | 'exchange'
  | 'abandon'
  | 'ack'
  | 'fail'
  | 'extend'
  | 'release'
  | 'maintain'
  | 'waiter'
  | 'workers'
  | 'dataset'
  | 'schedules'
  | 'retryRules'
  | 'once'
>;

/** The part of pino that is needed, so that any logger will do. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
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

/** What `ctx.signal.reason` is: tells a handler why it has to stop. */
export class JobAborted extends Error {
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
  /** The end of a run could not be told to Redis while the lease held: the job will come back. */
  | ({ type: 'gave-up' } & JobRef)
  /** Nothing to do: blocked until woken, or for so long at most. */
  | { type: 'idle'; timeoutMs: number }
  | { type: 'woken'; queue: string | null }
  /** The circuit breaker of a job type changed: open, its jobs are given back unrun for a while. */
  | { type: 'breaker'; jobType: string; state: BreakerState }
  | { type: 'trouble'; where: string; error: unknown };
export type OnEvent = (event: WorkerEvent) => void;

export interface WorkerOptions {
  /** Queue → weight: the share of runs each gets while all are busy. None starves. */
  queues: Readonly<Record<string, number>>;
  /**
   * `weighted` (default): by weight. `strict`: in the order given, whatever the weights: a queue gets only the slots that none
   * above it can use, so it waits as long as one of these is busy.
   */
  priority?: Priority;
  concurrency: number;
  handlers: readonly Handler[];
  leaseMs?: number;
  /** Whether it enters the jobs of schedules that fall due, of all queues. Default true; some process has to. */
  schedules?: boolean;
  /** How long a stopping worker lets its jobs finish before it aborts them. Default 10 s. */
  drainMs?: number;
  /** How long an aborted handler may take to end before its slot is freed without it. Default 2 s. */
  abortGraceMs?: number;
  /** Unique to one process at a time: reclaim and the registry go by it. */
  workerId?: string;
  host?: string;
  version?: string;
  /** For queues and job types that set no policy of their own. */
  retry?: RetryPolicy;
  /** For jobs and handlers that name no timeout. Default 60 s. */
  defaultTimeoutMs?: number;
  /** Chance in [0, 1). */
  random?: () => number;
  clock?: Clock;
  /** Default: silent. `createLogger()` makes one; any other with these four methods will do. */
  logger?: Logger;
  /** A line for each change of a job's state. Default true; false: only what concerns the worker itself. */
  logJobs?: boolean;
  onEvent?: OnEvent;
}

export type WorkerStatus = 'idle' | 'running' | 'draining' | 'stopped';
export interface WorkerState {
  status: WorkerStatus;
  concurrency: number;
  leaseMs: number;
  inHand: readonly { queue: string; jobId: string; jobType: string }[];
  completed: number;
  failed: number;
  released: number;
}

export interface Worker {
  readonly workerId: string;
  start(): void;
  /** Stops claiming at once and drains. Called again with `hurry`: gives everything back now. */
  stop(options?: { hurry?: boolean }): Promise<void>;
  /** Changes a running worker; jobs in hand are not disturbed. */
  adjust(change: { concurrency?: number; leaseMs?: number }): void;
  state(): WorkerState;
  /** Resolves when a stop is complete. */
  readonly drained: Promise<void>;
}

export type { ClaimedJob, ClaimResult };
