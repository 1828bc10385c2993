/** An operation as stored in Redis: the fields of the API and those of its runners. */
import { z } from 'zod';
import { jobStateSchema } from '../jobs/job-state-schemas';
import { jobIdSchema } from '../name-schemas';
import { operationSchema } from './operation';

import { previewSchema } from './operation-preview';
import { boundPreviewRequestSchema } from './operation-request';
import { operationRightsSchema } from './operation-rights';

/** What decides the next action of an operation; see lib/broker/operations/rules/decide-next.ts. */
export const operationControlSchema = z.object({
  /** The tokens as of `at`, when `moved` jobs had been moved. */
  bucket: z.object({ tokens: z.number(), at: z.number(), moved: z.number() }),
  /** Start of the wait for the canary's jobs to end. */
  canaryWaitingSince: z.number().nullable(),
  /** The canary passed, or a user resumed the operation after it failed. */
  canaryDone: z.boolean(),
  /** What earlier canaries moved and what ended by then: the present one counts from here. Null: it is the first. */
  canaryFrom: z
    .object({ moved: z.number(), completed: z.number(), diedAgain: z.number(), withdrawn: z.number() })
    .nullable()
    .default(null),
  /** Counts of ended jobs, oldest first: the window of the automatic stop. */
  samples: z.array(z.object({ at: z.number(), completed: z.number(), diedAgain: z.number() })),
});
export type OperationControl = z.infer<typeof operationControlSchema>;

export const operationRecordSchema = operationSchema.extend({
  /** The shards of its queues, in the order of the walk; frozen at confirmation. */
  shards: z.array(z.object({ queue: z.string(), shard: z.number(), name: z.string() })),
  /** The states that it walks in each shard: one, except for a recall. */
  states: z.array(jobStateSchema).min(1),
  /** Its jobs were selected one by one; the list is stored beside the record. */
  hasSelection: z.boolean(),
  /** The token of its preview. */
  preview: z.string().nullable(),
  /** The patch without the values of hidden fields, by the rules at confirmation. Null: no patch. */
  maskedPatch: operationSchema.shape.patch.default(null),
  requestId: z.string().nullable(),
  /** What its request asked for besides, so that a resend is told from another request. Left out by 0.2.0. */
  terms: z.string().optional(),
  /** Null: a library call. */
  principal: operationRightsSchema.nullable().default(null),
  /** The lease: until then no other runner takes over. */
  runner: z.object({ id: z.string(), until: z.number() }).nullable(),
  control: operationControlSchema,
  /** Increased when a user changes `control`: a runner then discards its own. */
  epoch: z.number(),
  /** A user cancelled it; it ends once every shard has stopped. */
  cancelling: z.object({ by: z.string(), at: z.number() }).nullable(),
});
export type OperationRecord = z.infer<typeof operationRecordSchema>;

/** A job selected by id: it is moved only while its stamp is unchanged. */
export const selectedJobSchema = z.object({
  /** The physical name of its shard. */
  shard: z.string(),
  jobId: jobIdSchema,
  /** Empty: it was in another state at the preview. */
  stamp: z.string(),
  score: z.number(),
  class: z.string().nullable(),
});
export type SelectedJob = z.infer<typeof selectedJobSchema>;
export const selectedJobsSchema = z.array(selectedJobSchema);

/** A preview as stored under its token. The confirmation is checked against it. */
export const storedPreviewSchema = z.object({
  request: boundPreviewRequestSchema,
  ...previewSchema.pick({
    at: true,
    cutoff: true,
    count: true,
    exact: true,
    typedCount: true,
    needsApproval: true,
  }).shape,
  /** The selected jobs. */
  selection: selectedJobsSchema.nullable(),
  /** Queues in which the operation touches hidden values. */
  touched: z.array(z.string()).default([]),
});
export type StoredPreview = z.infer<typeof storedPreviewSchema>;
