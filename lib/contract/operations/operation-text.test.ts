import { describe, expect, it } from 'vitest';
import type { Outcome } from './operation';
import { SKIP_LABELS } from './operation-effects';
import { OPERATION_KINDS, SKIP_REASONS } from './operation-kinds';
import { diedAgainShare, hasUnfinishedJobs, KIND_LABELS, scopeLabel } from './operation-text';

const outcome: Outcome = {
  completed: 6,
  running: 1,
  waiting: 2,
  diedAgain: 2,
  recalled: 0,
  deleted: 0,
  groups: [],
};

describe('words about operations', () => {
  it('has words for every kind and every reason to skip', () => {
    expect(Object.keys(KIND_LABELS)).toEqual([...OPERATION_KINDS]);
    expect(Object.keys(SKIP_LABELS).sort()).toEqual([...SKIP_REASONS].sort());
  });
  it('says which jobs', () => {
    expect(scopeLabel({ state: 'dead', q: '' })).toBe('all dead letters');
    expect(scopeLabel({ state: 'dead', q: 'type:a OR type:b' })).toBe(
      'dead letters that match type:a OR type:b',
    );
    expect(scopeLabel({ state: 'ready', q: '', queue: 'email' })).toBe('all ready jobs in email');
    // Ids of failure groups say nothing.
    expect(scopeLabel({ state: 'dead', q: 'group:(15451d804719 OR 28410bfb9ef4)' })).toBe(
      'dead letters of 2 failure groups',
    );
    expect(scopeLabel({ state: 'dead', q: 'queue:a group:(15451d804719 OR 28410bfb9ef4)' })).toBe(
      'dead letters of 2 failure groups that match queue:a',
    );
    expect(scopeLabel({ state: 'dead', jobs: [{ queue: 'q', jobId: 'a' }] })).toBe('1 selected dead letter');
  });
  it('counts died again among those that ended', () => {
    expect(diedAgainShare({ outcome })).toBe(0.25);
    expect(diedAgainShare({ outcome: { ...outcome, completed: 0, diedAgain: 0 } })).toBeNull();
    expect(diedAgainShare({ outcome: null })).toBeNull();
    expect(hasUnfinishedJobs({ outcome })).toBe(true);
    expect(hasUnfinishedJobs({ outcome: { ...outcome, running: 0, waiting: 0 } })).toBe(false);
  });
});
