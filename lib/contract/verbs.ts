/** Options of the broker's verbs, checked at its border. */
import { z } from 'zod';
import { wayInSchema } from './access';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from './api';
import { tokenSchema } from './claims';
import { RESEND_WINDOW_MIN_MS } from './config';
import { errorClassSchema } from './failures';
import { errorCodeSchema, jobIdSchema, nameSchema, queueNameSchema, workerIdSchema } from './names';
import { boundPreviewRequestSchema, operationSchema, previewSchema } from './operations';
import { withinSchema } from './permissions';
import { queryTextSchema } from './query/filter';
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
  /**
   * Do not write down which jobs the call takes: cheaper for each claim, but `abandon` then walks all jobs in flight. For workers, who
   * claim much and lose few replies. Their `nonce` becomes part of the claim tokens, so each call needs a new one.
   */
  unindexed: z.boolean().default(false),
});
export type ClaimOptions = z.input<typeof claimOptionsSchema>;

/** Below the shortest time for which any queue remembers ids: what is sent again within it is found. */
export const RESEND_FOR_MAX_MS = RESEND_WINDOW_MIN_MS - 5_000;
/** Sending jobs again when no answer came. */
export const resendOptionsSchema = z.strictObject({
  /** For how long, from the first try on; 0: one try. */
  forMs: z
    .number()
    .int()
    .min(0)
    .max(
      RESEND_FOR_MAX_MS,
      `must be at most ${RESEND_FOR_MAX_MS} ms: a queue may forget ids (resendWindowMs) after a minute`,
    )
    .default(30_000),
  /** So much may wait for Redis in this process. What comes on top is not sent again. */
  maxBytes: z
    .number()
    .int()
    .min(0)
    .default(64 * 1024 * 1024),
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'must be an AbortSignal').optional(),
});
export type ResendOptions = z.input<typeof resendOptionsSchema>;

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
  /** Only what matches; see docs/search.md. */
  q: queryTextSchema.default(''),
  /** Only jobs that lie within; left out: all. */
  within: withinSchema.readonly().optional(),
});
export type ListOptions = z.input<typeof listOptionsSchema>;

/** Where a list goes on: inside cursors. */
export const positionSchema = z.object({
  score: z.string().regex(/^-?\d{1,17}(\.\d{1,17})?$/),
  jobId: jobIdSchema,
});
export type Position = z.infer<typeof positionSchema>;
/** Where a search goes on: a place in the order of all its queues, and what came before. */
export const searchPositionSchema = z.object({
  score: positionSchema.shape.score,
  queue: queueNameSchema,
  shard: z.number().int().min(0).max(63),
  /** Empty: before all ids of that score. */
  jobId: jobIdSchema.or(z.literal('')),
  /** What ages count back from: that of the first page. */
  at: z.number().int(),
  found: z.number().int().min(0),
  scanned: z.number().int().min(0),
});
export type SearchPosition = z.infer<typeof searchPositionSchema>;
/** What a runner of an operation remembers from one step to the next; see lib/broker/bulk/decide.ts. */
export const operationControlSchema = z.object({
  /** How many may be moved just now, as of `at`, when `moved` had been. */
  bucket: z.object({ tokens: z.number(), at: z.number(), moved: z.number() }),
  /** Since when it waits for its canary to end. */
  canarySince: z.number().nullable(),
  /** The canary ended well, or a person decided to go on. */
  canaryPast: z.boolean(),
  /** What had ended by then, oldest first: the window of the automatic stop. */
  samples: z.array(z.object({ at: z.number(), completed: z.number(), diedAgain: z.number() })),
});
export type OperationControl = z.infer<typeof operationControlSchema>;

/** Who answers for an operation that a person or token started: its runners ask, as it goes on, whether they still may. */
export const operationRightsSchema = z.object({
  actor: z.string(),
  /** Stable id of the person or token. */
  actorId: z.string(),
  /** Of a token: whose it is. */
  ownerId: z.string().optional(),
  way: wayInSchema,
  via: z.string().optional(),
  address: z.string().optional(),
});
export type OperationRights = z.infer<typeof operationRightsSchema>;
/** An operation as it is stored: what is shown, and what its runners need. */
export const operationRecordSchema = operationSchema.extend({
  /** Where it works, one after the other; fixed when it was confirmed. */
  places: z.array(z.object({ queue: z.string(), shard: z.number(), name: z.string() })),
  /** What it walks in each place: one state, but for a recall. */
  states: z.array(jobStateSchema).min(1),
  /** Its jobs were fixed one by one, and are kept beside the record. */
  listed: z.boolean(),
  /** The preview it was confirmed from, and the request that did it: what makes two sendings one. */
  preview: z.string().nullable(),
  /** The patch without what it puts into hidden places, by the rules when it was confirmed. Null: there is no patch. */
  shownPatch: operationSchema.shape.patch.default(null),
  requestId: z.string().nullable(),
  /** Null: a library call. */
  rights: operationRightsSchema.nullable().default(null),
  /** Who works on it, and until when nobody else does. */
  runner: z.object({ id: z.string(), until: z.number() }).nullable(),
  control: operationControlSchema,
  /** Goes up when a person changes what `control` means: a runner then forgets its own. */
  epoch: z.number(),
  /** Somebody cancelled it; it is over once every place knows. */
  stopping: z.object({ by: z.string(), at: z.number() }).nullable(),
});
export type OperationRecord = z.infer<typeof operationRecordSchema>;

/** A job fixed one by one: it is moved only while its stamp is still this one. */
export const listedJobSchema = z.object({
  /** The physical name of its shard. */
  place: z.string(),
  jobId: jobIdSchema,
  /** Empty: it was not in that state when it was looked at. */
  stamp: z.string(),
  score: z.number(),
  class: z.string().nullable(),
});
export type ListedJob = z.infer<typeof listedJobSchema>;
export const listedJobsSchema = z.array(listedJobSchema);

/** A preview as it is kept under its token: what the confirmation is held to. */
export const keptPreviewSchema = z.object({
  request: boundPreviewRequestSchema,
  ...previewSchema.pick({
    at: true,
    cutoff: true,
    count: true,
    exact: true,
    typedCount: true,
    needsApproval: true,
  }).shape,
  /** The ticked ones. */
  listed: listedJobsSchema.nullable(),
  /** Queues in which an edit touches something that is hidden. */
  touched: z.array(z.string()).default([]),
});
export type KeptPreview = z.infer<typeof keptPreviewSchema>;

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
    redis: z.custom((value) => typeof value === 'object', 'must be an ioredis connection').optional(),
    tls: tlsFilesSchema.optional(),
    prefix: nameSchema.default('rd'),
    allowEviction: z.boolean().default(false),
    clock: z.custom((value) => typeof value === 'function', 'must be a function').optional(),
  })
  .refine(({ url, redis }) => (url ? !redis : redis), {
    path: ['url'],
    message: 'give either url (such as redis://127.0.0.1:6379) or redis (an ioredis connection)',
  });
