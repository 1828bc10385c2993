import { describe, expect, it } from 'vitest';
import { CHARTS, marksAt, pointsOf } from './history-series';

const column = [60, null];
const history = {
  from: 0,
  to: 240_000,
  stepMs: 120_000,
  depth: {
    ready: column,
    inFlight: column,
    scheduled: [1, null],
    retry: [2, null],
    held: column,
    dead: column,
  },
  oldestAgeMs: column,
  counts: { arrivals: column, completed: column, failed: column, lost: [4, null], died: column },
  run: { p50: column, p95: column, p99: column },
  wait: { p50: column, p95: column, p99: column },
  workers: column,
  claimed: column,
  busiest: [],
  marks: [{ at: 119_999, kind: 'pause' as const, text: 'Paused' }],
};
const chart = (id: string) => {
  const found = CHARTS.find((one) => one.id === id);
  if (!found) throw new Error(`no chart ${id}`);
  return found;
};

describe('the points of the charts', () => {
  it('B5: are counts a minute, lost runs among the failures, depths as they are, and gaps', () => {
    expect(pointsOf(history, chart('throughput'))).toEqual([
      { at: 0, 0: 30, 1: 30 },
      { at: 120_000, 0: null, 1: null },
    ]);
    expect(pointsOf(history, chart('depth'))[0]).toMatchObject({ 0: 60, 2: 3 });
    // Lost runs are failures like others.
    expect(chart('outcomes').series.map(({ label }) => label)).toContain('Lost runs');
    expect(pointsOf(history, chart('outcomes'))[0]).toMatchObject({ 1: 2 });
  });

  it('have the marks of their step', () => {
    expect(marksAt(history, 0)).toHaveLength(1);
    expect(marksAt(history, 120_000)).toEqual([]);
  });
});
