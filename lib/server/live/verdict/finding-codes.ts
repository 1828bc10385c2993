/** The codes of all findings, causes before symptoms. */
import { QUEUE_RULES } from './queue-rules';

const CODES_OF_QUEUES = Object.keys(QUEUE_RULES);
/** Findings about whole queues only, whose sentences say nothing of other queues, of workers or of Redis. */
const ABOUT_QUEUES: ReadonlySet<string> = new Set([
  ...CODES_OF_QUEUES,
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
  ...CODES_OF_QUEUES,
];

export const isAboutQueues = (code: string): boolean => ABOUT_QUEUES.has(code);
