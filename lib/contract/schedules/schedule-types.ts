/** Schedules, written to be read: the schemas check the same shapes, which schedule-types.test.ts holds together. Times are in ms since 1970. */
import type { MISSED_POLICIES, OCCURRENCE_OUTCOMES, OVERLAP_POLICIES } from './schedule-limits';

/** A cron expression in a time zone, or an interval: fire times are multiples since `anchor`, so that they never drift. */
export type ScheduleTiming = { cron: string; timeZone: string } | { everyMs: number; anchor: number };
type TimingInput =
  /** Five or six fields, seconds first when six; an IANA zone, default `UTC`. */
  | { cron: string; timeZone?: string | undefined }
  /** At least 1,000; `anchor` default 0. */
  | { everyMs: number; anchor?: number | undefined };

/** The job that each occurrence enters. Its id is made from schedule and occurrence. */
export interface ScheduleJob {
  jobType: string;
  /** Default 1. */
  jobVersion: number;
  /** Default `default`. */
  tenantId: string;
  /** Default 0. */
  priority: number;
  /** Default 8. */
  maxAttempts: number;
  /** Default 0: the worker's. */
  timeoutMs: number;
  /** Stored byte for byte with every job; at most 64 KiB. Default empty. */
  payload: string;
}
type JobInput = Pick<ScheduleJob, 'jobType'> & {
  [K in keyof Omit<ScheduleJob, 'jobType'>]?: ScheduleJob[K] | undefined;
};

interface Options {
  /** Fire times missed while no scheduler ran: `skip` them, enter `one` job for all of them (default), or one each (`all`). */
  missed?: (typeof MISSED_POLICIES)[number] | undefined;
  /** `skip`: no job for an occurrence while the job of the occurrence before is still to be done. Default `allow`. */
  overlap?: (typeof OVERLAP_POLICIES)[number] | undefined;
  /** No occurrences before; null (default): no bound. */
  startAt?: number | null | undefined;
  /** No occurrences after. */
  endAt?: number | null | undefined;
  /** Kept with the change. */
  reason?: string | undefined;
}

export interface ScheduleRequest extends Options {
  /** A name of at most 200 characters. */
  id: string;
  queue: string;
  timing: TimingInput;
  job: JobInput;
}

/** A change of the given fields. `timing` and `job` are replaced as a whole: their parts belong together. */
export interface SchedulePatch extends Options {
  queue?: string | undefined;
  timing?: TimingInput | undefined;
  job?: JobInput | undefined;
  paused?: boolean | undefined;
}

/**
 * Of an occurrence: job enqueued (`entered`); skipped because the job before was not done (`overlap`); refused by a queue that drains or is
 * full; skipped because no scheduler ran in time (`missed`).
 */
export type OccurrenceOutcome = (typeof OCCURRENCE_OUTCOMES)[number];

export interface Schedule {
  id: string;
  queue: string;
  timing: ScheduleTiming;
  job: ScheduleJob;
  missed: (typeof MISSED_POLICIES)[number];
  overlap: (typeof OVERLAP_POLICIES)[number];
  startAt: number | null;
  endAt: number | null;
  paused: boolean;
  /** Goes up with every change: a scheduler that still holds the old record is refused. */
  generation: number;
  createdAt: number;
  updatedAt: number;
  /** Who created it, or last changed its job, queue or timing. It outlives the user: it belongs to the queue. */
  maker: string;
  /** Who changed it last. */
  actor: string;
  reason: string | null;
  /** Null: paused, or no occurrence is left. */
  nextAt: number | null;
  /** The last occurrence, and the last enqueued job, which may be of an earlier one. */
  last: { fireTime: number; jobId: string | null; outcome: OccurrenceOutcome } | null;
  entered: number;
  /** Skipped occurrences: missed, overlapping, or refused by the queue. */
  skipped: number;
}
