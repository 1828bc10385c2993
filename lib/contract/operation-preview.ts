/** What an operation would do, before it does anything. */
import { z } from 'zod';
import { jobSummarySchema } from './job';
import { operationKindSchema } from './operation-kinds';
import { boundScopeSchema } from './operation-request';
import { jobStateSchema } from './states';

/** Why a job that matched is, or will be, left alone. */
export const SKIP_REASONS = [
  /** No longer in the state it was previewed in, or it died again since. */
  'changed',
  'deadline-passed',
  'not-unique',
  'unreadable',
  'in-flight',
  /** Its class says a re-drive does not help: bad input, expired. */
  'not-safe',
  /** It may have had an effect, and there is no idempotency key to keep the next run from having it again. */
  'no-idempotency-key',
  /** edit: the patch does not fit this payload, or the result is no payload its handler takes. */
  'patch-failed',
  'invalid-payload',
  /** move: the other queue has a job of that id. */
  'id-taken',
  'payload-too-large',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
export const skipCountsSchema = z.partialRecord(z.enum(SKIP_REASONS), z.number());

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
  /** When the token runs out. */
  expiresAt: z.number(),
  at: z.number(),
  cutoff: z.number(),
  kind: operationKindSchema,
  scope: boundScopeSchema,
  /** How many match; at least so many when not exact. */
  count: z.number(),
  exact: z.boolean(),
  /** Of all that match (null), or of so many of them: what the breakdown and the skips count. */
  sampled: z.number().nullable(),
  /** Ages alone were counted among so many of the newest; null: among as many as the rest. */
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
  /** Will not be moved, and why. */
  skips: skipCountsSchema,
  /** Will be moved, but will not run for now: the queue (or tenant, or type) is paused; no live worker takes the type. */
  waits: z.array(
    z.object({ reason: z.enum(['paused', 'no-worker', 'draining']), what: z.string(), count: z.number() }),
  ),
  /** What the classes among them say about putting them back. */
  advice: z.array(
    z.object({ class: z.string(), count: z.number(), safety: z.string(), sentence: z.string() }),
  ),
  diffs: z.array(payloadDiffSchema).max(10).optional(),
  /** Skips and waits were counted among so many of them; null: among all. `sampled` is about the breakdown alone when this is given. */
  lookedAt: z.number().nullable().default(null),
  /** The number that must be typed to confirm; null: none. */
  typedCount: z.number().nullable(),
  /** delete-queue: what goes with the queue, and what would bring it back. */
  deletes: z
    .object({
      /** The name that must be typed to confirm. */
      typedName: z.string(),
      states: z.array(z.object({ state: jobStateSchema, count: z.number() })),
      shards: z.number(),
      /** Schedules that enter jobs into it: they go on, and make the queue anew. */
      schedules: z.number(),
      /** Workers that serve it now. */
      workers: z.number(),
    })
    .nullable()
    .default(null),
  /** A second person must approve it before it starts. */
  needsApproval: z.boolean(),
});
export type Preview = z.infer<typeof previewSchema>;
