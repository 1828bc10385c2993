import { describe, expect, it } from 'vitest';
import type { Operation, Outcome } from './operation';
import { isBadResult, operationResult } from './operation-result';

type Judged = Parameters<typeof operationResult>[0];
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
const operation = (fields: Partial<Judged>): Judged => ({
  status: 'completed',
  paused: null,
  outcome: null,
  moved: 13,
  skipped: 0,
  undone: 0,
  ...fields,
});
const pausedBy = (by: string): Operation['paused'] => ({ by, at: 1, sentence: 'Too many died again.' });

describe('the result of an operation', () => {
  it.each<[string, Partial<Judged>, string, string]>([
    ['all died again', { outcome: outcome({ diedAgain: 13 }) }, 'bad', 'Completed · 13 of 13 died again'],
    [
      'half died again',
      { outcome: outcome({ diedAgain: 7, completed: 6 }) },
      'bad',
      'Completed · 7 of 13 died again',
    ],
    [
      'some died again',
      { outcome: outcome({ diedAgain: 2, completed: 11 }) },
      'warn',
      'Completed · 2 of 13 died again',
    ],
    ['all succeeded', { outcome: outcome({ completed: 13 }) }, 'good', 'Completed'],
    ['none has run yet', { outcome: outcome({ waiting: 13 }) }, 'neutral', 'Completed'],
    [
      'the first of many died again',
      { status: 'running', moved: 1_000, outcome: outcome({ diedAgain: 1, waiting: 999 }) },
      'open',
      'Running · 1 of 1,000 died again',
    ],
    [
      'most of the first died again',
      { status: 'running', moved: 1_000, outcome: outcome({ diedAgain: 9, completed: 1, waiting: 990 }) },
      'bad',
      'Running · 9 of 1,000 died again',
    ],
    [
      'its canary failed',
      { status: 'paused', moved: 3, paused: pausedBy('canary'), outcome: outcome({ diedAgain: 3 }) },
      'bad',
      'Stopped by its canary · 3 of 3 died again',
    ],
    [
      'the automatic stop paused it',
      { status: 'paused', paused: pausedBy('died-again'), outcome: outcome({ completed: 9, diedAgain: 4 }) },
      'bad',
      'Stopped automatically · 4 of 13 died again',
    ],
    ['a user paused it', { status: 'paused', paused: pausedBy('ada') }, 'warn', 'Paused'],
    ['nothing was moved', { moved: 0, skipped: 13 }, 'warn', 'Completed · all 13 skipped'],
    ['it was undone', { undone: 13 }, 'neutral', 'Completed · 13 of 13 undone'],
    ['another kind completed', {}, 'good', 'Completed'],
    ['it failed', { status: 'failed' }, 'bad', 'Failed'],
  ])('B3: %s', (_, fields, level, label) => {
    expect(operationResult(operation(fields))).toEqual({ level, label });
    expect(isBadResult(operation(fields))).toBe(level === 'bad');
  });
});
