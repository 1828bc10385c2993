import { describe, expect, it } from 'vitest';
import type { Operation } from '@/lib/contract/operations/operation';
import { mergeOperations } from './merge-operations';

const operation = (id: string, patch: Partial<Operation> = {}): Operation => ({
  id,
  kind: 'redrive',
  status: 'running',
  scope: { state: 'dead', q: '' },
  target: null,
  patch: null,
  dueAt: null,
  format: null,
  maxRows: null,
  includeUnsafe: false,
  cutoff: 0,
  actor: 'ada',
  reason: 'fixed',
  createdAt: 0,
  startedAt: null,
  endedAt: null,
  marks: [],
  expected: 1,
  estimated: false,
  scanned: 0,
  moved: 0,
  skipped: 0,
  skips: {},
  rate: { perSecond: null, keepReadyBelow: null },
  canary: null,
  stop: null,
  phase: null,
  paused: null,
  outcome: null,
  trouble: null,
  error: null,
  undoes: null,
  undoneBy: [],
  undone: 0,
  undo: null,
  decidedBy: null,
  events: [],
  ...patch,
});

describe('mergeOperations', () => {
  it('replaces what it knew and keeps what the stream no longer carries, latest first', () => {
    const known = [operation('a', { createdAt: 1 }), operation('b', { createdAt: 2 })];
    const merged = mergeOperations(known, [
      operation('a', { createdAt: 1, moved: 5 }),
      operation('c', { createdAt: 3 }),
    ]);
    expect(merged.map((o) => [o.id, o.moved])).toEqual([
      ['c', 0],
      ['b', 0],
      ['a', 5],
    ]);
  });

  it('keeps the array when nothing arrived', () => {
    const known = [operation('a')];
    expect(mergeOperations(known, [])).toBe(known);
  });
});
