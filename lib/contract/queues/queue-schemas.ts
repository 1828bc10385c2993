/** A queue as the console sees it, and the snapshot of all of them. */
import { z } from 'zod';
import { stateCountsSchema } from '../jobs/job-state-schemas';
import { nameSchema, reasonSchema } from '../name-schemas';
import { MONTH_MS } from '../time-units';
import {
  FRAME_QUEUES_MAX,
  QUEUE_PAGE_MAX,
  QUEUE_SORTS,
  STATS_QUEUES_MAX,
  VERDICT_LEVELS,
} from './queue-limits';

/** What a pause stops: the whole queue, one tenant, or one job type. */
export const pauseScopeSchema = z.union([
  z.literal('queue'),
  z.templateLiteral(['tenant:', nameSchema]),
  z.templateLiteral(['type:', nameSchema]),
]);
export type PauseScope = z.infer<typeof pauseScopeSchema>;

export const pauseSchema = z.object({
  scope: pauseScopeSchema,
  since: z.number(),
  /** The pause ends at this time; null: when a user resumes. */
  until: z.number().nullable(),
  actor: z.string(),
  reason: z.string(),
});
export type Pause = z.infer<typeof pauseSchema>;
/** A pause, and the queue it is of. */
const queuePauseSchema = pauseSchema.extend({ queue: z.string() });
export type QueuePause = z.infer<typeof queuePauseSchema>;

export const pauseRequestSchema = z.strictObject({
  scope: pauseScopeSchema.default('queue'),
  reason: reasonSchema,
  /** The pause ends after this long. */
  forMs: z
    .number()
    .int()
    .min(1_000, 'must be at least one second')
    .max(MONTH_MS, 'must be at most 30 days')
    .optional(),
});
/** With defaults left out. */
export type PauseInput = z.input<typeof pauseRequestSchema>;
export type PauseRequest = z.output<typeof pauseRequestSchema>;
export const resumeRequestSchema = z.strictObject({
  scope: pauseScopeSchema.default('queue'),
  reason: reasonSchema.optional(),
});

/** Totals since the queue was made. `enqueued` = the sum of `counts` + `deleted`, always. */
export const totalsSchema = z.object({
  enqueued: z.number(),
  deleted: z.number(),
  claimed: z.number(),
  completed: z.number(),
  failed: z.number(),
  retried: z.number(),
  dead: z.number(),
  reclaimed: z.number(),
  released: z.number(),
  redriven: z.number(),
  duplicates: z.number(),
});
export type Totals = z.infer<typeof totalsSchema>;

const ledgerSchema = z.object({
  enqueued: z.number(),
  inStates: z.number(),
  deleted: z.number(),
  /** enqueued − inStates − deleted. Anything but 0 is a defect. */
  difference: z.number(),
});
export type Ledger = z.infer<typeof ledgerSchema>;

const ratesSchema = z.object({
  arrivalPerSecond: z.number().nullable(),
  completedPerSecond: z.number().nullable(),
  failedPerSecond: z.number().nullable(),
  /** Share of runs that failed or were lost, 0..1. */
  failureRatio: z.number().nullable(),
  /** Over how long the rates were measured. */
  windowMs: z.number(),
});
export const queueSnapshotSchema = z.object({
  queue: z.string(),
  /** When these numbers were read, by the clock of Redis: with very many queues they are read in turns. */
  at: z.number(),
  /** The worst finding of the verdict for this queue. */
  level: z.enum(VERDICT_LEVELS),
  counts: stateCountsSchema,
  ledger: ledgerSchema,
  totals: totalsSchema,
  rates: ratesSchema,
  oldestReadyAgeMs: z.number().nullable(),
  nextDueAt: z.number().nullable(),
  /** How long ago the oldest expired, not yet reclaimed lease ran out. */
  overdueLeaseMs: z.number().nullable(),
  runTimeP95Ms: z.number().nullable(),
  /** At the present rates; null when it never will, or nothing waits. */
  drainMs: z.number().nullable(),
  pauses: z.array(pauseSchema),
  /** Refuses new jobs while the old ones finish. */
  draining: z.boolean(),
  /** Jobs still to be done (ready, scheduled, retry and held), and how many the queue takes; null: any number. */
  depth: z.object({ jobs: z.number(), limit: z.number().nullable() }),
  /** Tenants with jobs that their rate or concurrency limit holds back. */
  throttledTenants: z.number(),
  /** When retention deletes the oldest dead job; null: never. */
  deadExpireAt: z.number().nullable(),
  /** Into how many hash slots the queue is spread, and which of these could not be read: the numbers are then partial. */
  shards: z.object({ count: z.number(), unavailable: z.array(z.number()) }),
  /** Live workers that listen to this queue. */
  workers: z.number(),
  /**
   * Jobs completed, failed and enqueued per minute, oldest first, the last entry being the minute under way.
   * Empty in most frames of the event stream: unchanged.
   */
  minutes: z.array(
    z.object({
      minute: z.number(),
      enqueued: z.number(),
      completed: z.number(),
      failed: z.number(),
      dead: z.number(),
    }),
  ),
});
export type QueueSnapshot = z.infer<typeof queueSnapshotSchema>;

const verdictSchema = z.object({
  level: z.enum(VERDICT_LEVELS),
  /** Findings of each level, listed or not. */
  total: z.object({ bad: z.number(), warn: z.number() }),
  /** Worst first, 50 at most. Each is one sentence an operator can act on. */
  findings: z.array(
    z.object({
      level: z.enum(VERDICT_LEVELS),
      queue: z.string().nullable(),
      code: z.string(),
      sentence: z.string(),
      /** The time in the sentence, where it is UTC in ISO 8601; for other time zones. */
      at: z.number().optional(),
    }),
  ),
});
export type Verdict = z.infer<typeof verdictSchema>;
const namedOf = <Item extends z.ZodType>(item: Item) => z.object({ total: z.number(), named: z.array(item) });

/** Sums over all visible queues, listed or not. */
const queueSumsSchema = z.object({
  /** Some shards are unavailable: the true sums are at least as large. */
  partial: z.boolean(),
  counts: stateCountsSchema,
  oldestReadyAgeMs: z.number().nullable(),
  arrivalPerSecond: z.number().nullable(),
  completedPerSecond: z.number().nullable(),
  failureRatio: z.number().nullable(),
  /** When the slowest queue is empty; null when none drains. */
  drainMs: z.number().nullable(),
  difference: z.number(),
  /** The latest are named. */
  pauses: namedOf(queuePauseSchema),
  /** The first by name are named. */
  draining: namedOf(z.string()),
  /** Not paused, with ready jobs and no live worker; those with the most ready jobs are named. */
  deserted: namedOf(z.object({ queue: z.string(), ready: z.number() })),
  /** Whole minutes of the last hour, oldest first. Empty in most frames of the event stream: unchanged. */
  minutes: z.array(
    z.object({ minute: z.number(), enqueued: z.number(), completed: z.number(), failed: z.number() }),
  ),
});
export type QueueSums = z.infer<typeof queueSumsSchema>;
/** A page of queues. `order` left out: the most, the oldest or the worst first; names from A. */
export const queuePageQuerySchema = z.strictObject({
  /** Part of the name, in any case. */
  q: z.string().trim().max(100, 'must be at most 100 characters').default(''),
  sort: z.enum(QUEUE_SORTS).default('trouble'),
  order: z.enum(['asc', 'desc']).optional(),
  cursor: z.string().max(400).optional(),
  limit: z.coerce.number().int().min(1).max(QUEUE_PAGE_MAX).default(FRAME_QUEUES_MAX),
});
export type QueuePageQuery = z.output<typeof queuePageQuerySchema>;
export const statsQuerySchema = queuePageQuerySchema.pick({ q: true, cursor: true }).extend({
  limit: z.coerce.number().int().min(1).max(STATS_QUEUES_MAX).default(STATS_QUEUES_MAX),
});
export const metricsQuerySchema = queuePageQuerySchema.pick({ q: true });

export const overviewSchema = z.object({
  /** Server time (Redis clock) of the snapshot. */
  at: z.number(),
  /** How old the snapshot was when it was sent. */
  ageMs: z.number(),
  /** False when Redis could not be read: the numbers are then the last ones known. */
  fresh: z.boolean(),
  redis: z.object({
    version: z.string().nullable(),
    roundTripMs: z.number().nullable(),
    usedMemoryBytes: z.number().nullable(),
    error: z.string().nullable(),
  }),
  /** Of all visible queues, listed or not. */
  verdict: verdictSchema,
  /** How many queues the viewer may see. */
  total: z.number(),
  /** How many of them were not read yet: their numbers are missing here. */
  unread: z.number(),
  /** When the oldest numbers were read. */
  oldestAt: z.number(),
  sums: queueSumsSchema,
  /** Worst first, or in the requested order; at most 200 in a frame. */
  queues: z.array(queueSnapshotSchema),
});
export type Overview = z.infer<typeof overviewSchema>;

export const queuePageSchema = overviewSchema.extend({
  /** How many queues have `q` in their name. */
  matching: z.number(),
  /** The next page; null: this is the last one. */
  nextCursor: z.string().nullable(),
});
export type QueuePage = z.infer<typeof queuePageSchema>;

/** One queue, as `GET /api/v1/queues/<queue>` answers. */
export const queueNumbersSchema = overviewSchema
  .pick({ at: true, ageMs: true, fresh: true })
  .extend({ queue: queueSnapshotSchema });
