/** What may be done to one job, and the kinds of its history. */
import type { JobState } from './job-states';

export const HISTORY_KINDS = [
  'failed',
  'dead',
  'lost',
  'released',
  'redriven',
  'promoted',
  'suppressed',
  'purged',
  'restored',
  /** Its payload was changed, and it was re-driven. */
  'edited',
  /** It came from another queue. */
  'moved',
  'recalled',
  'rescheduled',
] as const;

/** What a person may do to one job, and from which states. Shown and enforced from this one table. */
export const JOB_ACTIONS = {
  promote: ['scheduled', 'retry'],
  cancel: ['ready', 'held', 'scheduled', 'retry', 'in-flight'],
  redrive: ['dead', 'suppressed'],
  suppress: ['dead'],
  purge: ['dead', 'suppressed'],
  restore: ['trashed', 'suppressed'],
  remove: ['ready', 'held', 'scheduled', 'retry', 'completed', 'dead', 'suppressed', 'trashed'],
} as const satisfies Record<string, readonly JobState[]>;
export type JobAction = keyof typeof JOB_ACTIONS;
