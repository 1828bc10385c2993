/** Names and descriptions of operations, for pages and messages. Pure. */

import type { JobState } from '../jobs/job-states';
import type { Operation } from './operation';
import type { OperationKind, OperationStatus, SkipReason } from './operation-kinds';
import type { Scope } from './operation-request';

export interface KindLabels {
  /** On buttons and titles. */
  readonly verb: string;
  /** After a number: "12 of 40 re-driven". */
  readonly done: string;
  /** What happens to each job, in a sentence or two. */
  readonly happens: string;
}

export const KIND_LABELS: Readonly<Record<OperationKind, KindLabels>> = {
  redrive: {
    verb: 'Re-drive',
    done: 're-driven',
    happens:
      'Each becomes ready again with its attempts reset. Its history is kept, with who re-drove it and why.',
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
      'Each payload is changed as the preview shows; the job then becomes ready again with its attempts reset.',
  },
  suppress: {
    verb: 'Suppress',
    done: 'suppressed',
    happens: 'Each is set aside and no longer counts as dead. This can be undone.',
  },
  unsuppress: {
    verb: 'Unsuppress',
    done: 'back to dead',
    happens: 'Each becomes a dead letter again. Its time of death is kept.',
  },
  purge: {
    verb: 'Purge',
    done: 'moved to the trash',
    happens:
      'Each moves to the trash. It can be restored until the retention of the trash ends (1 h by default); then it is deleted permanently.',
  },
  restore: {
    verb: 'Restore',
    done: 'restored',
    happens: 'Each moves from the trash back to the dead letters. Its time of death is kept.',
  },
  recall: {
    verb: 'Recall',
    done: 'recalled',
    happens:
      'Each job that still waits goes back to where it was. Running and finished jobs stay as they are.',
  },
  delete: {
    verb: 'Delete permanently',
    done: 'deleted',
    happens: 'Each is deleted with its payload and history. This cannot be undone.',
  },
  cancel: {
    verb: 'Cancel jobs',
    done: 'cancelled',
    happens:
      'Each becomes a dead letter of class cancelled, which can be re-driven. A worker that runs one loses its claim; effects of its handler stay.',
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
    happens: 'Nothing is changed. The matches are written to a file that you download.',
  },
  'delete-queue': {
    verb: 'Delete queue',
    done: 'deleted',
    happens:
      'The queue is deleted with all its jobs, history, settings and pauses. This cannot be undone. A job enqueued later creates a new, empty queue.',
  },
};

export const OPERATION_STATUS_LABELS: Readonly<Record<OperationStatus, string>> = {
  'awaiting-approval': 'Awaiting approval',
  running: 'Running',
  paused: 'Paused',
  completed: 'Completed',
  cancelled: 'Cancelled',
  rejected: 'Rejected',
  failed: 'Failed',
};

/** Why jobs were, or would be, skipped: after a number. */
export const SKIP_LABELS: Readonly<Record<SkipReason, string>> = {
  changed: 'changed since: in another state, or died again',
  'deadline-passed': 'past their deadline, so running them is useless',
  'not-unique': 'another job has the same uniqueness key',
  unreadable: 'their stored row cannot be read',
  'in-flight': 'in flight',
  'not-safe': 'a re-drive does not help for this error class',
  'no-idempotency-key':
    'may have taken effect already and have no idempotency key to prevent a second effect',
  'patch-failed': 'the patch does not fit the payload',
  'invalid-payload': 'the changed payload is invalid for the handler',
  'id-taken': 'the target queue has a job with this id',
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

/** The operation's jobs: the query, or the number of selected jobs. */
export function scopeLabel({ state, q, jobs, queue }: Scope, kind?: OperationKind): string {
  if (kind === 'delete-queue') return `all of ${queue}`;
  if (jobs) return `${jobs.length} selected ${stateNoun(state, jobs.length)}`;
  const where = queue === undefined ? '' : ` in ${queue}`;
  const query = q?.trim() ?? '';
  return query === ''
    ? `all ${stateNoun(state, 2)}${where}`
    : `${stateNoun(state, 2)}${where} that match ${query}`;
}

/** A short form: the query alone, where there is one. */
export const shortScopeLabel = (scope: Scope, kind?: OperationKind): string =>
  scope.q?.trim() || scopeLabel(scope, kind);

/** The share of the ended jobs that died again; null while none has ended. */
export function diedAgainShare({ outcome }: Pick<Operation, 'outcome'>): number | null {
  if (!outcome) return null;
  const ended = outcome.completed + outcome.diedAgain;
  return ended === 0 ? null : outcome.diedAgain / ended;
}

/** Whether some of the moved jobs have not ended yet. */
export const hasUnfinishedJobs = ({ outcome }: Pick<Operation, 'outcome'>): boolean =>
  outcome !== null && outcome.running + outcome.waiting > 0;
