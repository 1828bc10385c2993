/** What operations are called and what they say before they do it: one table for pages and messages. Pure. */
import {
  type Operation,
  type OperationKind,
  type OperationStatus,
  RERUNS,
  type Scope,
  type SkipReason,
} from './operations';
import type { JobState } from './states';

export interface KindWords {
  /** On buttons and titles. */
  readonly verb: string;
  /** After a number: "12 of 40 re-driven". */
  readonly done: string;
  /** What happens to each job, in a sentence or two. */
  readonly happens: string;
}

export const KIND_WORDS: Readonly<Record<OperationKind, KindWords>> = {
  redrive: {
    verb: 'Re-drive',
    done: 're-driven',
    happens:
      'Each goes back to ready with its attempts reset. Its history is kept, and says who re-drove it and why.',
  },
  move: {
    verb: 'Re-drive to another queue',
    done: 'moved',
    happens: 'Each leaves its queue and becomes ready in the other one, with its attempts reset.',
  },
  edit: {
    verb: 'Edit and re-drive',
    done: 'edited and re-driven',
    happens:
      'Each payload is changed as the preview shows; the job then goes back to ready with its attempts reset.',
  },
  suppress: {
    verb: 'Suppress',
    done: 'suppressed',
    happens: 'Each is set aside as knowingly ignored and counts no longer as dead. This can be undone.',
  },
  unsuppress: {
    verb: 'Unsuppress',
    done: 'back to dead',
    happens: 'Each counts as dead again, as of when it died.',
  },
  purge: {
    verb: 'Purge',
    done: 'to the trash',
    happens:
      'Each goes to the trash, from where it can be restored until its grace ends (1 h, unless the queue says otherwise); then it is deleted for good.',
  },
  restore: {
    verb: 'Restore',
    done: 'restored',
    happens: 'Each comes back from the trash and is dead again, as of when it died.',
  },
  recall: {
    verb: 'Recall',
    done: 'recalled',
    happens: 'Each that still waits goes back to where it was. What runs or has run stays as it is.',
  },
  delete: {
    verb: 'Delete for good',
    done: 'deleted',
    happens: 'Each is deleted with its payload and its history. Nothing brings them back.',
  },
  cancel: {
    verb: 'Cancel jobs',
    done: 'cancelled',
    happens:
      'Each goes to the dead letters as cancelled, from where it can be re-driven. A worker that runs one loses its claim; what its handler did already is not undone.',
  },
  promote: {
    verb: 'Promote',
    done: 'promoted',
    happens: 'Each becomes ready now instead of at its due time.',
  },
  reschedule: {
    verb: 'Reschedule',
    done: 'rescheduled',
    happens: 'Each becomes due at the new time instead of its own.',
  },
  export: {
    verb: 'Export',
    done: 'written',
    happens: 'Nothing is changed. What matches is written to a file, which you download.',
  },
  'delete-queue': {
    verb: 'Delete queue',
    done: 'deleted',
    happens:
      'The queue goes with all its jobs, their history, its settings and its pauses. Nothing brings them back. A job that is enqueued later makes a new, empty queue.',
  },
};

export const STATUS_WORDS: Readonly<Record<OperationStatus, string>> = {
  'awaiting-approval': 'Awaiting approval',
  running: 'Running',
  paused: 'Paused',
  completed: 'Completed',
  cancelled: 'Cancelled',
  rejected: 'Rejected',
  failed: 'Failed',
};

/** Why a job was, or would be, left alone: after a number. */
export const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  changed: 'changed since: in another state, or died again',
  'deadline-passed': 'past their deadline: running them now is of no use',
  'not-unique': 'another job has their uniqueness key',
  unreadable: 'their stored row cannot be read',
  'in-flight': 'in flight just now',
  'not-safe': 'their class says a re-drive does not help',
  'no-idempotency-key':
    'may have had their effect already, and have no idempotency key to keep it from happening twice',
  'patch-failed': 'the patch does not fit their payload',
  'invalid-payload': 'the changed payload is none their handler takes',
  'id-taken': 'the other queue has a job of that id',
  'payload-too-large': 'the changed payload is too large',
};
/** Reasons that "include unsafe ones" lifts. */
export const UNSAFE_SKIPS: readonly SkipReason[] = ['not-safe', 'no-idempotency-key'];

const STATE_NOUNS: Readonly<Record<JobState, readonly [string, string]>> = {
  ready: ['ready job', 'ready jobs'],
  'in-flight': ['job in flight', 'jobs in flight'],
  scheduled: ['scheduled job', 'scheduled jobs'],
  retry: ['retrying job', 'retrying jobs'],
  held: ['held job', 'held jobs'],
  completed: ['completed job', 'completed jobs'],
  dead: ['dead letter', 'dead letters'],
  suppressed: ['suppressed job', 'suppressed jobs'],
  trashed: ['trashed job', 'trashed jobs'],
};
/** "dead letters", "job in flight". */
export const stateNoun = (state: JobState, count: number): string => STATE_NOUNS[state][count === 1 ? 0 : 1];

/** Which jobs: the query as it was asked, or how many were ticked. */
export function scopeWords({ state, q, jobs, queue }: Scope, kind?: OperationKind): string {
  if (kind === 'delete-queue') return `all of ${queue}`;
  if (jobs) return `${jobs.length} ticked ${stateNoun(state, jobs.length)}`;
  const where = queue === undefined ? '' : ` in ${queue}`;
  const query = q?.trim() ?? '';
  return query === ''
    ? `all ${stateNoun(state, 2)}${where}`
    : `${stateNoun(state, 2)}${where} that match ${query}`;
}

/** The same where there is little room: the query alone says what it is about. */
export const scopeShort = (scope: Scope, kind?: OperationKind): string =>
  scope.q?.trim() || scopeWords(scope, kind);

/** The part of those that have ended which died again; null while none has. */
export function diedAgainShare({ outcome }: Pick<Operation, 'outcome'>): number | null {
  if (!outcome) return null;
  const ended = outcome.completed + outcome.diedAgain;
  return ended === 0 ? null : outcome.diedAgain / ended;
}

/** Whether what it moved still has to end. */
export const stillEnding = ({ outcome }: Pick<Operation, 'outcome'>): boolean =>
  outcome !== null && outcome.running + outcome.waiting > 0;

/** Whether a canary and an automatic stop make sense for it. */
export const reruns = (kind: OperationKind): boolean => RERUNS.has(kind);
