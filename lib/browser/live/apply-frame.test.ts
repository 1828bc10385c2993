import { describe, expect, it } from 'vitest';
import type { Operation } from '@/lib/contract/operations/operation';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { mergeOperations, withMinutes } from './apply-frame';

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

describe('withMinutes', () => {
  const minute = { minute: 1, enqueued: 1, completed: 0, failed: 0, dead: 0 };
  const overview = (queues: { queue: string; minutes: (typeof minute)[] }[]) =>
    ({ queues, sums: { minutes: [] } }) as unknown as Overview;
  it('keeps the minutes a frame leaves out, queue by queue, and takes those it brings', () => {
    const known = overview([
      { queue: 'a', minutes: [minute] },
      { queue: 'b', minutes: [minute] },
    ]);
    const arrived = overview([
      { queue: 'b', minutes: [] },
      { queue: 'c', minutes: [] },
      { queue: 'a', minutes: [minute, minute] },
    ]);
    expect(withMinutes(arrived, known).queues.map((q) => [q.queue, q.minutes.length])).toEqual([
      ['b', 1],
      ['c', 0],
      ['a', 2],
    ]);
  });
});
