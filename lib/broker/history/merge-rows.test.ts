import { describe, expect, it } from 'vitest';
import { BUCKETS_MS, percentileMs } from '../queues/percentile';
import { mergeRows } from './merge-rows';
import type { TimedRow } from './minute-blocks';
import { emptyRow } from './row-codec';

const row = (minute: number, ready: number | null, arrivals = 0, ageMs = 0): TimedRow => {
  const depths = { ready: ready ?? 0, inFlight: 0, scheduled: 0, retry: 0, held: 0, dead: 0 };
  const made = emptyRow(ready === null ? null : depths);
  return { ...made, oldestAgeMs: ageMs, counts: { ...made.counts, arrivals }, minute };
};
const shown = (points: ReturnType<typeof mergeRows>) =>
  points.map((point) => point && [point.depths?.ready ?? null, point.counts.arrivals, point.oldestAgeMs]);

describe('the rows of a chart', () => {
  it('carry depths over quiet minutes, let the oldest job age, and show what is not known as a gap', () => {
    const rows = [row(3, 5, 7, 1_000), row(6, null, 2), row(8, 1)];
    const source = { rows, skipsQuiet: true };
    expect(shown(mergeRows([source], { from: 2, to: 10, step: 1 }))).toEqual([
      null,
      [5, 7, 1_000],
      [5, 0, 61_000],
      [5, 0, 121_000],
      [null, 2, 0],
      [null, 0, 0],
      [1, 0, 0],
      [1, 0, 60_000],
    ]);
    // A row before the range tells how it began.
    expect(shown(mergeRows([source], { from: 4, to: 6, step: 1 }))).toEqual([
      [5, 0, 61_000],
      [5, 0, 121_000],
    ]);
    expect(shown(mergeRows([{ rows, skipsQuiet: false }], { from: 3, to: 6, step: 1 }))).toEqual([
      [5, 7, 1_000],
      null,
      null,
    ]);
  });

  it('add up shards and minutes of a step, with the depths at its end', () => {
    const one = { rows: [row(0, 5, 1), row(1, 6, 2), row(3, 9, 4)], skipsQuiet: true };
    const other = { rows: [row(0, 100, 10)], skipsQuiet: true };
    expect(shown(mergeRows([one, other], { from: 0, to: 4, step: 2 }))).toEqual([
      [106, 13, 60_000],
      [109, 4, 180_000],
    ]);
  });
});

describe('a percentile', () => {
  it('lies inside of its bucket, and in the longest at its start', () => {
    const histogram = BUCKETS_MS.map((upTo) => (upTo === 50 ? 90 : upTo === 100 ? 10 : 0));
    expect(percentileMs(histogram, 0.5)).toBeCloseTo(25 + (25 * 50) / 90);
    expect(percentileMs(histogram, 0.95)).toBeCloseTo(75);
    expect(
      percentileMs(
        BUCKETS_MS.map((_, i) => Number(i === BUCKETS_MS.length - 1)),
        0.5,
      ),
    ).toBe(60_000);
    expect(
      percentileMs(
        BUCKETS_MS.map(() => 0),
        0.5,
      ),
    ).toBeNull();
  });
});
