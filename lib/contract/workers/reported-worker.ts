/** Workers as they report themselves, written to be read: reported-worker.test.ts holds them and the schemas together. Times are in ms since 1970. */
import type { MissingHandler } from './handler-table';
import type { BREAKER_STATES, WORKER_STATUSES } from './worker-limits';
import type { PendingRequest } from './worker-requests';

export interface Worker {
  workerId: string;
  status: (typeof WORKER_STATUSES)[number];
  host: string;
  pid: number;
  /** Its release. */
  version: string;
  startedAt: number;
  lastSeenAt: number;
  /** Queue → weight. */
  queues: Record<string, number>;
  concurrency: number;
  leaseMs: number;
  /** Its claimed jobs. */
  jobs: { queue: string; jobId: string; jobType: string; startedAt: number; leaseUntil: number }[];
  completed: number;
  failed: number;
  /** Circuit breakers that are not closed, or were not lately. `retryAt`: when a trial may run; null: closed. */
  breakers: {
    jobType: string;
    state: (typeof BREAKER_STATES)[number];
    failures: number;
    retryAt: number | null;
  }[];
  /** The job types it runs. Empty: unknown. */
  handlers: { type: string; versions: number[] }[];
  /** Jobs of the last hour that it failed because no worker knew their type or version. */
  unknownJobs: {
    queue: string;
    jobType: string;
    jobVersion: number;
    missing: MissingHandler;
    runs: number;
    lastAt: number;
  }[];
  /** Names the stored payload schemas of its handlers; empty: it reported none. */
  schemasDigest: string;
  memoryBytes: number;
  eventLoopDelayMs: number;
  /** For those that ended: how (signal or exit code) and how many jobs went back. */
  end: { at: number; cause: string; reclaimed: number } | null;
  /** The requests that it knows, such as `quiet`. Empty: its version knows none. */
  actions: string[];
  /** The last request to it; null: none, or it has ended. */
  request: PendingRequest | null;
  /** It also serves queues that the viewer may not see as a whole: its totals are left out (0, empty). */
  partial?: true | undefined;
}

/** A job that an ended worker held. */
export interface HeldJob {
  queue: string;
  jobId: string;
}

export interface WorkersPage {
  at: number;
  workers: Worker[];
}
