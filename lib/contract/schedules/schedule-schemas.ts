/** Schedules: recurring jobs, by cron expression in a time zone or at an interval. */

import { z } from 'zod';
import { enqueueOutcomeSchema } from '../jobs/envelope';
import { PRIORITY_MAX, PRIORITY_MIN, TIME_MAX_MS } from '../jobs/job-limits';
import { jobTypeSchema, nameSchema, queueNameSchema, reasonSchema, tenantIdSchema } from '../name-schemas';
import { DAY_MS, YEAR_MS } from '../time-units';
import { wholeText } from '../whole-text';
import { MISSING_HANDLERS } from '../workers/handler-table';
import {
  EVERY_MIN_MS,
  MISSED_POLICIES,
  OCCURRENCE_OUTCOMES,
  OVERLAP_POLICIES,
  RECENT_RUN_OUTCOMES,
  RECENT_RUNS_MAX,
  SCHEDULE_PREVIEW_MAX,
  SCHEDULE_RUNS_MAX,
} from './schedule-limits';
import type { ScheduleRequest } from './schedule-types';

export type {
  OccurrenceOutcome,
  Schedule,
  SchedulePatch,
  ScheduleRequest,
  ScheduleTiming,
} from './schedule-types';

/** `preview` is a path of the API. */
const scheduleIdSchema = nameSchema
  .refine((id) => id !== 'preview', 'is a word of the API; choose another id')
  .describe('Schedule id');

/** Where occurrences come from. The occurrences of `everyMs` are multiples since `anchor` (ms since 1970), so they never drift. */
const scheduleTimingSchema = z.union([
  z.strictObject({
    cron: wholeText().trim().min(1).max(200).describe('Five or six fields, seconds first when six'),
    timeZone: wholeText().min(1).max(60).default('UTC').describe('IANA name, such as Europe/Berlin'),
  }),
  z.strictObject({
    everyMs: z
      .number()
      .int()
      .min(EVERY_MIN_MS, 'must be at least one second')
      .max(YEAR_MS, 'must be at most a year'),
    anchor: z.number().int().min(0).default(0),
  }),
]);

/** The job each occurrence enters. Its id is made from schedule and occurrence. */
const scheduleJobSchema = z.strictObject({
  jobType: jobTypeSchema,
  jobVersion: z.number().int().min(1).max(9_999).default(1),
  tenantId: tenantIdSchema.default('default'),
  priority: z.number().int().min(PRIORITY_MIN).max(PRIORITY_MAX).default(0),
  maxAttempts: z.number().int().min(1).max(100).default(8),
  timeoutMs: z.number().int().min(0).max(DAY_MS).default(0),
  /** Stored byte for byte with every job. */
  payload: wholeText().max(65_536).default(''),
});

/** A first or last time, both inclusive. */
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
  missed: z.enum(MISSED_POLICIES).default('one'),
  overlap: z.enum(OVERLAP_POLICIES).default('allow'),
  startAt: boundSchema.default(null),
  endAt: boundSchema.default(null),
  reason: reasonSchema.optional(),
});
export type ScheduleDefinition = Omit<z.output<typeof scheduleRequestSchema>, 'reason'>;
/** A change of the given fields. `timing` and `job` are replaced as a whole: their parts belong together. */
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
export const occurrenceOutcomeSchema = z.enum(OCCURRENCE_OUTCOMES);

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
  generation: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
  maker: z.string(),
  actor: z.string(),
  reason: z.string().nullable(),
  nextAt: z.number().nullable(),
  last: z
    .object({ fireTime: z.number(), jobId: z.string().nullable(), outcome: occurrenceOutcomeSchema })
    .nullable(),
  entered: z.number(),
  skipped: z.number(),
});
/** In a list: the size of the payload instead of the payload. */
export const scheduleSummarySchema = scheduleSchema.extend({
  job: scheduleJobSchema.omit({ payload: true }).extend({ payloadBytes: z.number() }),
});
export type ScheduleSummary = z.infer<typeof scheduleSummarySchema>;
const recentRunSchema = z.object({
  /** Fire time. */
  at: z.number(),
  /** `unknown`: the queue no longer keeps the job, and nothing else says how it ended. */
  outcome: z.enum(RECENT_RUN_OUTCOMES),
  /** Fire times in a row that had no job for the same reason; `at` is the first. */
  count: z.number().default(1),
  jobId: z.string().nullable().default(null),
});
export type RecentRun = z.infer<typeof recentRunSchema>;
export type RecentRunOutcome = RecentRun['outcome'];
/** What live workers of the queue lack for its jobs. Null: one has a handler, or it is not known. */
const missingHandlerSchema = z.enum(MISSING_HANDLERS).nullable().default(null);
/** One schedule with the runs that its queue remembers, oldest first. */
export const scheduleDetailSchema = scheduleSchema.extend({
  missingHandler: missingHandlerSchema,
  runs: z.array(recentRunSchema).max(SCHEDULE_RUNS_MAX).default([]),
});
export type ScheduleDetail = z.infer<typeof scheduleDetailSchema>;
const listedScheduleSchema = scheduleSummarySchema.extend({
  /** Why its maker could not create it now; null: they could, or the reader is not an administrator. */
  makerRefusal: z.string().nullable().default(null),
  missingHandler: missingHandlerSchema,
  /** Oldest first. */
  recentRuns: z.array(recentRunSchema).max(RECENT_RUNS_MAX).default([]),
});
export type ListedSchedule = z.infer<typeof listedScheduleSchema>;
/** By id, so that rows do not move while their next occurrences change. */
export const schedulesPageSchema = z.object({
  at: z.number(),
  schedules: z.array(listedScheduleSchema),
  nextCursor: z.string().nullable(),
  total: z.number(),
});
export type SchedulesPage = z.infer<typeof schedulesPageSchema>;

export const scheduleRunSchema = z.object({ jobId: z.string(), outcome: enqueueOutcomeSchema });
export const schedulePreviewRequestSchema = z.strictObject({
  timing: scheduleTimingSchema,
  startAt: boundSchema.default(null),
  endAt: boundSchema.default(null),
  count: z.number().int().min(1).max(SCHEDULE_PREVIEW_MAX).default(10),
});
export interface SchedulePreviewRequest extends Pick<ScheduleRequest, 'timing' | 'startAt' | 'endAt'> {
  /** Fire times to return, at most 50. Default 10. */
  count?: number | undefined;
}
export const schedulePreviewSchema = z.object({
  at: z.number(),
  fireTimes: z.array(z.number()),
  /** Where the clocks of the zone change among the next occurrences or within a year, and what becomes of the occurrences there. */
  clockChange: z.object({ at: z.number(), offsetBeforeMs: z.number(), offsetAfterMs: z.number() }).nullable(),
});
export interface SchedulePreview {
  at: number;
  fireTimes: number[];
  /** Where the clocks of the zone change among the next occurrences or within a year. */
  clockChange: { at: number; offsetBeforeMs: number; offsetAfterMs: number } | null;
}
