/** `GET /api/v1/history`: the past of a queue, or of all queues, as columns: one entry a step. */
import { z } from 'zod';
import { jobTypeSchema, queueNameSchema, sentenceSchema, tenantIdSchema } from '../name-schemas';
import { COUNTS, DEPTHS, HISTORY_KEPT_MS, MARK_KINDS, MARK_QUEUES_MAX, PERCENTILES } from './history-ranges';

export const historyQuerySchema = z
  .strictObject({
    /** Ms since 1970; the range is widened to whole steps. */
    from: z.coerce.number().int().min(0),
    to: z.coerce.number().int().min(0),
    /** Left out: all queues that the user sees. */
    queue: queueNameSchema.optional(),
    /** Only the work of one type or one tenant of the queue, of the last 24 hours: jobs claimed, failed and died. */
    type: jobTypeSchema.optional(),
    tenant: tenantIdSchema.optional(),
  })
  .refine(({ from, to }) => to > from && to - from <= HISTORY_KEPT_MS, {
    path: ['to'],
    message: 'must be after `from`, at most seven days',
  })
  .refine(({ queue, type, tenant }) => (type === undefined && tenant === undefined) || queue !== undefined, {
    path: ['queue'],
    message: 'is needed with `type` and `tenant`',
  })
  .refine(({ type, tenant }) => type === undefined || tenant === undefined, {
    path: ['tenant'],
    message: 'cannot be combined with `type`',
  });
export type HistoryQuery = z.infer<typeof historyQuerySchema>;

/** Null: not known. */
const column = z.array(z.number().nullable());
const columns = <K extends string>(names: readonly K[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, column])) as Record<K, typeof column>);

/** `POST /api/v1/marks`: a mark in the charts, at the time of the request. */
export const markRequestSchema = z.strictObject({
  kind: z.literal('deploy'),
  text: sentenceSchema(200),
  version: sentenceSchema(100).optional(),
  /** Left out: it concerns all queues. */
  queues: z.array(queueNameSchema).min(1).max(MARK_QUEUES_MAX).optional(),
});
export type MarkRequest = z.infer<typeof markRequestSchema>;

export const markSchema = z.object({ at: z.number(), kind: z.enum(MARK_KINDS), text: z.string() });
export type HistoryMark = z.infer<typeof markSchema>;

const numbers = <K extends string>(names: readonly K[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.number()])) as Record<K, z.ZodNumber>);

/** What the whole steps do not have yet: the 60 seconds up to `at`. */
const latestMinuteSchema = z.object({
  /** Ms since 1970: when the queues were read. */
  at: z.number(),
  depth: numbers(DEPTHS),
  oldestAgeMs: z.number(),
  /** Estimated, as the minutes that end inside of these seconds count in part. */
  counts: numbers(COUNTS),
  workers: z.number().nullable(),
});
export type LatestMinute = z.infer<typeof latestMinuteSchema>;

export const historySchema = z.object({
  /** Ms since 1970: start of the first step, end of the last one. Only whole minutes. */
  from: z.number(),
  to: z.number(),
  stepMs: z.number(),
  /** Jobs by state at the end of each step. */
  depth: columns(DEPTHS),
  oldestAgeMs: column,
  /** Jobs or runs in each step. */
  counts: columns(COUNTS),
  /** Estimated, in ms; null without runs. */
  run: columns(PERCENTILES),
  /** Time in `ready` before a claim. */
  wait: columns(PERCENTILES),
  /** Live workers at the end of each step: of one queue, or of all. Null for some queues together, a type and a tenant. */
  workers: column,
  /** Claims of the type or tenant asked for; of all jobs null. */
  claimed: column,
  /** Null: the range ends before, it is of a type or tenant, or Redis cannot be read. */
  latest: latestMinuteSchema.nullable(),
  /** Types and tenants with the most work in the range, of one queue. */
  busiest: z.array(
    z.object({
      kind: z.enum(['type', 'tenant']),
      name: z.string(),
      claimed: z.number(),
      failed: z.number(),
      died: z.number(),
    }),
  ),
  marks: z.array(markSchema),
});
export type History = z.infer<typeof historySchema>;
/** What Redis keeps of it. */
export type StoredHistory = Omit<History, 'marks' | 'latest'>;
export type HistoryColumn = z.infer<typeof column>;
