/** The codes of all findings, causes before symptoms. */

/** Of one queue, in the order in which its findings stand. */
export const QUEUE_CODES = [
  'LEDGER',
  'SHARDS',
  'FAILING',
  'NO_WORKERS',
  'OVERDUE',
  'OLD',
  'DEEP',
  'FULL',
  'NEARLY_FULL',
  'EXPIRING',
  'DRAINING',
  'PAUSED',
] as const;
export type QueueCode = (typeof QUEUE_CODES)[number];

/** Findings about whole queues only, whose sentences say nothing of other queues, of workers or of Redis. */
const ABOUT_QUEUES: ReadonlySet<string> = new Set([
  ...QUEUE_CODES,
  'UNREADABLE',
  'MISSED',
  'UNKNOWN_JOB',
  'NEW_FAILURE',
]);

export const FINDING_CODES: readonly string[] = [
  'REDIS',
  'DATA_LOST',
  'MEMORY',
  'PERSISTENCE',
  'OPERATION',
  'UNREADABLE',
  'WORKERS_GONE',
  'BREAKER',
  'MISSED',
  'UNKNOWN_JOB',
  'NEW_FAILURE',
  ...QUEUE_CODES,
];

export const isAboutQueues = (code: string): boolean => ABOUT_QUEUES.has(code);
