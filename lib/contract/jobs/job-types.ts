/** Jobs as producers and readers see them, written to be read: the schemas check the same shapes, which job-types.test.ts holds together. Times are in ms since 1970. */
import type { ErrorClass } from './error-classes';
import type { HISTORY_KINDS } from './job-actions';
import type { JobState } from './job-states';

/** At most one such job at a time: another with the same key is not entered (`not-unique`). */
export interface Unique {
  /** At most 200 characters. */
  key: string;
  /** Until the job is `claimed`, until it is `done` (completed, dead or deleted; default), or for the whole `ttlMs` (`window`). */
  scope: 'claimed' | 'done' | 'window';
  /** Bounds all three, so that no key is taken for ever. 1 s to a year; default a day. */
  ttlMs: number;
}

/** Everything a producer may say of a job. */
export interface EnqueueInput {
  /** Which handler runs it, such as `email.send`. */
  jobType: string;
  /** Text or bytes, at most 64 KiB, which come back as they are. Default empty. */
  payload?: string | Uint8Array | undefined;
  /** The address of a larger payload, instead of `payload`. */
  payloadRef?: string | undefined;
  /** A second job with this id is a `duplicate` with the same content, and else a `conflict`. Default: a new id in order of time. */
  jobId?: string | undefined;
  /** Of the payload's shape, 1 to 9,999. Default 1. */
  jobVersion?: number | undefined;
  /** Tenants can be limited and paused. Default `default`. */
  tenantId?: string | undefined;
  /** Not before this time; or give `delayMs`. */
  notBefore?: number | undefined;
  /** Not before so many ms from now, at most a year. */
  delayMs?: number | undefined;
  /** After this time the job is worthless: it is dead instead of running. */
  deadline?: number | undefined;
  /** 1 to 100. Default 8. */
  maxAttempts?: number | undefined;
  /** −1,000 to 1,000, higher first. Default 0. */
  priority?: number | undefined;
  /** False: refused first when a queue with a depth limit is nearly full. Default true. */
  critical?: boolean | undefined;
  unique?: (Pick<Unique, 'key'> & { [K in 'scope' | 'ttlMs']?: Unique[K] | undefined }) | undefined;
  /** The handler is aborted after so many ms, at most a day. Default 0: the worker's. */
  timeoutMs?: number | undefined;
  /** Your references: jobs are found by them, and a handler finds them in `job`. */
  idempotencyKey?: string | undefined;
  correlationId?: string | undefined;
  traceId?: string | undefined;
  /** W3C trace context of the producer, so that spans of the handler link to it. */
  traceParent?: string | undefined;
}

/**
 * `duplicate`: that id exists with the same content, or a job of that id left the queue within its `resendWindowMs`; nothing to do.
 * `conflict`: the id exists with another content. `too-late`: the id says that it was sent first before all that is remembered.
 * `not-unique`: its uniqueness key is taken by the job named in `ownerId`. `queue-full`, `shed`, `draining`: refused.
 */
export type EnqueueOutcome =
  | 'ready'
  | 'scheduled'
  | 'duplicate'
  | 'conflict'
  | 'not-unique'
  | 'queue-full'
  | 'shed'
  | 'draining'
  | 'too-late';
export interface EnqueueResult {
  jobId: string;
  outcome: EnqueueOutcome;
  /** With `not-unique`: who has the key. */
  ownerId?: string | undefined;
}

/** What the producer said, as it is read back. Null: not given. */
export interface Envelope {
  version: number;
  jobId: string;
  jobType: string;
  jobVersion: number;
  tenantId: string;
  idempotencyKey: string | null;
  createdAt: number;
  notBefore: number | null;
  deadline: number | null;
  maxAttempts: number;
  priority: number;
  unique: Pick<Unique, 'key' | 'scope'> | null;
  traceId: string | null;
  traceParent: string | null;
  correlationId: string | null;
  payloadRef: string | null;
  timeoutMs: number;
}

/** One thing that happened to a job. */
export interface HistoryEntry {
  at: number;
  kind: (typeof HISTORY_KINDS)[number];
  /** Counts claims, so it says which run this belongs to. */
  delivery: number;
  worker: string | null;
  errorClass: ErrorClass | null;
  errorCode: string | null;
  message: string | null;
  stack: string | null;
  actor: string | null;
  reason: string | null;
  /** When the run that ended here was claimed. */
  claimedAt: number | null;
}

export interface JobDetail {
  /** When it was read. */
  at: number;
  queue: string;
  state: JobState;
  /** Ready and held: null; in-flight: end of the lease; scheduled, retry: when due; else: when entered. */
  stateAt: number | null;
  envelope: Envelope;
  payload: string;
  payloadBytes: number;
  /** False when the bytes are not UTF-8 text; `payload` then shows them as base64. */
  payloadIsText: boolean;
  /** How many values of payload and result are hidden by the queue's rules. */
  hidden: number;
  attempt: number;
  deliveries: number;
  leaseLosses: number;
  redrives: number;
  claim: { worker: string; claimedAt: number; leaseUntil: number } | null;
  result: { worker: string; claimedAt: number; completedAt: number; result: string | null } | null;
  history: HistoryEntry[];
  /** The failure group of its last death; null: it did not die, or runs again. */
  group: string | null;
  /** The operation that moved it to its state, or put it back; null: none. */
  operation: string | null;
  /** Ready jobs before it. Null: it is not ready, its queue has shards, or the viewer sees a part of the queue only. */
  ahead: number | null;
}
