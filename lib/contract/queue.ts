/** A queue as the console sees it, and the snapshot of all of them. */
import { z } from 'zod';
import { nameSchema, reasonSchema } from './names';
import { countsSchema } from './states';

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
  /** Resumes by itself at this time; null: only by hand. */
  until: z.number().nullable(),
  actor: z.string(),
  reason: z.string(),
});
export type Pause = z.infer<typeof pauseSchema>;
/** A pause, and the queue it is of. */
export const queuePauseSchema = pauseSchema.extend({ queue: z.string() });
export type QueuePause = z.infer<typeof queuePauseSchema>;

export const pauseRequestSchema = z.strictObject({
  scope: pauseScopeSchema.default('queue'),
  reason: reasonSchema,
  /** Resume by itself after this long. */
  forMs: z
    .number()
    .int()
    .min(1_000, 'must be at least one second')
    .max(30 * 86_400_000, 'must be at most 30 days')
    .optional(),
});
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

export const ledgerSchema = z.object({
  enqueued: z.number(),
  inStates: z.number(),
  deleted: z.number(),
  /** enqueued − inStates − deleted. Anything but 0 is a defect. */
  difference: z.number(),
});
export type Ledger = z.infer<typeof ledgerSchema>;

export const ratesSchema = z.object({
  arrivalPerSecond: z.number().nullable(),
  completedPerSecond: z.number().nullable(),
  failedPerSecond: z.number().nullable(),
  /** Share of runs that failed or were lost, 0..1. */
  failureRatio: z.number().nullable(),
  /** Over how long the rates were measured. */
  windowMs: z.number(),
});

export const VERDICT_LEVELS = ['ok', 'warn', 'bad'] as const;
export const queueSnapshotSchema = z.object({
  queue: z.string(),
  /** When these numbers were read, by the clock of Redis: with very many queues they are read in turns. */
  at: z.number(),
  /** The worst that the verdict says of it. */
  level: z.enum(VERDICT_LEVELS),
  counts: countsSchema,
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
  /** Tenants some of whose jobs step aside because of their rate or concurrency limit. */
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

export const verdictSchema = z.object({
  level: z.enum(VERDICT_LEVELS),
  /** How many findings there are of each level, also those that are not listed. */
  total: z.object({ bad: z.number(), warn: z.number() }),
  /** Worst first, 50 at most. Each is one sentence an operator can act on. */
  findings: z.array(
    z.object({
      level: z.enum(VERDICT_LEVELS),
      queue: z.string().nullable(),
      code: z.string(),
      sentence: z.string(),
      /** A moment that the sentence names, there in UTC as ISO 8601; for readers in another zone. */
      at: z.number().optional(),
    }),
  ),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** So many pauses, draining queues and deserted queues are named; others are only counted. */
export const NAMED_MAX = 50;
const namedOf = <Item extends z.ZodType>(item: Item) => z.object({ total: z.number(), named: z.array(item) });

/** Sums over all queues the asker sees, also those that are not listed. */
export const queueSumsSchema = z.object({
  /** Some shards cannot be read: the sums are at least what they say. */
  partial: z.boolean(),
  counts: countsSchema,
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

/** Queues that a frame of the event stream lists at most: the most troubled ones. Others are asked for by page. */
export const FRAME_QUEUES_MAX = 200;
export const QUEUE_PAGE_MAX = 500;
export const QUEUE_SORTS = [
  'trouble',
  'name',
  'ready',
  'oldest',
  'in-flight',
  'scheduled',
  'retry',
  'held',
  'dead',
  'arrival',
  'completed',
  'failing',
  'drain',
  'workers',
] as const;
export type QueueSort = (typeof QUEUE_SORTS)[number];
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

/** `/stats`: all queues by name, in pages where there are very many. */
export const STATS_QUEUES_MAX = 2_000;
export const statsQuerySchema = queuePageQuerySchema.pick({ q: true, cursor: true }).extend({
  limit: z.coerce.number().int().min(1).max(STATS_QUEUES_MAX).default(STATS_QUEUES_MAX),
});
/** `/metrics`: of so many queues at most, by name; part of a name says of which. */
export const METRICS_QUEUES_MAX = 2_000;
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
  /** Of all queues the asker sees, listed or not. */
  verdict: verdictSchema,
  /** How many queues the asker sees. */
  total: z.number(),
  /** How many of them were not read yet: their numbers are missing in all of this. */
  unread: z.number(),
  /** When the numbers that are oldest were read. */
  oldestAt: z.number(),
  sums: queueSumsSchema,
  /** Worst first, or as it was asked for; at most 200 in a frame. */
  queues: z.array(queueSnapshotSchema),
});
export type Overview = z.infer<typeof overviewSchema>;

export const queuePageSchema = overviewSchema.extend({
  /** How many have what was asked for in their name. */
  matching: z.number(),
  /** Where to go on; null: this is the end. */
  nextCursor: z.string().nullable(),
});
export type QueuePage = z.infer<typeof queuePageSchema>;

/** One queue, as `GET /api/v1/queues/<queue>` answers. */
export const queueNumbersSchema = overviewSchema
  .pick({ at: true, ageMs: true, fresh: true })
  .extend({ queue: queueSnapshotSchema });
