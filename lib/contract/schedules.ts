/** Schedules: jobs that come again and again, by cron expression in a time zone or every so often. */
import { z } from 'zod';
import { PRIORITY_MAX, PRIORITY_MIN } from './envelope';
import { jobTypeSchema, nameSchema, queueNameSchema, reasonSchema, tenantIdSchema } from './names';

export const scheduleIdSchema = nameSchema.describe('Schedule id');
export const EVERY_MIN_MS = 1_000;
export const MISSED_POLICIES = ['skip', 'one', 'all'] as const;
export const OVERLAP_POLICIES = ['allow', 'skip'] as const;
/** At most this many missed slots are made up for, newest last; older ones are counted as skipped. */
export const MISSED_MAX = 1_000;

/** Where slots come from. The slots of `everyMs` are multiples since `anchor` (ms since 1970), so they never drift. */
export const scheduleTimingSchema = z.union([
  z.strictObject({
    cron: z.string().trim().min(1).max(200).describe('Five or six fields, seconds first when six'),
    timeZone: z.string().min(1).max(60).default('UTC').describe('IANA name, such as Europe/Berlin'),
  }),
  z.strictObject({
    everyMs: z.number().int().min(EVERY_MIN_MS, 'must be at least one second').max(366 * 86_400_000),
    anchor: z.number().int().min(0).default(0),
  }),
]);
export type ScheduleTiming = z.output<typeof scheduleTimingSchema>;

/** The job each slot enters. Its id is made from schedule and slot. */
export const scheduleJobSchema = z.strictObject({
  jobType: jobTypeSchema,
  jobVersion: z.number().int().min(1).max(9_999).default(1),
  tenantId: tenantIdSchema.default('default'),
  priority: z.number().int().min(PRIORITY_MIN).max(PRIORITY_MAX).default(0),
  maxAttempts: z.number().int().min(1).max(100).default(8),
  timeoutMs: z.number().int().min(0).max(86_400_000).default(0),
  /** Stored byte for byte with every job. */
  payload: z.string().max(65_536).default(''),
});

export const scheduleRequestSchema = z.strictObject({
  id: scheduleIdSchema,
  queue: queueNameSchema,
  timing: scheduleTimingSchema,
  job: scheduleJobSchema,
  /** Slots that passed while nobody ticked: leave them out, one job for all of them, or one each. */
  missed: z.enum(MISSED_POLICIES).default('one'),
  /** `skip`: no job for a slot while the job of the slot before is still to be done. */
  overlap: z.enum(OVERLAP_POLICIES).default('allow'),
  /** No slots before or after. */
  startAt: z.number().int().min(0).nullable().default(null),
  endAt: z.number().int().min(0).nullable().default(null),
  reason: reasonSchema.optional(),
});
export type ScheduleRequest = z.input<typeof scheduleRequestSchema>;
/** A change; whatever is not given stays. */
export const schedulePatchSchema = z.strictObject({
  ...scheduleRequestSchema.omit({ id: true }).partial().shape,
  paused: z.boolean().optional(),
});
export type SchedulePatch = z.input<typeof schedulePatchSchema>;

export const scheduleSchema = z.object({
  id: z.string(),
  queue: z.string(),
  timing: scheduleTimingSchema,
  job: scheduleJobSchema,
  missed: z.enum(MISSED_POLICIES),
  overlap: z.enum(OVERLAP_POLICIES),
  startAt: z.number().nullable(),
  endAt: z.number().nullable(),
  paused: z.boolean(),
  /** Goes up with every change: a scheduler that still holds the old record is refused. */
  generation: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
  actor: z.string(),
  reason: z.string().nullable(),
  /** Null: paused, or no slot is left. */
  nextAt: z.number().nullable(),
  last: z
    .object({ slot: z.number(), jobId: z.string(), outcome: z.enum(['entered', 'overlap', 'refused']) })
    .nullable(),
  entered: z.number(),
  /** Slots passed over: missed, overlapping, or refused by the queue. */
  skipped: z.number(),
});
export type Schedule = z.infer<typeof scheduleSchema>;
export const schedulesPageSchema = z.object({ at: z.number(), schedules: z.array(scheduleSchema) });
export const schedulePreviewRequestSchema = z.strictObject({
  timing: scheduleTimingSchema,
  startAt: z.number().int().min(0).nullable().default(null),
  endAt: z.number().int().min(0).nullable().default(null),
  count: z.number().int().min(1).max(50).default(10),
});
export const schedulePreviewSchema = z.object({ at: z.number(), slots: z.array(z.number()) });
