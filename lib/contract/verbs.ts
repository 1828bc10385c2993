/** Options of the broker's verbs, checked at its border. */
import { z } from 'zod';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from './api';
import { tokenSchema } from './claims';
import { errorClassSchema } from './failures';
import { errorCodeSchema, jobIdSchema, queueNameSchema, workerIdSchema } from './names';
import { operationSchema } from './operations';
import { jobStateSchema } from './states';

/** Longer than most jobs, short enough that a crash without a supervisor is mended within the quarter minute. */
export const LEASE_DEFAULT_MS = 15_000;
export const CLAIM_MAX_JOBS = 500;

export const claimOptionsSchema = z.strictObject({
  worker: workerIdSchema,
  count: z.number().int().min(1).max(CLAIM_MAX_JOBS).default(1),
  leaseMs: z
    .number()
    .int()
    .min(100)
    .max(24 * 3_600_000)
    .default(LEASE_DEFAULT_MS),
  /** Names this call, so that its jobs can be given back when the reply is lost (`abandon`). */
  nonce: z
    .string()
    .regex(/^[0-9A-Za-z]{8,32}$/)
    .optional(),
});
export type ClaimOptions = z.input<typeof claimOptionsSchema>;

/** A claim as ack, fail, extend and release name it. */
export const claimRefSchema = z.object({ jobId: jobIdSchema, token: tokenSchema });
export type ClaimRef = Readonly<z.infer<typeof claimRefSchema>>;

export const releaseDelaySchema = z
  .number()
  .int()
  .min(0)
  .max(24 * 3_600_000);

export const failureSchema = z.object({
  errorClass: errorClassSchema,
  errorCode: errorCodeSchema,
  message: z.string(),
  stack: z.string().optional(),
  /** Backoff before the next attempt. Left out: what the queue's retry rule says. */
  retryInMs: z
    .number()
    .int()
    .min(0)
    .max(30 * 86_400_000)
    .optional(),
  /** What the caller's own retry rule decided: try again (after `retryInMs`), or never. Left out: the queue's rule decides. */
  again: z.boolean().optional(),
});
export type Failure = z.input<typeof failureSchema>;

export const listOptionsSchema = z.strictObject({
  state: jobStateSchema,
  cursor: z.string().optional(),
  limit: z.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
});
export type ListOptions = z.input<typeof listOptionsSchema>;

/** Where a list goes on: inside cursors. */
export const positionSchema = z.object({
  score: z.string().regex(/^-?\d{1,17}(\.\d{1,17})?$/),
  jobId: jobIdSchema,
});
export type Position = z.infer<typeof positionSchema>;
export const deadPositionSchema = z.object({
  diedAt: z.number().int().min(0),
  queue: queueNameSchema,
  /** Of a sharded queue. */
  shard: z.number().int().min(0).max(63).default(0),
  jobId: jobIdSchema,
});
export type DeadPosition = z.infer<typeof deadPositionSchema>;

/** An operation as it is stored: what is shown, and what its runner needs. */
export const operationRecordSchema = operationSchema.extend({
  /** Queues the operation covers, fixed when it was confirmed. */
  queues: z.array(z.string()),
  since: z.number(),
  /** The ticked jobs, in the order they are worked off; null when the operation is by filter. */
  jobs: z.array(z.object({ queue: z.string(), jobId: z.string() })).nullable(),
});
export type OperationRecord = z.infer<typeof operationRecordSchema>;
