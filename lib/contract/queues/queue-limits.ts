/** Limits and sort orders of queues. */

/** Every queue recognises a job sent again within this time. */
export const RESEND_WINDOW_MIN_MS = 60_000;
/** Exceptions for single tenants and job types; the rest share the default. */
export const OVERRIDES_MAX = 100;

/** How a hot queue is spread over hash slots. Fixed once jobs are in: a job is found by the same rule that placed it. */
export const SHARDS_MAX = 64;

export const VERDICT_LEVELS = ['ok', 'warn', 'bad'] as const;

/** At most so many pauses, draining queues and deserted queues are named; others are only counted. */
export const NAMED_MAX = 50;

/** A frame of the event stream lists at most so many queues, the most troubled ones; so does a page of the console. */
export const FRAME_QUEUES_MAX = 50;
/** So many of them come with the page itself, for its first screen; the stream brings the others a moment later. */
export const FIRST_QUEUES = 20;
/** With full names and a pause each still less than 60 KB. */
export const QUEUE_PAGE_DEFAULT = 50;
export const QUEUE_PAGE_MAX = 500;
/** Of so many queues one event stream carries every number. */
export const WATCHED_QUEUES_MAX = 10;
/** Of so many queues one request reads the minutes. */
export const MINUTES_QUEUES_MAX = 100;
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

/** `/stats`: all queues by name, in pages where there are very many. */
export const STATS_QUEUES_MAX = 2_000;
/** `/metrics` lists at most so many queues, by name; `?q=` selects some by part of the name. */
export const METRICS_QUEUES_MAX = 2_000;
