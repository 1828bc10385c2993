import { describe, expect, it } from 'vitest';
import type { Operation, Outcome } from '@/lib/contract/operations/operation';
import { isResultKnown } from './operation-toasts';

const outcome = (counts: Partial<Outcome>): Outcome => ({
  completed: 0,
  running: 0,
  waiting: 0,
  diedAgain: 0,
  recalled: 0,
  deleted: 0,
  groups: [],
  ...counts,
});
const operation = (fields: Partial<Operation>): Operation =>
  ({
    status: 'completed',
    paused: null,
    outcome: null,
    moved: 13,
    skipped: 0,
    undone: 0,
    ...fields,
  }) as Operation;

describe('the result in a toast', () => {
  it.each<[string, Partial<Operation>, boolean]>([
    ['not while it runs', { status: 'running', outcome: outcome({ waiting: 13 }) }, false],
    ['not while its jobs wait', { outcome: outcome({ waiting: 13 }) }, false],
    ['once all have ended', { outcome: outcome({ completed: 13 }) }, true],
    [
      'once it is bad',
      { status: 'running', moved: 99, outcome: outcome({ diedAgain: 10, waiting: 89 }) },
      true,
    ],
    ['at its end, if no job runs again', {}, true],
  ])('is shown %s', (_, fields, known) => expect(isResultKnown(operation(fields))).toBe(known));
});
