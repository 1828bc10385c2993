/** Schedules: jobs that come again and again, by cron expression in a time zone or every so often. */
import { z } from 'zod';
import { enqueueOutcomeSchema, PRIORITY_MAX, PRIORITY_MIN, TIME_MAX_MS } from './envelope';
import { jobTypeSchema, nameSchema, queueNameSchema, reasonSchema, tenantIdSchema } from './names';

/** `preview` is a path of the API. */
export const scheduleIdSchema = nameSchema
  .refine((id) => id !== 'preview', 'is a word of the API; choose another id')
  .describe('Schedule id');
/** A slot no older than this is late, not missed: ticks come every second or two, and deploys take a while. */
export const SCHEDULE_GRACE_MS = 30_000;
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
    everyMs: z
      .number()
      .int()
      .min(EVERY_MIN_MS, 'must be at least one second')
      .max(366 * 86_400_000, 'must be at most a year'),
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

/** A first or last moment; both belong to the schedule. */
const boundSchema = z
  .number()
  .int('must be a whole number of milliseconds since 1970')
  .min(0)
  .max(TIME_MAX_MS, 'is beyond the year 2200: times are in milliseconds')
  .nullable();

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
  startAt: boundSchema.default(null),
  endAt: boundSchema.default(null),
  reason: reasonSchema.optional(),
});
export type ScheduleRequest = z.input<typeof scheduleRequestSchema>;
export type ScheduleDefinition = Omit<z.output<typeof scheduleRequestSchema>, 'reason'>;
/** A change; whatever is not given stays. `timing` and `job` are replaced whole: their parts belong together. */
export const schedulePatchSchema = z
  .strictObject({
    queue: queueNameSchema.optional(),
    timing: scheduleTimingSchema.optional(),
    job: scheduleJobSchema.optional(),
    missed: z.enum(MISSED_POLICIES).optional(),
    overlap: z.enum(OVERLAP_POLICIES).optional(),
    startAt: boundSchema.optional(),
    endAt: boundSchema.optional(),
    paused: z.boolean().optional(),
    reason: reasonSchema.optional(),
  })
  .refine(({ reason: _, ...patch }) => Object.values(patch).some((value) => value !== undefined), {
    path: ['schedule'],
    message: 'name at least one field to change',
  });
export type SchedulePatch = z.input<typeof schedulePatchSchema>;

export const SLOT_OUTCOMES = ['entered', 'overlap', 'refused', 'missed'] as const;
/**
 * What became of a slot: its job was entered; left out because the job before was still to be done; refused by a queue that
 * drains or is full; left out because nobody ticked in time.
 */
export const slotOutcomeSchema = z.enum(SLOT_OUTCOMES);
export type SlotOutcome = z.infer<typeof slotOutcomeSchema>;

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
  /** Who made it, or last changed what it does, where or when. It goes on whatever becomes of them: it is the queue's. */
  maker: z.string(),
  /** Who changed it last. */
  actor: z.string(),
  reason: z.string().nullable(),
  /** Null: paused, or no slot is left. */
  nextAt: z.number().nullable(),
  /** The slot dealt with last, and the job entered last, which may be of an earlier slot. */
  last: z.object({ slot: z.number(), jobId: z.string().nullable(), outcome: slotOutcomeSchema }).nullable(),
  entered: z.number(),
  /** Slots passed over: missed, overlapping, or refused by the queue. */
  skipped: z.number(),
});
export type Schedule = z.infer<typeof scheduleSchema>;
/** Of a list: everything but the payload, whose size it tells. */
export const scheduleSummarySchema = scheduleSchema.extend({
  job: scheduleJobSchema.omit({ payload: true }).extend({ payloadBytes: z.number() }),
});
export type ScheduleSummary = z.infer<typeof scheduleSummarySchema>;
export const listedScheduleSchema = scheduleSummarySchema.extend({
  /** Why its maker could not make it now. Only administrators are told; null: they could, or the reader is not told. */
  makerRefusal: z.string().nullable().default(null),
});
export type ListedSchedule = z.infer<typeof listedScheduleSchema>;
/** By id, so that rows keep their place while their next slots change. */
export const schedulesPageSchema = z.object({
  at: z.number(),
  schedules: z.array(listedScheduleSchema),
  nextCursor: z.string().nullable(),
  total: z.number(),
});
export type SchedulesPage = z.infer<typeof schedulesPageSchema>;

export const scheduleReasonSchema = z.strictObject({ reason: reasonSchema.optional() });
export const scheduleRunSchema = z.object({ jobId: z.string(), outcome: enqueueOutcomeSchema });
export const scheduleDeletedSchema = z.object({ id: z.string(), deleted: z.literal(true) });

export const PREVIEW_MAX = 50;
export const schedulePreviewRequestSchema = z.strictObject({
  timing: scheduleTimingSchema,
  startAt: boundSchema.default(null),
  endAt: boundSchema.default(null),
  count: z.number().int().min(1).max(PREVIEW_MAX).default(10),
});
export type SchedulePreviewRequest = z.input<typeof schedulePreviewRequestSchema>;
export const schedulePreviewSchema = z.object({
  at: z.number(),
  slots: z.array(z.number()),
  /** Where the clocks of the zone change among the next slots or within a year, and what becomes of the slots there. */
  clockChange: z.object({ at: z.number(), offsetBeforeMs: z.number(), offsetAfterMs: z.number() }).nullable(),
});
export type SchedulePreview = z.infer<typeof schedulePreviewSchema>;
