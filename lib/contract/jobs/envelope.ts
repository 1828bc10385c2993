/**
 * The envelope: the stable metadata around a small payload. Versioned, so that an old console can refuse what it does
 * not understand instead of guessing.
 */

import { z } from 'zod';
import { jobIdSchema, jobTypeSchema, referenceSchema, tenantIdSchema } from '../name-schemas';
import { DAY_MS, YEAR_MS } from '../time-units';
import { wholeText } from '../whole-text';
import {
  DEFAULT_MAX_ATTEMPTS,
  ENQUEUE_MAX_JOBS,
  PRIORITY_MAX,
  PRIORITY_MIN,
  TIME_MAX_MS,
  TRACE_PARENT_PATTERN,
  UNIQUE_SCOPES,
} from './job-limits';

export type { EnqueueInput, EnqueueOutcome, EnqueueResult, Envelope } from './job-types';

/** As milliseconds these are days of January 1970 to March 1973; as seconds, all years from 2001 to 5138. */
const isInSeconds = (time: number) => time >= 1e9 && time < 1e11;

const timeMs = z
  .number()
  .int('must be a whole number of milliseconds since 1970')
  .min(0)
  .max(TIME_MAX_MS, 'is beyond the year 2200: times are in milliseconds')
  .refine((time) => !isInSeconds(time), 'looks like seconds: times are in milliseconds, such as Date.now()');

/**
 * How long a uniqueness key stays taken: until the job is claimed, until it is done (completed, dead or deleted), or for the
 * whole time to live whatever becomes of it. The time to live bounds all three, so that no key is taken for ever.
 */
const uniqueSchema = z.strictObject({
  key: referenceSchema,
  scope: z.enum(UNIQUE_SCOPES).default('done'),
  ttlMs: z
    .number()
    .int()
    .min(1_000, 'must be at least one second')
    .max(YEAR_MS, 'must be at most a year')
    .default(DAY_MS),
});
export type Unique = z.output<typeof uniqueSchema>;

export const jobVersionSchema = z.number().int().min(1).max(9_999);

/** Everything a producer may say about a job except its payload. */
const envelopeFields = {
  jobId: jobIdSchema.optional(),
  jobType: jobTypeSchema,
  jobVersion: jobVersionSchema.default(1),
  tenantId: tenantIdSchema.default('default'),
  idempotencyKey: referenceSchema.optional(),
  notBefore: timeMs.optional(),
  delayMs: z.number().int().min(0).max(YEAR_MS, 'must be at most a year').optional(),
  deadline: timeMs.optional(),
  maxAttempts: z.number().int().min(1).max(100).default(DEFAULT_MAX_ATTEMPTS),
  priority: z.number().int().min(PRIORITY_MIN).max(PRIORITY_MAX).default(0),
  critical: z.boolean().default(true),
  unique: uniqueSchema.optional(),
  traceId: referenceSchema.optional(),
  traceParent: z.string().regex(TRACE_PARENT_PATTERN, 'is not a W3C traceparent').optional(),
  correlationId: referenceSchema.optional(),
  payloadRef: wholeText().min(1).max(1_000).optional(),
  timeoutMs: z.number().int().min(0).max(DAY_MS, 'must be at most a day').default(0),
};

/** What the library accepts: the payload is bytes, and comes back as the same bytes. */
export const enqueueSchema = z
  .strictObject({
    ...envelopeFields,
    payload: z
      .union([
        wholeText(),
        z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'must be text or bytes'),
      ])
      .optional(),
  })
  .refine((job) => job.payload === undefined || job.payloadRef === undefined, {
    path: ['payloadRef'],
    message: 'give either payload or payloadRef, not both',
  })
  .refine((job) => job.notBefore === undefined || job.delayMs === undefined, {
    path: ['delayMs'],
    message: 'give either notBefore or delayMs, not both',
  });
export type EnqueueJob = z.output<typeof enqueueSchema>;

/** What HTTP accepts: `payload` is any JSON value, `payloadText` is stored byte for byte. */
export const enqueueRequestJobSchema = z
  .strictObject({ ...envelopeFields, payload: z.unknown().optional(), payloadText: wholeText().optional() })
  .refine(
    (job) => [job.payload, job.payloadText, job.payloadRef].filter((p) => p !== undefined).length <= 1,
    {
      path: ['payload'],
      message: 'give only one of payload, payloadText and payloadRef',
    },
  )
  .refine((job) => job.notBefore === undefined || job.delayMs === undefined, {
    path: ['delayMs'],
    message: 'give either notBefore or delayMs, not both',
  });
/** One job, or a batch of them. */
export const enqueueRequestSchema = z.union([
  enqueueRequestJobSchema,
  z.strictObject({ jobs: z.array(enqueueRequestJobSchema).min(1).max(ENQUEUE_MAX_JOBS) }),
]);

const ENQUEUE_OUTCOMES = [
  'ready',
  'scheduled',
  'duplicate',
  'conflict',
  'not-unique',
  'queue-full',
  'shed',
  'draining',
  'too-late',
] as const;
export const enqueueOutcomeSchema = z.enum(ENQUEUE_OUTCOMES);
export const enqueueResultSchema = z.object({
  jobId: z.string(),
  outcome: enqueueOutcomeSchema,
  /** With `not-unique`: who has the key. */
  ownerId: z.string().optional(),
});

/** The envelope as it is read back. */
export const envelopeSchema = z.object({
  version: z.number(),
  jobId: z.string(),
  jobType: z.string(),
  jobVersion: z.number(),
  tenantId: z.string(),
  idempotencyKey: z.string().nullable(),
  createdAt: z.number(),
  notBefore: z.number().nullable(),
  deadline: z.number().nullable(),
  maxAttempts: z.number(),
  priority: z.number(),
  unique: z.object({ key: z.string(), scope: z.enum(UNIQUE_SCOPES) }).nullable(),
  traceId: z.string().nullable(),
  traceParent: z.string().nullable(),
  correlationId: z.string().nullable(),
  payloadRef: z.string().nullable(),
  timeoutMs: z.number(),
});
