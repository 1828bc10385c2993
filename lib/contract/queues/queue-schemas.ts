/** A queue as the console sees it, and the snapshot of all of them. */
import { z } from 'zod';
import { jobStateSchema, stateCountsSchema } from '../jobs/job-state-schemas';
import { NAME_MAX_CHARS } from '../name-pattern';
import { queueNameSchema } from '../name-schemas';
import { pauseSchema, queuePauseSchema } from './pause-schemas';
import {
  MINUTES_QUEUES_MAX,
  QUEUE_PAGE_DEFAULT,
  QUEUE_PAGE_MAX,
  QUEUE_SORTS,
  STATS_QUEUES_MAX,
  VERDICT_LEVELS,
  WATCHED_QUEUES_MAX,
} from './queue-limits';
import type { QueueSnapshot } from './snapshot-types';

export type { DrainForecast, Ledger, QueueSnapshot, Totals } from './snapshot-types';

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

const ledgerSchema = z.object({
  enqueued: z.number(),
  inStates: z.number(),
  deleted: z.number(),
  difference: z.number(),
});

/** From what Redis counted in the last minute, so that all consoles say the same. */
const ratesSchema = z.object({
  arrivalPerSecond: z.number(),
  completedPerSecond: z.number(),
  failedPerSecond: z.number(),
  lostPerSecond: z.number(),
  failureRatio: z.number().nullable(),
  windowMs: z.number(),
});

const objectivesSchema = z.object({
  ageMs: z.number(),
  failureRatio: z.number(),
  depth: z.number().nullable(),
});

/** Over as long as the oldest ready job has waited, a minute at most. */
const drainForecastSchema = z.object({
  trend: z.enum(['shrinking', 'steady', 'growing']),
  ms: z.number().nullable(),
  growthPerSecond: z.number().nullable(),
  workersNeeded: z.number().nullable(),
});

export const queueSnapshotSchema = z.object({
  queue: z.string(),
  at: z.number(),
  level: z.enum(VERDICT_LEVELS),
  counts: stateCountsSchema,
  ledger: ledgerSchema,
  totals: totalsSchema,
  rates: ratesSchema,
  oldestReadyAgeMs: z.number().nullable(),
  nextDueAt: z.number().nullable(),
  overdueLeaseMs: z.number().nullable(),
  runTimeP95Ms: z.number().nullable(),
  lastFiveMinutes: z.object({ runs: z.number(), failed: z.number(), died: z.number() }),
  objectives: objectivesSchema,
  flow: z.object({
    donePerSecond: z.number(),
    arrivalPerSecond: z.number(),
    chancePerSecond: z.number(),
  }),
  drain: drainForecastSchema.nullable(),
  pauses: z.array(pauseSchema),
  draining: z.boolean(),
  depth: z.object({ jobs: z.number(), limit: z.number().nullable() }),
  throttledTenants: z.number(),
  deadExpireAt: z.number().nullable(),
  shards: z.object({ count: z.number(), unavailable: z.array(z.number()) }),
  workers: z.number(),
});
/** Pages get the time beside the numbers, which stay the same object while none of them changes. */
export type QueueNumbers = Omit<QueueSnapshot, 'at'>;

/** A queue in a list: what lists show. Its ages are as of the overview's `at`. */
export const queueRowSchema = queueSnapshotSchema
  .pick({
    queue: true,
    level: true,
    counts: true,
    oldestReadyAgeMs: true,
    overdueLeaseMs: true,
    runTimeP95Ms: true,
    drain: true,
    pauses: true,
    draining: true,
    depth: true,
    shards: true,
    workers: true,
  })
  .extend({
    rates: ratesSchema.pick({ arrivalPerSecond: true, completedPerSecond: true, failureRatio: true }),
    ledger: ledgerSchema.pick({ difference: true }),
    objectives: objectivesSchema.pick({ ageMs: true }),
  });
export type QueueRow = z.infer<typeof queueRowSchema>;

const minuteCountsSchema = z.object({
  /** Minutes since 1970. */
  minute: z.number(),
  enqueued: z.number(),
  completed: z.number(),
  failed: z.number(),
  dead: z.number(),
});
export type MinuteCounts = z.infer<typeof minuteCountsSchema>;
/** The last hour by minute, oldest first, the last entry being the minute under way. */
export const queueMinutesSchema = z.object({
  /** Of all visible queues. */
  all: z.array(minuteCountsSchema),
  /** Of the named queues that are visible. */
  queues: z.array(z.object({ queue: z.string(), minutes: z.array(minuteCountsSchema) })),
});
export type QueueMinutes = z.infer<typeof queueMinutesSchema>;

/** A page of the console that shows what a finding says. */
export const FINDING_ACTIONS = [
  'pause',
  'resume',
  'redrive',
  'reclaim',
  'drain',
  'workers',
  'redis',
] as const;
export type FindingAction = (typeof FINDING_ACTIONS)[number];
export const evidenceSchema = z.discriminatedUnion('page', [
  z.object({ page: z.literal('queue'), queue: z.string(), state: jobStateSchema.optional() }),
  z.object({ page: z.literal('dead'), q: z.string() }),
  z.object({ page: z.literal('operation'), operation: z.string() }),
  z.object({ page: z.enum(['operations', 'workers', 'schedules', 'redis']) }),
  /** The list of queues, those it is about first. */
  z.object({ page: z.literal('queues'), sort: z.enum(QUEUE_SORTS) }),
]);
export type Evidence = z.infer<typeof evidenceSchema>;

const verdictSchema = z.object({
  level: z.enum(VERDICT_LEVELS),
  /** Findings of each level, listed or not. */
  total: z.object({ bad: z.number(), warn: z.number() }),
  /** In a fixed order of kinds, causes before symptoms; 50 at most. Each is one sentence an operator can act on. */
  findings: z.array(
    z.object({
      /** The same as long as the trouble lasts, whatever its numbers. */
      id: z.string(),
      level: z.enum(['warn', 'bad']),
      code: z.string(),
      /** The only queue it is about; null: none, or several. */
      queue: z.string().nullable(),
      /** All queues it is about; the first by name are named. */
      queues: z.object({ total: z.number(), named: z.array(z.string()) }),
      sentence: z.string(),
      /** What the sentence names as cause or effect, without numbers: the overview shows another only once the last is gone for some seconds. */
      cause: z.string().optional(),
      /** The time in the sentence, where it is UTC in ISO 8601; for other time zones. */
      at: z.number().optional(),
      /** Null: on pages that the viewer may not open. */
      evidence: evidenceSchema.nullable(),
      /** What the overview offers to do about it; empty: the evidence is the place for it. */
      actions: z.array(z.enum(FINDING_ACTIONS)),
      /** What the action `pause` pauses first, where it is less than `queue`. */
      pause: z.object({ queue: z.string(), jobType: z.string() }).optional(),
      /** The query of the action `redrive`, where it is of fewer dead letters than the evidence. */
      redriveQuery: z.string().optional(),
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
  arrivalPerSecond: z.number(),
  completedPerSecond: z.number(),
  failureRatio: z.number().nullable(),
  /** Of all backlogs together, without paused queues. Null: nothing waits. */
  drain: drainForecastSchema.nullable(),
  difference: z.number(),
  /** The latest are named. */
  pauses: namedOf(queuePauseSchema),
  /** The first by name are named. */
  draining: namedOf(z.string()),
  /** Not paused, with ready jobs and no live worker; those with the most ready jobs are named. */
  deserted: namedOf(z.object({ queue: z.string(), ready: z.number() })),
});
export type QueueSums = z.infer<typeof queueSumsSchema>;
/** A page of queues. `order` left out: the most, the oldest or the worst first; names from A. */
export const queuePageQuerySchema = z.strictObject({
  /** Part of the name, in any case. */
  q: z.string().trim().max(100, 'must be at most 100 characters').default(''),
  sort: z.enum(QUEUE_SORTS).default('trouble'),
  order: z.enum(['asc', 'desc']).optional(),
  cursor: z.string().max(400).optional(),
  limit: z.coerce.number().int().min(1).max(QUEUE_PAGE_MAX).default(QUEUE_PAGE_DEFAULT),
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
  /** Of the alerts that the viewer may see: those that were sent and are neither acknowledged nor silenced. */
  alerts: z.object({ bad: z.number(), warn: z.number() }),
  /** How many queues the viewer may see. */
  total: z.number(),
  /** How many of them were not read yet: their numbers are missing here. */
  unread: z.number(),
  /** When the oldest numbers were read. */
  oldestAt: z.number(),
  sums: queueSumsSchema,
  /** How many queues have `q` in their name; all of them in a frame. */
  matching: z.number(),
  /** The next page; null: this is the last one. */
  nextCursor: z.string().nullable(),
  /** A page of them: worst first, or in the requested order. */
  queues: z.array(queueRowSchema),
});
export type Overview = z.infer<typeof overviewSchema>;

/** Names of queues, separated by commas. */
const queueNames = (max: number) =>
  z
    .string()
    .max(max * (NAME_MAX_CHARS + 1))
    .default('')
    .transform((names) => (names === '' ? [] : names.split(',')))
    .pipe(z.array(queueNameSchema).max(max, `must be at most ${max} names`));
export const minutesQuerySchema = z.strictObject({ queues: queueNames(MINUTES_QUEUES_MAX) });
/** `watch`: queues whose every number each frame carries. */
export const streamQuerySchema = z.strictObject({ watch: queueNames(WATCHED_QUEUES_MAX) });

/** One queue, as `GET /api/v1/queues/<queue>` answers. */
export const queueNumbersSchema = overviewSchema
  .pick({ at: true, ageMs: true, fresh: true })
  .extend({ queue: queueSnapshotSchema });

/** `/stats`: depths and totals, flat and small. */
export const statsSchema = z.object({
  at: z.number(),
  ageMs: z.number(),
  fresh: z.boolean(),
  verdict: z.enum(VERDICT_LEVELS),
  total: z.number(),
  unread: z.number(),
  oldestAt: z.number(),
  nextCursor: z.string().nullable(),
  queues: z.record(
    z.string(),
    stateCountsSchema.extend(
      queueSnapshotSchema.pick({
        at: true,
        oldestReadyAgeMs: true,
        totals: true,
        ledger: true,
        workers: true,
        draining: true,
        depth: true,
        shards: true,
      }).shape,
    ),
  ),
});
