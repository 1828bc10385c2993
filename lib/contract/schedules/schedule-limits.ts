/** Limits and policies of schedules. */

/** An occurrence no older than this is late, not missed: ticks come every second or two, and deploys take a while. */
export const SCHEDULE_GRACE_MS = 30_000;
export const EVERY_MIN_MS = 1_000;
export const MISSED_POLICIES = ['skip', 'one', 'all'] as const;
export const OVERLAP_POLICIES = ['allow', 'skip'] as const;
/** At most this many missed occurrences are made up for, newest last; older ones are counted as skipped. */
export const MISSED_OCCURRENCES_MAX = 1_000;

export const OCCURRENCE_OUTCOMES = ['entered', 'overlap', 'refused', 'missed'] as const;

/** Runs of a schedule that a list tells the outcome of. */
export const RECENT_RUNS_MAX = 12;
/** Runs that a queue remembers of each schedule. */
export const SCHEDULE_RUNS_MAX = 50;
export const RECENT_RUN_OUTCOMES = [
  'completed',
  'dead',
  'running',
  'waiting',
  'skipped',
  'refused',
  'missed',
  'unknown',
] as const;

export const SCHEDULE_PREVIEW_MAX = 50;
