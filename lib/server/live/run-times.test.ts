import { describe, expect, test } from 'vitest';
import type { MinuteRunTimes, QueueReading } from '@/lib/broker';
import { NO_TOTALS } from '@/testing/worlds/queue-snapshot';
import { knownRunTimes, runTimeQuantile } from './run-times';

/** Up to 10, 100 and 60,000 ms, and longer. */
const minute = (at: number, [ten = 0, hundred = 0, last = 0, longer = 0]: number[]): MinuteRunTimes => ({
  minute: at,
  counts: [ten, 0, 0, hundred, 0, 0, 0, 0, 0, 0, 0, last, longer],
  span: null,
});
const reading = (at: number, runTimes: readonly MinuteRunTimes[], completed = 0, enqueued = 0) =>
  ({
    at,
    totals: { ...NO_TOTALS, enqueued },
    recent: runTimes.map((one) => ({ minute: one.minute, completed })),
    recentRunTimes: runTimes,
  }) as unknown as QueueReading;
const NOW = 100;
const quantile = (q: number, at: number, runTimes: readonly MinuteRunTimes[], completed = 0) =>
  runTimeQuantile(runTimes, reading(at, runTimes, completed), q);

describe('percentiles of run times', () => {
  test('are linear inside a bucket', () => {
    expect(quantile(0.95, NOW * 60_000, [minute(NOW, [0, 100])])).toBeCloseTo(50 + 50 * 0.95);
  });
  test('do not go beyond what the runs are known to be between', () => {
    const span = { leastMs: 60, mostMs: 70 };
    const known = { ...minute(NOW - 1, [0, 100]), span };
    expect(quantile(0.95, NOW * 60_000, [known, minute(NOW, [0, 100])])).toBeCloseTo(60 + 10 * 0.95);
    // Slower runs since then are no error of the sample.
    expect(quantile(0.95, NOW * 60_000, [known, minute(NOW, [0, 0, 100])])).toBeGreaterThan(30_000);
    const long = { ...minute(NOW - 1, [0, 0, 0, 10]), span: { leastMs: 61_000, mostMs: 90_000 } };
    expect(quantile(1, NOW * 60_000, [long])).toBe(90_000);
  });
  test('count what the completed jobs leave as the shortest runs', () => {
    expect(quantile(0.5, NOW * 60_000, [minute(NOW, [0, 10])], 1_000)).toBeLessThan(5);
  });
  test('weigh the oldest minute by what is left of it in the window', () => {
    const slowLongAgo = [minute(NOW - 5, [0, 0, 100]), minute(NOW, [100])];
    expect(quantile(0.6, NOW * 60_000, slowLongAgo)).toBeGreaterThan(10_000);
    expect(quantile(0.6, NOW * 60_000 + 30_000, slowLongAgo)).toBeLessThanOrEqual(10);
  });
  test('without runs there are none, and they never exceed what is known', () => {
    expect(quantile(0.95, NOW * 60_000, [minute(NOW, [])])).toBeNull();
    expect(quantile(0.95, NOW * 60_000, [minute(NOW, [0, 0, 0, 10])])).toBe(60_000);
  });
});

describe('the minutes known of a queue', () => {
  const minutes = (...list: number[]) => list.map((at) => minute(at, [1]));
  const known = minutes(95, 96, 97, 98, 99, 100);
  const shown = (last: number, next: QueueReading) =>
    knownRunTimes(known, reading(0, [], 0, last), next).map((one) => one.minute);
  test('are replaced by those of a reading, and leave with the window', () => {
    expect(shown(5, reading(101 * 60_000, minutes(100, 101), 0, 6))).toEqual([96, 97, 98, 99, 100, 101]);
    // Without a completed job a minute is left out.
    expect(shown(5, reading(102 * 60_000, [], 0, 6))).toEqual([97, 98, 99, 100]);
  });
  test('are not those of another queue that had the name', () => {
    expect(shown(5, reading(101 * 60_000, minutes(100, 101), 0, 1))).toEqual([100, 101]);
  });
});
