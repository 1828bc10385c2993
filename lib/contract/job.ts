/** A job as the console sees it: a row of a list, and the whole of it. */
import { z } from 'zod';
import { envelopeSchema } from './envelope';
import { errorClassSchema } from './failures';
import { jobStateSchema } from './states';

export const HISTORY_KINDS = [
  'failed',
  'dead',
  'lost',
  'released',
  'redriven',
  'promoted',
  'suppressed',
  'purged',
  'restored',
  /** Its payload was changed, and it was re-driven. */
  'edited',
  /** It came from another queue. */
  'moved',
  'recalled',
  'rescheduled',
] as const;
export const historyKindSchema = z.enum(HISTORY_KINDS);
export type HistoryKind = z.infer<typeof historyKindSchema>;

/** One thing that happened to a job. `delivery` counts claims, so it says which run it belongs to. */
export const historyEntrySchema = z.object({
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
  /** When the run that ended here was claimed. */
  claimedAt: z.number().nullable(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

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
  /** What the state's order means: ready and held: null; in-flight: lease end; scheduled, retry: due; else: entered. */
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
  /** … and how far it has come: found, looked at, of so many. */
  scan: z.object({ found: z.number(), scanned: z.number(), of: z.number() }).optional(),
  /** Shards that could not be read: their jobs are missing here, and from `total`. */
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
  /** False when the bytes are not UTF-8 text; `payload` then shows them as base64. */
  payloadIsText: z.boolean(),
  /** How many values of payload and result are hidden by the queue's rules. */
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
});
export type JobDetail = z.infer<typeof jobDetailSchema>;

/** What is hidden of a job, as it is stored: the answer of POST …/unmask. */
export const unmaskedJobSchema = z.object({
  payload: z.string(),
  payloadIsText: z.boolean(),
  result: z.string().nullable(),
  /** With errors that repeat hidden values. */
  history: z.array(historyEntrySchema),
});
export type UnmaskedJob = z.infer<typeof unmaskedJobSchema>;

/** What a person may do to one job, and from which states. Shown and enforced from this one table. */
export const JOB_ACTIONS = {
  promote: ['scheduled', 'retry'],
  cancel: ['ready', 'held', 'scheduled', 'retry', 'in-flight'],
  redrive: ['dead', 'suppressed'],
  suppress: ['dead'],
  purge: ['dead', 'suppressed'],
  restore: ['trashed', 'suppressed'],
  remove: ['ready', 'held', 'scheduled', 'retry', 'completed', 'dead', 'suppressed', 'trashed'],
} as const satisfies Record<string, readonly z.infer<typeof jobStateSchema>[]>;
export type JobAction = keyof typeof JOB_ACTIONS;
