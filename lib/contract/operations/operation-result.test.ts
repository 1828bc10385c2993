import { describe, expect, it } from 'vitest';
import { completedOperation, outcomeOf } from '@/testing/records/completed-operation';
import type { Operation } from './operation';
import { isBadResult, operationResult } from './operation-result';

const pausedBy = (by: string): Operation['paused'] => ({ by, at: 1, sentence: 'Too many died again.' });

describe('the result of an operation', () => {
  it.each<[string, Partial<Operation>, string, string]>([
    ['all died again', { outcome: outcomeOf({ diedAgain: 13 }) }, 'bad', 'Completed · 13 of 13 died again'],
    [
      'half died again',
      { outcome: outcomeOf({ diedAgain: 7, completed: 6 }) },
      'bad',
      'Completed · 7 of 13 died again',
    ],
    [
      'some died again',
      { outcome: outcomeOf({ diedAgain: 2, completed: 11 }) },
      'warn',
      'Completed · 2 of 13 died again',
    ],
    ['all succeeded', { outcome: outcomeOf({ completed: 13 }) }, 'good', 'Completed'],
    ['none has run yet', { outcome: outcomeOf({ waiting: 13 }) }, 'neutral', 'Completed'],
    ['some have not run yet', { outcome: outcomeOf({ completed: 4, waiting: 9 }) }, 'neutral', 'Completed'],
    [
      'the first of many died again',
      { status: 'running', moved: 1_000, outcome: outcomeOf({ diedAgain: 1, waiting: 999 }) },
      'open',
      'Running · 1 of 1,000 died again',
    ],
    [
      'most of the first died again',
      { status: 'running', moved: 1_000, outcome: outcomeOf({ diedAgain: 9, completed: 1, waiting: 990 }) },
      'bad',
      'Running · 9 of 1,000 died again',
    ],
    [
      'its canary failed',
      { status: 'paused', moved: 3, paused: pausedBy('canary'), outcome: outcomeOf({ diedAgain: 3 }) },
      'bad',
      'Stopped by its canary · 3 of 3 died again',
    ],
    [
      'the automatic stop paused it',
      {
        status: 'paused',
        paused: pausedBy('died-again'),
        outcome: outcomeOf({ completed: 9, diedAgain: 4 }),
      },
      'bad',
      'Stopped automatically · 4 of 13 died again',
    ],
    ['a user paused it', { status: 'paused', paused: pausedBy('ada') }, 'warn', 'Paused'],
    ['nothing was moved', { moved: 0, skipped: 13 }, 'warn', 'Completed · all 13 skipped'],
    ['it was undone', { undone: 13 }, 'neutral', 'Completed · 13 of 13 undone'],
    ['another kind completed', {}, 'good', 'Completed'],
    ['it failed', { status: 'failed' }, 'bad', 'Failed'],
  ])('B3: %s', (_, fields, level, label) => {
    expect(operationResult(completedOperation(fields))).toEqual({ level, label });
    expect(isBadResult(completedOperation(fields))).toBe(level === 'bad');
  });
});
