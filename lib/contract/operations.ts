/** Operations: bulk actions that run in the background on a set frozen at confirmation. */
import { z } from 'zod';
import { jobSummarySchema } from './job';
import { reasonSchema } from './names';
import { operationKindSchema, operationStatusSchema } from './operation-kinds';
import { SKIP_REASONS, skipCountsSchema } from './operation-preview';
import {
  boundScopeSchema,
  canarySchema,
  EXPORT_FORMATS,
  paceSchema,
  patchStepSchema,
  stopSchema,
} from './operation-request';
import { queryTextSchema } from './query/filter';

export * from './operation-kinds';
export * from './operation-preview';
export * from './operation-request';

/** Confirms a preview. */
export const operationRequestSchema = z.strictObject({
  previewToken: z.string().max(100),
  reason: reasonSchema,
  /** What was typed, where the preview asked for it. */
  typedCount: z.number().int().optional(),
  /** delete-queue: the name of the queue, typed. */
  typedName: z.string().max(100).optional(),
  pace: paceSchema.optional(),
  canary: canarySchema.nullable().optional(),
  stop: stopSchema.nullable().optional(),
});
export type OperationRequest = z.input<typeof operationRequestSchema>;

export const operationChangeSchema = z
  .strictObject({ pace: paceSchema.optional(), stop: stopSchema.nullable().optional() })
  .refine((change) => Object.keys(change).length > 0, { message: 'give pace or stop' });
export type OperationChange = z.infer<typeof operationChangeSchema>;
export const OPERATION_ACTIONS = ['pause', 'resume', 'cancel', 'approve', 'reject'] as const;
export type OperationAction = (typeof OPERATION_ACTIONS)[number];
/** undo: all that can be undone, or only what also matches a query. */
export const undoRequestSchema = z.strictObject({ reason: reasonSchema, q: queryTextSchema.optional() });
export type UndoRequest = z.infer<typeof undoRequestSchema>;

/** What became of re-driven jobs. `moved` = completed + diedAgain + running + waiting + recalled + deleted. */
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
  what: z.enum([
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
  /** A person, or Redrive itself. */
  by: z.string(),
  sentence: z.string().nullable(),
});
export type OperationEvent = z.infer<typeof operationEventSchema>;
export const OPERATION_EVENTS_KEPT = 50;

export const operationSchema = z.object({
  id: z.string(),
  kind: operationKindSchema,
  status: operationStatusSchema,
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
  /** Jobs that matched when it was confirmed; a lower bound when `estimated`. */
  expected: z.number(),
  estimated: z.boolean(),
  scanned: z.number(),
  moved: z.number(),
  skipped: z.number(),
  skips: skipCountsSchema,
  pace: paceSchema,
  canary: canarySchema.nullable(),
  stop: stopSchema.nullable(),
  /** Where it is with its canary; null: has none, or is past it. */
  phase: z.enum(['canary', 'canary-wait']).nullable(),
  /** Why it is paused, and by whom: a person, or Redrive itself (`canary`, `died-again`; `rights`: who is responsible may no longer do it). */
  paused: z.object({ by: z.string(), at: z.number(), sentence: z.string() }).nullable(),
  /** Null: what it moves does not run again. */
  outcome: outcomeSchema.nullable(),
  /** What it does not get at just now, and why; null: nothing. */
  trouble: z.string().nullable(),
  error: z.string().nullable(),
  /** The operation this one undoes. */
  undoes: z.string().nullable(),
  /** Which kind of operation undoes it, and until when; null: none can. */
  undo: z.object({ kind: operationKindSchema, until: z.number().nullable() }).nullable(),
  /** Who approved or rejected it. */
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

export const OPERATION_OUTCOMES = [
  'completed',
  'running',
  'waiting',
  'died-again',
  'skipped',
  'undoable',
] as const;
export const operationJobsQuerySchema = z.strictObject({
  outcome: z.enum(OPERATION_OUTCOMES),
  cursor: z.string().max(600).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export const operationJobsSchema = z.object({
  at: z.number(),
  jobs: z.array(jobSummarySchema),
  /** Outcome `skipped`: the jobs of this page that were left alone, and why; `jobs` are those of them that still exist. Each queue (or
   * shard) names the first 100 it left alone; the operation's `skips` count all. */
  skips: z.array(z.object({ queue: z.string(), jobId: z.string(), reason: z.enum(SKIP_REASONS) })).optional(),
  nextCursor: z.string().nullable(),
});
export type OperationJobsQuery = z.input<typeof operationJobsQuerySchema>;
export type OperationJobsPage = z.infer<typeof operationJobsSchema>;
