/** Options of the methods that applications and workers use. */

import { z } from 'zod';
import { errorCodeSchema, jobIdSchema, nameSchema, workerIdSchema } from '../name-schemas';
import { RESEND_WINDOW_MIN_MS } from '../queues/queue-limits';
import { DAY_MS, MONTH_MS } from '../time-units';
import { claimTokenSchema } from './claim-requests';
import type { ErrorClass } from './error-classes';
import { CLAIM_MAX_JOBS, LEASE_DEFAULT_MS } from './job-limits';
import { errorClassSchema } from './job-state-schemas';

export const claimOptionsSchema = z.strictObject({
  worker: workerIdSchema,
  count: z.number().int().min(1).max(CLAIM_MAX_JOBS).default(1),
  leaseMs: z.number().int().min(100).max(DAY_MS).default(LEASE_DEFAULT_MS),
  /** Names this call, so that its jobs can be given back when the reply is lost (`abandon`). */
  nonce: z
    .string()
    .regex(/^[0-9A-Za-z]{8,32}$/)
    .optional(),
  /**
   * No index of the claimed jobs: cheaper for each claim, but `abandon` then reads all jobs in flight. For workers, which claim often and
   * lose few replies. Their `nonce` becomes part of the claim tokens, so each call needs a new one.
   */
  unindexed: z.boolean().default(false),
  /** A waiter of the caller named this queue. Of a sharded one, shards without a sign of jobs are then not asked. */
  woken: z.boolean().default(false),
});
export interface ClaimOptions {
  /** Id of the worker that claims. */
  worker: string;
  /** At most so many jobs, 1 to 500. Default 1. */
  count?: number | undefined;
  /** 100 ms to a day. Default 15,000. */
  leaseMs?: number | undefined;
  /** Names this call, so that its jobs can be given back when the reply is lost (`abandon`). 8 to 32 letters and digits. */
  nonce?: string | undefined;
  /** No index of the claimed jobs, for workers: see the schema. Default false. */
  unindexed?: boolean | undefined;
  /** A waiter of the caller named this queue. Default false. */
  woken?: boolean | undefined;
}
export type ParsedClaimOptions = z.output<typeof claimOptionsSchema>;

/** Shorter than any queue remembers ids, so that the queue recognises a job sent again. */
export const RESEND_FOR_MAX_MS = RESEND_WINDOW_MIN_MS - 5_000;
/** Sending jobs again when no answer came. */
export const resendOptionsSchema = z.strictObject({
  forMs: z
    .number()
    .int()
    .min(0)
    .max(
      RESEND_FOR_MAX_MS,
      `must be at most ${RESEND_FOR_MAX_MS} ms: a queue may forget ids (resendWindowMs) after a minute`,
    )
    .default(30_000),
  maxBytes: z
    .number()
    .int()
    .min(0)
    .default(64 * 1024 * 1024),
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'must be an AbortSignal').optional(),
});
export interface ResendOptions {
  /** For how long, from the first try on; 0: one try. Up to 55,000, default 30,000. */
  forMs?: number | undefined;
  /** Of jobs that wait for Redis in this process; further jobs are not sent again. Default 64 MiB. */
  maxBytes?: number | undefined;
  /** No other try once it is aborted. */
  signal?: AbortSignal | undefined;
}
export type ParsedResendOptions = z.output<typeof resendOptionsSchema>;

/** A claim as ack, fail, extend and release name it. */
export const claimRefSchema = z.object({ jobId: jobIdSchema, token: claimTokenSchema });
export interface ClaimRef {
  readonly jobId: string;
  /** Of the claim: it fences every later word about it. */
  readonly token: string;
}

export const releaseDelaySchema = z.number().int().min(0).max(DAY_MS);

export const failureSchema = z.object({
  errorClass: errorClassSchema,
  errorCode: errorCodeSchema,
  message: z.string(),
  stack: z.string().optional(),
  retryInMs: z.number().int().min(0).max(MONTH_MS).optional(),
  again: z.boolean().optional(),
});
export interface Failure {
  errorClass: ErrorClass;
  /** Such as `HTTP_503`: it tells failure groups apart. */
  errorCode: string;
  message: string;
  stack?: string | undefined;
  /** Backoff before the next attempt. Left out: the queue's retry rule decides. */
  retryInMs?: number | undefined;
  /** The decision of the caller's own retry rule: try again (after `retryInMs`), or never. Left out: the queue's rule decides. */
  again?: boolean | undefined;
}

const tlsFilesSchema = z.strictObject({
  caFile: z.string().optional(),
  certFile: z.string().optional(),
  keyFile: z.string().optional(),
  servername: z.string().optional(),
});

/** The options of a broker and of a client; `BrokerOptions` of the broker says what each is. */
export const brokerOptionsSchema = z
  .strictObject({
    url: z.string().optional(),
    urlFile: z.string().min(1).optional(),
    credentials: z
      .custom(
        (value) => typeof value === 'function' || (typeof value === 'object' && value !== null),
        'must be { username, password }, or a function that returns that',
      )
      .optional(),
    redis: z.custom((value) => typeof value === 'object', 'must be an ioredis connection').optional(),
    tls: tlsFilesSchema.optional(),
    prefix: nameSchema.default('rd'),
    connectionName: nameSchema.optional(),
    allowEviction: z.boolean().default(false),
    clock: z.custom((value) => typeof value === 'function', 'must be a function').optional(),
  })
  .refine(({ url, urlFile, redis }) => [url, urlFile, redis].filter(Boolean).length === 1, {
    path: ['url'],
    message:
      'give either url (such as redis://127.0.0.1:6379), urlFile (a file that holds it) or redis (an ioredis connection)',
  })
  .refine(({ credentials, redis }) => !(credentials && redis), {
    path: ['credentials'],
    message: 'goes with url or urlFile: an ioredis connection has options for them',
  });
