import { describe, expect, it } from 'vitest';
import { diedAgainShare, KIND_WORDS, SKIP_WORDS, scopeWords, stillEnding } from './operation-words';
import { OPERATION_KINDS, type Outcome, SKIP_REASONS } from './operations';

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
    expect(Object.keys(KIND_WORDS)).toEqual([...OPERATION_KINDS]);
    expect(Object.keys(SKIP_WORDS).sort()).toEqual([...SKIP_REASONS].sort());
  });
  it('says which jobs', () => {
    expect(scopeWords({ state: 'dead', q: '' })).toBe('all dead letters');
    expect(scopeWords({ state: 'dead', q: 'type:a OR type:b' })).toBe(
      'dead letters that match type:a OR type:b',
    );
    expect(scopeWords({ state: 'ready', q: '', queue: 'email' })).toBe('all ready jobs in email');
    expect(scopeWords({ state: 'dead', jobs: [{ queue: 'q', jobId: 'a' }] })).toBe('1 ticked dead letter');
  });
  it('counts died again among those that ended', () => {
    expect(diedAgainShare({ outcome })).toBe(0.25);
    expect(diedAgainShare({ outcome: { ...outcome, completed: 0, diedAgain: 0 } })).toBeNull();
    expect(diedAgainShare({ outcome: null })).toBeNull();
    expect(stillEnding({ outcome })).toBe(true);
    expect(stillEnding({ outcome: { ...outcome, running: 0, waiting: 0 } })).toBe(false);
  });
});
