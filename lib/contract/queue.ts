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

export const queueSnapshotSchema = z.object({
  queue: z.string(),
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

export const VERDICT_LEVELS = ['ok', 'warn', 'bad'] as const;
export const verdictSchema = z.object({
  level: z.enum(VERDICT_LEVELS),
  /** Worst first. Each is one sentence an operator can act on. */
  findings: z.array(
    z.object({
      level: z.enum(VERDICT_LEVELS),
      queue: z.string().nullable(),
      code: z.string(),
      sentence: z.string(),
    }),
  ),
});
export type Verdict = z.infer<typeof verdictSchema>;

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
  verdict: verdictSchema,
  queues: z.array(queueSnapshotSchema),
});
export type Overview = z.infer<typeof overviewSchema>;
