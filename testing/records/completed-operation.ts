/** An operation that is done, for tests of what is made of its result: each names only what it is about. */
import type { Operation, Outcome } from '@/lib/contract/operations/operation';

export const outcomeOf = (counts: Partial<Outcome>): Outcome => ({
  completed: 0,
  running: 0,
  waiting: 0,
  diedAgain: 0,
  recalled: 0,
  deleted: 0,
  groups: [],
  ...counts,
});

/** A re-drive of 13 jobs. Fields without a bearing on results are left out. */
export const completedOperation = (fields: Partial<Operation>): Operation =>
  ({
    id: 'op-1',
    kind: 'redrive',
    status: 'completed',
    target: null,
    paused: null,
    outcome: null,
    moved: 13,
    skipped: 0,
    undone: 0,
    ...fields,
  }) as Operation;
