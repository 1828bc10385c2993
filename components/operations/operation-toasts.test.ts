import { describe, expect, it } from 'vitest';
import type { Operation } from '@/lib/contract/operations/operation';
import { completedOperation, outcomeOf } from '@/testing/records/completed-operation';
import { isResultKnown } from './operation-toasts';

describe('the result in a toast', () => {
  it.each<[string, Partial<Operation>, boolean]>([
    ['not while it runs', { status: 'running', outcome: outcomeOf({ waiting: 13 }) }, false],
    ['not while its jobs wait', { outcome: outcomeOf({ waiting: 13 }) }, false],
    ['once all have ended', { outcome: outcomeOf({ completed: 13 }) }, true],
    [
      'once it is bad',
      { status: 'running', moved: 99, outcome: outcomeOf({ diedAgain: 10, waiting: 89 }) },
      true,
    ],
    ['at its end, if no job runs again', {}, true],
  ])('is shown %s', (_, fields, known) => expect(isResultKnown(completedOperation(fields))).toBe(known));
});
