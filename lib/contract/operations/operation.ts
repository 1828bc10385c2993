/** Operations: bulk actions that run in the background on a set frozen at confirmation. */
import { z } from 'zod';
import { jobSummarySchema } from '../jobs/job-schemas';
import {
  EXPORT_FORMATS,
  OPERATION_MARKS_KEPT,
  OPERATION_STATUSES,
  SKIP_REASONS,
  UNDOS_KEPT,
} from './operation-kinds';
import { skipCountsSchema } from './operation-preview';
import {
  boundScopeSchema,
  canarySchema,
  operationKindSchema,
  patchStepSchema,
  rateSchema,
  stopSchema,
} from './operation-request';

/** The outcome of re-driven jobs. `moved` = completed + diedAgain + running + waiting + recalled + deleted. */
export const outcomeSchema = z.object({
  completed: z.number(),
  running: z.number(),
  waiting: z.number(),
  diedAgain: z.number(),
  /** Taken back to dead by an undo, or cancelled, before they ran. */
  recalled: z.number(),
  deleted: z.number(),
  /** Failure groups of those that died again, most first. */
  groups: z.array(z.object({ group: z.string(), count: z.number() })),
});
export type Outcome = z.infer<typeof outcomeSchema>;

/** What happened to an operation itself, oldest first. */
export const operationEventSchema = z.object({
  at: z.number(),
  type: z.enum([
    'created',
    'approved',
    'rejected',
    'paused',
    'resumed',
    'changed',
    'canary-passed',
    'taken-over',
    'cancelled',
    'completed',
    'failed',
  ]),
  /** A user, or `redrive`. */
  by: z.string(),
  sentence: z.string().nullable(),
});
export type OperationEvent = z.infer<typeof operationEventSchema>;

export const operationSchema = z.object({
  id: z.string(),
  kind: operationKindSchema,
  status: z.enum(OPERATION_STATUSES),
  scope: boundScopeSchema,
  target: z.string().nullable(),
  patch: z.array(patchStepSchema).nullable(),
  dueAt: z.number().nullable(),
  format: z.enum(EXPORT_FORMATS).nullable(),
  maxRows: z.number().nullable(),
  includeUnsafe: z.boolean(),
  cutoff: z.number(),
  actor: z.string(),
  reason: z.string(),
  createdAt: z.number(),
  /** When it first moved something; null: not yet. */
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  /** Its progress (`moved` + `skipped`) in the last half minute of work, oldest first: what its rate is measured by. */
  marks: z
    .array(z.object({ at: z.number(), done: z.number() }))
    .max(OPERATION_MARKS_KEPT)
    .default([]),
  /** Jobs that matched when it was confirmed; a lower bound when `estimated`. */
  expected: z.number(),
  estimated: z.boolean(),
  scanned: z.number(),
  moved: z.number(),
  skipped: z.number(),
  skips: skipCountsSchema,
  rate: rateSchema,
  canary: canarySchema.nullable(),
  stop: stopSchema.nullable(),
  /** The phase of its canary; null: none, or passed. */
  phase: z.enum(['canary', 'canary-wait']).nullable(),
  /** `by`: a user, or `canary`, `died-again`, `rights` (its principal is no longer authorized), `approval` (a second user must resume it). */
  paused: z.object({ by: z.string(), at: z.number(), sentence: z.string() }).nullable(),
  /** Null: its jobs do not run again. */
  outcome: outcomeSchema.nullable(),
  /** A shard that it cannot reach now, and why; null: none. */
  trouble: z.string().nullable(),
  error: z.string().nullable(),
  /** The operation this one undoes. */
  undoes: z.string().nullable(),
  /** Operations that undo it or some of its jobs, the latest last. */
  undoneBy: z.array(z.string()).max(UNDOS_KEPT).default([]),
  /** Jobs that they took back. */
  undone: z.number().default(0),
  /** The kind that undoes it, and until when; null: none, or nothing is left to undo. */
  undo: z.object({ kind: operationKindSchema, until: z.number().nullable() }).nullable(),
  /** Who approved or rejected it, or resumed it as the second user. */
  decidedBy: z.string().nullable(),
  /** The first, and the latest of the others. */
  events: z.array(operationEventSchema).default([]),
});
export type Operation = z.infer<typeof operationSchema>;
export const operationsPageSchema = z.object({
  at: z.number(),
  operations: z.array(operationSchema),
  nextCursor: z.string().nullable(),
});

export const operationJobsSchema = z.object({
  at: z.number(),
  jobs: z.array(jobSummarySchema),
  /** Outcome `skipped`: the reason for each job; `jobs` has those that still exist. Each shard names its first 100 skipped jobs. */
  skips: z.array(z.object({ queue: z.string(), jobId: z.string(), reason: z.enum(SKIP_REASONS) })).optional(),
  nextCursor: z.string().nullable(),
});
export type OperationJobsPage = z.infer<typeof operationJobsSchema>;
