/** The preview of an operation. */
import { z } from 'zod';
import { jobSummarySchema } from '../jobs/job-schemas';
import { jobStateSchema } from '../jobs/job-state-schemas';
import { SKIP_REASONS } from './operation-kinds';
import { boundScopeSchema, operationKindSchema } from './operation-request';

export const skipReasonSchema = z.enum(SKIP_REASONS);
export const skipCountsSchema = z.partialRecord(skipReasonSchema, z.number());

const countedSchema = z.object({ value: z.string(), count: z.number() });
/** A change to one payload, as the preview of an edit shows it. */
export const payloadDiffSchema = z.object({
  queue: z.string(),
  jobId: z.string(),
  before: z.string(),
  after: z.string().nullable(),
  /** Why it would be skipped; null: it would be re-driven. */
  problem: z.string().nullable(),
});

export const previewSchema = z.object({
  token: z.string(),
  /** When the token expires. */
  expiresAt: z.number(),
  at: z.number(),
  cutoff: z.number(),
  kind: operationKindSchema,
  scope: boundScopeSchema,
  /** Matching jobs; a lower bound when not exact. */
  count: z.number(),
  exact: z.boolean(),
  /** Jobs that the breakdown and the skips count; null: all matches. */
  sampled: z.number().nullable(),
  /** Of the newest jobs, those whose age is counted; null: as many as `sampled`. */
  ageSampled: z.number().nullable().default(null),
  breakdown: z.object({
    queue: z.array(countedSchema),
    type: z.array(countedSchema),
    code: z.array(countedSchema),
    class: z.array(countedSchema),
    age: z.array(countedSchema),
    tenant: z.array(countedSchema),
  }),
  samples: z.array(jobSummarySchema).max(10),
  /** Jobs that would be skipped, by reason. */
  skips: skipCountsSchema,
  /** Jobs that would be moved but not run yet. */
  blocked: z.array(
    z.object({
      reason: z.enum(['paused', 'no-worker', 'draining']),
      scope: z.string(),
      count: z.number(),
      /** How many pauses `scope` names, if several: all of them must end. */
      pauses: z.number().optional(),
    }),
  ),
  /** Jobs that die again at once, or may: live workers of their queue have no handler for their type and version. */
  unsupported: z
    .array(
      z.object({
        queue: z.string(),
        jobType: z.string(),
        jobVersion: z.number(),
        count: z.number(),
        /** Live workers of the queue that take new jobs … */
        workers: z.number(),
        /** … those of them that handle the type … */
        takeType: z.number(),
        /** … and those that handle the version, too. 0: every such job fails. */
        takeVersion: z.number(),
        /** The retry rule runs such a job again instead of letting it die. */
        retried: z.boolean(),
      }),
    )
    .default([]),
  /** By error class: whether to run the jobs again. */
  advice: z.array(
    z.object({ class: z.string(), count: z.number(), safety: z.string(), sentence: z.string() }),
  ),
  diffs: z.array(payloadDiffSchema).max(10).optional(),
  /** Jobs inspected for `skips`, `blocked` and `unsupported`; null: all. When given, `sampled` counts for the breakdown only. */
  inspected: z.number().nullable().default(null),
  /** The number that must be typed to confirm; null: none. */
  typedCount: z.number().nullable(),
  /** delete-queue: what is deleted with the queue, and what would create it again. */
  deletes: z
    .object({
      /** The name that must be typed to confirm. */
      typedName: z.string(),
      states: z.array(z.object({ state: jobStateSchema, count: z.number() })),
      shards: z.number(),
      /** Schedules that enqueue into it: they stay, and create the queue again. */
      schedules: z.number(),
      /** Workers that serve it. */
      workers: z.number(),
    })
    .nullable()
    .default(null),
  /** It starts after an approval. */
  needsApproval: z.boolean(),
});
export type Preview = z.infer<typeof previewSchema>;
