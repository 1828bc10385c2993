/** The lab: the demo worker's settings, changed live from the browser, and what its supervisor reports. */
import { z } from 'zod';
import { tenantIdSchema } from '../name-schemas';
import { LAB_DRILLS } from './lab-drills';
import { LAB_KINDS, LAB_MAX_WORKERS } from './lab-settings';

const percent = z.number().min(0).max(100);
export const labSettingsSchema = z.strictObject({
  workers: z.number().int().min(0).max(LAB_MAX_WORKERS),
  concurrency: z.number().int().min(1).max(20),
  runTimeMs: z.number().int().min(0).max(30_000),
  /** Run times spread evenly over mean ± this share of it. */
  runTimeSpreadPercent: percent,
  failPercent: percent,
  hangPercent: percent,
  /** A bad release: every run of these dies the same way, at once. */
  brokenKinds: z.array(z.enum(LAB_KINDS)).default([]),
  /** A service that is away: every run of these fails, and may succeed later. */
  outageKinds: z.array(z.enum(LAB_KINDS)).default([]),
  crashPercent: percent,
  /** Jobs of a dead worker return when their leases expire, as they would without a supervisor. */
  slowReclaim: z.boolean().default(false),
  trafficPerSecond: z.number().min(0).max(500),
  kinds: z.array(z.enum(LAB_KINDS)).min(1, 'keep at least one kind'),
  tenants: z.number().int().min(1).max(50),
  /** Share of jobs scheduled a few seconds ahead. */
  delayedPercent: percent,
  /** Share of jobs with a priority other than 0. */
  prioritisedPercent: percent,
  leaseMs: z.number().int().min(1_000).max(60_000),
  maxAttempts: z.number().int().min(1).max(50),
});
export type LabSettings = z.infer<typeof labSettingsSchema>;

/** A batch enqueued at once, to see a backlog form. */
export const labBurstSchema = z.strictObject({
  jobs: z.number().int().min(1).max(5_000),
  /** All of one tenant; left out: of many. */
  tenant: tenantIdSchema.optional(),
});
export type LabBurst = z.infer<typeof labBurstSchema>;

const labProcessSchema = z.object({
  slot: z.number(),
  status: z.enum(['starting', 'running', 'crashed', 'backoff', 'stopping']),
  workerId: z.string().nullable(),
  pid: z.number().nullable(),
  /** Times this slot's process died. */
  crashes: z.number(),
  restartAt: z.number().nullable(),
  lastCrash: z.object({ at: z.number(), cause: z.string(), reclaimed: z.number() }).nullable(),
});
export type LabProcess = z.infer<typeof labProcessSchema>;

export const labCrashSchema = z.object({
  at: z.number(),
  workerId: z.string(),
  pid: z.number(),
  cause: z.string(),
  reclaimed: z.number(),
  /** `leaseUntil`: with slow reclaim, when the job returns. */
  jobs: z.array(
    z.object({ queue: z.string(), jobId: z.string(), leaseUntil: z.number().nullable().default(null) }),
  ),
});
export type LabCrash = z.infer<typeof labCrashSchema>;

/** The lab's queues together, measured every two seconds. */
export const labSampleSchema = z.object({
  at: z.number(),
  ready: z.number(),
  inFlight: z.number(),
  scheduled: z.number(),
  retry: z.number(),
  held: z.number(),
  /** In the dead-letter queue now. */
  deadLetters: z.number(),
  oldestReadyMs: z.number(),
  /** Totals since the queues were made. */
  completed: z.number(),
  failed: z.number(),
  reclaimed: z.number(),
  died: z.number(),
  crashes: z.number(),
  /** Jobs that the ledger misses: always 0. */
  lost: z.number(),
});
export type LabSample = z.infer<typeof labSampleSchema>;
/** Oldest first, at most 150. */
export const labSamplesSchema = z.object({ samples: z.array(labSampleSchema) });
export const labSamplesQuerySchema = z.strictObject({ after: z.coerce.number().min(0).default(0) });

/** One thing that happened in a queue: ids and states only, never payloads. `count` may exceed the ids listed. */
const movementSchema = z.object({
  id: z.string(),
  at: z.number(),
  queue: z.string(),
  event: z.string(),
  count: z.number(),
  jobIds: z.array(z.string()),
  worker: z.string().nullable(),
});
export type Movement = z.infer<typeof movementSchema>;
/** Movements of the lab's queues, oldest first; `next` continues after them. */
export const labEventsSchema = z.object({ events: z.array(movementSchema), next: z.string() });
export type LabEvents = z.infer<typeof labEventsSchema>;
/** Without `after` the latest. A position has a part for each queue, which may have 64 shards. */
export const labEventsQuerySchema = z.strictObject({ after: z.string().max(8_000).default('') });

export const labDrillSchema = z.object({
  id: z.enum(LAB_DRILLS),
  startedAt: z.number(),
  stoppedAt: z.number().nullable(),
  /** When the numbers of the queues showed it. */
  noticedAt: z.number().nullable(),
  /** When the verdict of a console first said something that it had not said before; null: it has not yet. */
  verdictAt: z.number().nullable().default(null),
  /** When nothing of it was left, after it was stopped. */
  recoveredAt: z.number().nullable(),
  /** Settings to return to. */
  before: labSettingsSchema,
  baseline: labSampleSchema,
  /** Jobs that had died when it was stopped. */
  diedAtStop: z.number().nullable(),
  runsFailed: z.number(),
  runsLost: z.number(),
  died: z.number(),
  crashes: z.number(),
  longestWaitMs: z.number(),
  lost: z.number(),
  /** Connections that were closed; null: none were to be, or Redis refused. */
  connectionsCut: z.number().nullable(),
});
export type LabDrill = z.infer<typeof labDrillSchema>;
export const labDrillRequestSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('start'), drill: z.enum(LAB_DRILLS) }),
  z.strictObject({ action: z.literal('stop') }),
]);
export type LabDrillRequest = z.infer<typeof labDrillRequestSchema>;

export const labStateSchema = z.object({
  at: z.number(),
  settings: labSettingsSchema,
  /** Null when no supervisor has reported for a few seconds. */
  supervisor: z
    .object({
      pid: z.number(),
      host: z.string(),
      seenAt: z.number(),
      slots: z.array(labProcessSchema),
      enqueued: z.number(),
    })
    .nullable(),
  /** Latest first, at most 20. */
  crashes: z.array(labCrashSchema),
  /** Totals since the last reset; without one, since the demo first ran. */
  session: z.object({
    since: z.number().nullable(),
    crashes: z.number(),
    /** Jobs of the lab's queues that were reclaimed before it. */
    reclaimedBefore: z.number(),
  }),
  /** Latest first, at most 10; the first may be running. */
  drills: z.array(labDrillSchema),
});
export type LabState = z.infer<typeof labStateSchema>;
