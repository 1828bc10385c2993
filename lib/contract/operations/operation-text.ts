/** Names and descriptions of operations, for pages and messages. Pure. */

import type { JobState } from '../jobs/job-states';
import type { Operation } from './operation';
import type { OperationKind } from './operation-kinds';
import type { Scope } from './operation-request';

export interface KindLabels {
  /** On buttons and titles. */
  readonly verb: string;
  /** After a number: "12 of 40 re-driven". */
  readonly done: string;
}

export const KIND_LABELS: Readonly<Record<OperationKind, KindLabels>> = {
  redrive: {
    verb: 'Re-drive',
    done: 're-driven',
  },
  move: {
    verb: 'Re-drive to another queue',
    done: 'moved',
  },
  edit: {
    verb: 'Edit and re-drive',
    done: 'edited and re-driven',
  },
  suppress: {
    verb: 'Suppress',
    done: 'suppressed',
  },
  unsuppress: {
    verb: 'Unsuppress',
    done: 'back to dead',
  },
  purge: {
    verb: 'Purge',
    done: 'moved to the trash',
  },
  restore: {
    verb: 'Restore',
    done: 'restored',
  },
  recall: {
    verb: 'Recall',
    done: 'recalled',
  },
  delete: {
    verb: 'Delete permanently',
    done: 'deleted',
  },
  cancel: {
    verb: 'Cancel jobs',
    done: 'cancelled',
  },
  promote: {
    verb: 'Promote',
    done: 'promoted',
  },
  reschedule: {
    verb: 'Reschedule',
    done: 'rescheduled',
  },
  export: {
    verb: 'Export',
    done: 'written',
  },
  'delete-queue': {
    verb: 'Delete queue',
    done: 'deleted',
  },
};

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

/** Ids of failure groups say nothing to a reader: several are told as their number. */
const GROUPS = /(?:^|\s)group:\(([^()\s]+(?: OR [^()\s]+)+)\)$/;
function groupsIn(query: string): string | null {
  const found = GROUPS.exec(query);
  const ids = found?.[1];
  if (found === null || ids === undefined) return null;
  const rest = query.slice(0, found.index).trim();
  return `${ids.split(' OR ').length} failure groups${rest === '' ? '' : ` that match ${rest}`}`;
}

/** The operation's jobs: the query, or the number of selected jobs. */
export function scopeLabel({ state, q, jobs, queue }: Scope, kind?: OperationKind): string {
  if (kind === 'delete-queue') return `all of ${queue}`;
  if (jobs) return `${jobs.length} selected ${stateNoun(state, jobs.length)}`;
  const where = queue === undefined ? '' : ` in ${queue}`;
  const query = q?.trim() ?? '';
  const groups = groupsIn(query);
  if (groups !== null) return `${stateNoun(state, 2)}${where} of ${groups}`;
  return query === ''
    ? `all ${stateNoun(state, 2)}${where}`
    : `${stateNoun(state, 2)}${where} that match ${query}`;
}

/** A short form: the query alone, where there is one. */
export const shortScopeLabel = (scope: Scope, kind?: OperationKind): string =>
  (groupsIn(scope.q?.trim() ?? '') ?? scope.q?.trim()) || scopeLabel(scope, kind);

/** The share of the ended jobs that died again; null while none has ended. */
export function diedAgainShare({ outcome }: Pick<Operation, 'outcome'>): number | null {
  if (!outcome) return null;
  const ended = outcome.completed + outcome.diedAgain;
  return ended === 0 ? null : outcome.diedAgain / ended;
}

/** Whether some of the moved jobs have not ended yet. */
export const hasUnfinishedJobs = ({ outcome }: Pick<Operation, 'outcome'>): boolean =>
  outcome !== null && outcome.running + outcome.waiting > 0;
