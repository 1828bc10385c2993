import { describe, expect, it } from 'vitest';
import type { Operation } from '@/lib/contract/operations/operation';
import type { OperationStatus } from '@/lib/contract/operations/operation-kinds';
import { ENDED_SHOWN_MS, visibleCards } from './live-cards';

const operation = (id: string, status: OperationStatus, createdAt: number, endedAt: number | null = null) =>
  ({
    id,
    status,
    createdAt,
    endedAt,
    paused: null,
    outcome: null,
    moved: 1,
    skipped: 0,
    undone: 0,
  }) as Operation;
const view = { dismissed: new Set<string>(), since: 1_000, now: 2_000 };
const ids = (operations: Operation[], change: Partial<typeof view> = {}) => {
  const { shown, more } = visibleCards(operations, { ...view, ...change });
  return [shown.map(({ id }) => id).join(' '), more];
};

describe('the cards that follow', () => {
  it('shows what needs a person first, then the newest, three at most', () => {
    const all = [
      operation('a', 'running', 1),
      operation('b', 'running', 2),
      operation('c', 'paused', 0),
      operation('d', 'awaiting-approval', 3),
      operation('e', 'running', 4),
    ];
    expect(ids(all)).toEqual(['c d e', 2]);
  });
  it('keeps one that ended for a minute, when it ended while one looked', () => {
    const ended = [operation('a', 'completed', 1, 1_500), operation('b', 'completed', 1, 900)];
    expect(ids(ended)).toEqual(['a', 0]);
    expect(ids(ended, { now: 1_500 + ENDED_SHOWN_MS })).toEqual(['', 0]);
  });
  it('puts one whose jobs died again first, and keeps it until it is dismissed', () => {
    const outcome = {
      completed: 0,
      running: 0,
      waiting: 0,
      diedAgain: 13,
      recalled: 0,
      deleted: 0,
      groups: [],
    };
    const bad = { ...operation('b', 'completed', 1, 1_500), moved: 13, skipped: 0, outcome };
    expect(ids([operation('p', 'paused', 9), bad])).toEqual(['b p', 0]);
    expect(ids([bad], { now: 1_500 + 2 * ENDED_SHOWN_MS })).toEqual(['b', 0]);
    expect(ids([bad], { dismissed: new Set(['b']) })).toEqual(['', 0]);
  });
  it('leaves out what was put away', () =>
    expect(ids([operation('a', 'running', 1)], { dismissed: new Set(['a']) })).toEqual(['', 0]));
});
