import { describe, expect, it } from 'vitest';
import type { LabSample } from '@/lib/contract/lab/lab-schemas';
import { CHART_SPAN_MS, chartShape, niceTop } from './lab-chart-shape';

const sample = (at: number, ready: number, inFlight: number, crashes = 0): LabSample => ({
  at,
  ready,
  inFlight,
  scheduled: 0,
  retry: 0,
  held: 0,
  deadLetters: 0,
  oldestReadyMs: 0,
  completed: 0,
  failed: 0,
  reclaimed: 0,
  died: 0,
  crashes,
  lost: 0,
});
const NOW = 1_000_000;

describe('the chart of the lab', () => {
  it('stacks the states on a round scale', () => {
    const { top, areas } = chartShape([sample(NOW - 2_000, 60, 20), sample(NOW, 80, 10)], NOW);
    expect(top).toBe(100);
    const path = (state: string) => areas.find((area) => area.state === state)?.path;
    expect(path('in-flight')).toBe('M993.3 80.0L1000.0 90.0L1000.0 100.0L993.3 100.0Z');
    expect(path('ready')).toBe('M993.3 20.0L1000.0 10.0L1000.0 90.0L993.3 80.0Z');
    expect([0, 10, 11, 999, 1_001].map(niceTop)).toEqual([10, 10, 20, 1_000, 2_000]);
  });

  it('shows a gap as a gap, marks crashes, and leaves out what is older', () => {
    const { areas, crashes } = chartShape(
      [
        sample(NOW - CHART_SPAN_MS - 1, 9_999, 0),
        sample(NOW - 60_000, 1, 1, 3),
        sample(NOW - 58_000, 1, 1, 5),
        sample(NOW - 2_000, 1, 1, 5),
        sample(NOW, 1, 1, 5),
      ],
      NOW,
    );
    expect(areas[0]?.path.match(/M/g)).toHaveLength(2);
    expect(crashes).toEqual([{ x: (1_000 * (CHART_SPAN_MS - 58_000)) / CHART_SPAN_MS, count: 2 }]);
  });
});
