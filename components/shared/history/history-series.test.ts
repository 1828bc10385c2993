import { describe, expect, it } from 'vitest';
import { CHARTS, lastAt, markLines, marksAt, pointsOf } from './history-series';

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
  latest: null,
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

  it('B5: end with the 60 seconds up to now, whose counts are of one minute whatever the step', () => {
    const depth = { ready: 7, inFlight: 1, scheduled: 2, retry: 3, held: 0, dead: 9 };
    const counts = { arrivals: 50, completed: 40, failed: 6, lost: 5, died: 4 };
    const latest = { at: 301_234, depth, oldestAgeMs: 900, counts, workers: 2 };
    const live = { ...history, latest };
    expect(pointsOf(live, chart('throughput'))).toEqual([
      ...pointsOf(history, chart('throughput')),
      { at: 301_234, 0: 50, 1: 40 },
    ]);
    expect(pointsOf(live, chart('depth')).at(-1)).toMatchObject({ 0: 7, 2: 5, 4: 9 });
    expect(pointsOf(live, chart('outcomes')).at(-1)).toMatchObject({ 0: 6, 1: 5, 2: 4 });
    // How long runs take is not known yet.
    expect(pointsOf(live, chart('run')).at(-1)).toMatchObject({ 0: null });
    expect([lastAt(live), lastAt(history)]).toEqual([301_234, 120_000]);
  });

  it('of waits say where the count of long ones ends', () => {
    const chart = CHARTS.find(({ id }) => id === 'wait');
    expect(chart?.format(59_000)).toBe('59 s');
    expect(chart?.format(60_000)).toBe('1 m or more');
  });

  it('of now have the marks since the last step, at their own time', () => {
    const crash = { at: 250_000, kind: 'crash' as const, text: 'Crashed' };
    const live = { ...history, marks: [...history.marks, crash] };
    expect(marksAt(live, 301_234)).toEqual([crash]);
    expect(marksAt(live, 120_000)).toEqual([]);
    expect(markLines(live).at(-1)).toEqual({ at: 250_000, kinds: ['crash'] });
  });

  it('have the marks of their step', () => {
    expect(marksAt(history, 0)).toHaveLength(1);
    expect(marksAt(history, 120_000)).toEqual([]);
  });
});

describe('the marks over a chart', () => {
  const minutes = { ...history, from: 0, to: 3_600_000, stepMs: 60_000 };

  it('stand at the start of their step, and share a line when they are close, with each kind once', () => {
    const marks = [
      { at: 190_000, kind: 'pause' as const, text: 'Paused' },
      { at: 200_000, kind: 'crash' as const, text: 'Crashed' },
      { at: 215_000, kind: 'crash' as const, text: 'Crashed' },
      { at: 1_800_000, kind: 'deploy' as const, text: 'Deployed' },
    ];
    expect(markLines({ ...minutes, marks })).toEqual([
      { at: 180_000, kinds: ['pause', 'crash'] },
      { at: 1_800_000, kinds: ['deploy'] },
    ]);
  });

  it('have so few lines that they do not overprint each other, however many marks there are', () => {
    const marks = Array.from({ length: 100 }, (_, i) => ({
      at: i * 36_000,
      kind: 'crash' as const,
      text: 'Crashed',
    }));
    expect(markLines({ ...minutes, marks })).toHaveLength(20);
    expect(markLines({ ...minutes, marks: [] })).toEqual([]);
  });
});
