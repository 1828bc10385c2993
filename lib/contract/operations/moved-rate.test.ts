import { describe, expect, it } from 'vitest';
import { completedOperation } from '@/testing/records/completed-operation';
import { addMark, movedPerSecond, remainingMs } from './moved-rate';
import type { Operation, OperationEvent } from './operation';
import { OPERATION_MARKS_KEPT } from './operation-kinds';

const event = (at: number, type: OperationEvent['type']): OperationEvent => ({
  at,
  type,
  by: 'ada',
  sentence: null,
});
const started: Operation = {
  ...completedOperation({}),
  status: 'running',
  phase: null,
  startedAt: 0,
  marks: [],
  events: [],
  rate: { perSecond: null, keepReadyBelow: null },
  expected: 600,
  estimated: false,
  moved: 0,
  skipped: 0,
  trouble: null,
};

/** The operation after so many seconds at a rate, written four times a second. */
function work(operation: Operation, from: number, seconds: number, perSecond: number): Operation {
  let { marks } = operation;
  const base = operation.moved;
  let moved = base;
  for (let ms = 0; ms <= seconds * 1_000; ms += 250) {
    moved = base + Math.floor((ms * perSecond) / 1_000);
    marks = addMark(marks, from + ms, moved);
  }
  return { ...operation, marks, moved };
}

describe('the rate of an operation', () => {
  it('B2: is of what happened lately, without the pause', () => {
    const canary = work(started, 0, 1, 20);
    const paused: Operation = { ...canary, status: 'paused', events: [event(2_500, 'paused')] };
    expect(movedPerSecond(paused, 100_000)).toBeNull();
    expect(remainingMs(paused, 100_000)).toBeNull();
    const resumed: Operation = {
      ...paused,
      status: 'running',
      rate: { perSecond: 5, keepReadyBelow: null },
      events: [event(2_500, 'paused'), event(200_000, 'resumed')],
    };
    const running = work(resumed, 200_000, 6, 5);
    expect(movedPerSecond(running, 206_000)).toBe(5);
    expect(remainingMs(running, 206_000)).toBe(((600 - 50) / 5) * 1_000);
    // A higher rate counts from its first seconds on.
    const faster: Operation = {
      ...running,
      rate: { perSecond: 40, keepReadyBelow: null },
      events: [...running.events, event(206_000, 'changed')],
    };
    expect(movedPerSecond(faster, 206_500)).toBeNull();
    const later = work(faster, 206_000, 4, 40);
    expect(remainingMs(later, 210_000)).toBe(((600 - 210) / 40) * 1_000);
  });

  it('is absent with too little to tell, and where nobody works', () => {
    const running = work(started, 0, 20, 10);
    expect(movedPerSecond(running, 20_000)).toBeCloseTo(10, 0);
    expect(movedPerSecond(running, 40_000)).toBeNull();
    expect(movedPerSecond(work(started, 0, 2, 100), 2_000)).toBeNull();
    expect(movedPerSecond(work(started, 0, 20, 0.5), 20_000)).toBeNull();
    for (const over of [
      { status: 'completed' },
      { status: 'cancelled' },
      { phase: 'canary-wait' },
      { startedAt: null },
      { kind: 'export' },
    ] as const)
      expect(movedPerSecond({ ...running, ...over }, 20_000)).toBeNull();
  });

  it('is absent while it changes by itself, and then the new one', () => {
    const running = work(started, 0, 30, 100);
    expect(movedPerSecond(work(running, 30_000, 4, 20), 34_000)).toBeNull();
    expect(movedPerSecond(work(running, 30_000, 13, 20), 43_000)).toBeCloseTo(20, 0);
  });

  it('leaves no time left where the number of jobs is not known, or a shard is away', () => {
    const running = work(started, 0, 20, 10);
    expect(remainingMs(running, 20_000)).not.toBeNull();
    expect(remainingMs({ ...running, estimated: true }, 20_000)).toBeNull();
    expect(remainingMs({ ...running, trouble: 'Shard 1 is away.' }, 20_000)).toBeNull();
  });

  it('is measured by half a minute at most', () => {
    const { marks } = work(started, 0, 300, 10);
    expect(marks).toHaveLength(OPERATION_MARKS_KEPT);
    expect((marks.at(-1)?.at ?? 0) - (marks[0]?.at ?? 0)).toBeGreaterThanOrEqual(27_000);
  });
});
