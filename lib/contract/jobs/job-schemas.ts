/** A job as the console sees it: a row of a list, and the whole of it. */
import { z } from 'zod';
import { envelopeSchema } from './envelope';
import { HISTORY_KINDS } from './job-actions';
import { errorClassSchema, jobStateSchema } from './job-state-schemas';

export type { HistoryEntry, JobDetail } from './job-types';

export const historyKindSchema = z.enum(HISTORY_KINDS);
export type HistoryKind = z.infer<typeof historyKindSchema>;

/** One thing that happened to a job. `delivery` counts claims, so it says which run it belongs to. */
const historyEntrySchema = z.object({
  at: z.number(),
  kind: historyKindSchema,
  delivery: z.number(),
  worker: z.string().nullable(),
  errorClass: errorClassSchema.nullable(),
  errorCode: z.string().nullable(),
  message: z.string().nullable(),
  stack: z.string().nullable(),
  actor: z.string().nullable(),
  reason: z.string().nullable(),
  claimedAt: z.number().nullable(),
});

export const jobSummarySchema = z.object({
  queue: z.string(),
  jobId: z.string(),
  state: jobStateSchema,
  jobType: z.string(),
  jobVersion: z.number(),
  tenantId: z.string(),
  priority: z.number(),
  createdAt: z.number(),
  deadline: z.number().nullable(),
  attempt: z.number(),
  maxAttempts: z.number(),
  deliveries: z.number(),
  /** By state: ready and held: null; in-flight: end of the lease; scheduled, retry: when due; else: when entered. */
  stateAt: z.number().nullable(),
  worker: z.string().nullable(),
  claimedAt: z.number().nullable(),
  errorClass: errorClassSchema.nullable(),
  errorCode: z.string().nullable(),
  message: z.string().nullable(),
});
export type JobSummary = z.infer<typeof jobSummarySchema>;

export const jobPageSchema = z.object({
  at: z.number(),
  total: z.number(),
  jobs: z.array(jobSummarySchema),
  nextCursor: z.string().nullable(),
  /** Of a search: whether `total` is all that match, or only known to be at least so many … */
  exact: z.boolean().optional(),
  /** … and its progress: found, read, of so many. */
  scan: z.object({ found: z.number(), scanned: z.number(), of: z.number() }).optional(),
  /** Unavailable shards: their jobs are missing here, and from `total`. */
  unavailable: z.array(z.number()).optional(),
});
export type JobPage = z.infer<typeof jobPageSchema>;

export const jobDetailSchema = z.object({
  at: z.number(),
  queue: z.string(),
  state: jobStateSchema,
  stateAt: z.number().nullable(),
  envelope: envelopeSchema,
  payload: z.string(),
  payloadBytes: z.number(),
  payloadIsText: z.boolean(),
  hidden: z.number().default(0),
  attempt: z.number(),
  deliveries: z.number(),
  leaseLosses: z.number(),
  redrives: z.number(),
  claim: z.object({ worker: z.string(), claimedAt: z.number(), leaseUntil: z.number() }).nullable(),
  result: z
    .object({
      worker: z.string(),
      claimedAt: z.number(),
      completedAt: z.number(),
      result: z.string().nullable(),
    })
    .nullable(),
  history: z.array(historyEntrySchema),
  group: z.string().nullable().default(null),
  operation: z.string().nullable().default(null),
  ahead: z.number().nullable().default(null),
});

/** The hidden values of a job: the response to POST …/unmask. */
export const unmaskedJobSchema = z.object({
  payload: z.string(),
  payloadIsText: z.boolean(),
  result: z.string().nullable(),
  /** With errors that repeat hidden values. */
  history: z.array(historyEntrySchema),
});
export type UnmaskedJob = z.infer<typeof unmaskedJobSchema>;
