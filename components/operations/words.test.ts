import { describe, expect, it } from 'vitest';
import type { Operation } from '@/lib/contract/operations';
import { filterWords, progressWords, remainingMs, selectionWords, speedOf, wholeOf } from './words';

const operation: Operation = {
  id: 'op-1',
  kind: 'redrive',
  status: 'running',
  filter: { queue: 'email' },
  selected: null,
  cutoff: 0,
  actor: 'ada',
  reason: 'fixed',
  createdAt: 10_000,
  endedAt: null,
  expected: 1_000,
  estimated: false,
  scanned: 250,
  moved: 240,
  skipped: 10,
  error: null,
};

describe('words about operations', () => {
  it('says the filter', () => {
    expect(filterWords({})).toBe('every dead letter');
    expect(filterWords({ queue: 'email', code: 'HTTP_503', minAgeMs: 3_600_000 })).toBe(
      'queue email, code HTTP_503, died more than 1 h ago',
    );
    expect(selectionWords({ ...operation, filter: null, selected: 1 })).toBe('1 ticked job');
  });
  it('says how far it is', () => {
    expect(progressWords(operation)).toBe('250 of 1,000');
    expect(progressWords({ ...operation, estimated: true })).toBe('250 of at least 1,000');
    expect(progressWords({ ...operation, status: 'completed' })).toBe('250 done');
  });
  it('never shows a bar beyond its end', () => {
    expect(wholeOf({ ...operation, expected: 100 })).toBe(250);
    expect(wholeOf({ ...operation, expected: 0, moved: 0, skipped: 0 })).toBe(1);
  });
  it('measures speed and what is left', () => {
    expect(speedOf(operation, 15_000)).toBe(50);
    expect(remainingMs(operation, 15_000)).toBe(15_000);
    expect(speedOf(operation, 10_100)).toBeNull();
    expect(remainingMs({ ...operation, status: 'cancelled' }, 15_000)).toBeNull();
  });
});
