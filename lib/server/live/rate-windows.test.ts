import { describe, expect, test } from 'vitest';
import type { QueueReading } from '@/lib/broker';
import { NO_TOTALS } from '@/testing/worlds/queue-snapshot';
import { drainMs, KEPT_MS, RateWindow, ratesOf, recentDeaths, runTimeQuantile } from './rate-windows';

type Mark = Parameters<RateWindow['add']>[0];
const totals = (over: Partial<QueueReading['totals']>): QueueReading['totals'] => ({ ...NO_TOTALS, ...over });
const mark = (
  at: number,
  over: Partial<QueueReading['totals']>,
  buckets: Record<string, number> = {},
  unavailable: number[] = [],
): Mark =>
  ({
    at,
    totals: totals(over),
    runTimes: { buckets: new Map(Object.entries(buckets)), sumMs: 0 },
    shards: { count: 3, unavailable },
  }) as unknown as Mark;

describe('rates', () => {
  test('need two readings', () => {
    const log = new RateWindow();
    expect(ratesOf(log)).toMatchObject({ arrivalPerSecond: null, windowMs: 0 });
    log.add(mark(1_000, { enqueued: 5 }));
    expect(ratesOf(log).completedPerSecond).toBeNull();
  });

  test('are differences of totals over the window, losses counting as failures', () => {
    const log = new RateWindow();
    for (let s = 0; s <= 30; s++)
      log.add(mark(s * 1_000, { enqueued: s * 20, completed: s * 9, failed: s * 2, reclaimed: s }));
    expect(ratesOf(log)).toEqual({
      arrivalPerSecond: 20,
      completedPerSecond: 9,
      failedPerSecond: 3,
      failureRatio: 0.25,
      windowMs: 10_000,
    });
  });

  test('start anew when the counters went back: the queue was dropped', () => {
    const log = new RateWindow();
    log.add(mark(1_000, { enqueued: 500 }));
    log.add(mark(2_000, { enqueued: 3 }));
    expect(ratesOf(log).arrivalPerSecond).toBeNull();
  });

  test('start anew when a shard drops out or comes back: the sums are not of the same jobs', () => {
    const log = new RateWindow();
    log.add(mark(1_000, { enqueued: 900 }));
    log.add(mark(2_000, { enqueued: 950 }, {}, [1]));
    expect(ratesOf(log).arrivalPerSecond).toBeNull();
    log.add(mark(3_000, { enqueued: 960 }, {}, [1]));
    expect(ratesOf(log).arrivalPerSecond).toBe(10);
    log.add(mark(4_000, { enqueued: 1_400 }));
    expect(ratesOf(log).arrivalPerSecond).toBeNull();
  });

  test('the log stays small however long it runs', () => {
    const log = new RateWindow();
    for (let s = 0; s <= 3_600; s++) log.add(mark(s * 1_000, { enqueued: s, dead: s }));
    expect(recentDeaths(log)).toBeGreaterThan(280);
    expect(recentDeaths(log)).toBeLessThanOrEqual(KEPT_MS / 1_000);
  });
});

describe('run-time quantiles', () => {
  test('are linear inside a bucket', () => {
    const log = new RateWindow();
    log.add(mark(0, {}, { '5': 0, '10': 0, '100': 100, inf: 0 }));
    expect(runTimeQuantile(log, 0.95)).toBeCloseTo(10 + 90 * 0.95);
  });
  test('count only what ran within the window', () => {
    const log = new RateWindow();
    log.add(mark(0, {}, { '5': 1_000, '1000': 0, inf: 0 }));
    log.add(mark(1_000, {}, { '5': 1_000, '1000': 10, inf: 0 }));
    expect(runTimeQuantile(log, 0.5)).toBeGreaterThan(5);
  });
  test('without runs there is none', () => {
    const log = new RateWindow();
    expect(runTimeQuantile(log, 0.95)).toBeNull();
    log.add(mark(0, {}, { '5': 0, inf: 0 }));
    expect(runTimeQuantile(log, 0.95)).toBeNull();
  });
  test('never exceed what is known', () => {
    const log = new RateWindow();
    log.add(mark(0, {}, { '60000': 0, inf: 10 }));
    expect(runTimeQuantile(log, 0.95)).toBe(60_000);
  });
});

test('a backlog drains only when more leaves than arrives', () => {
  const rates = {
    arrivalPerSecond: 5,
    completedPerSecond: 15,
    failedPerSecond: 0,
    failureRatio: 0,
    windowMs: 1,
  };
  expect(drainMs(100, rates)).toBe(10_000);
  expect(drainMs(0, rates)).toBeNull();
  expect(drainMs(100, { ...rates, arrivalPerSecond: 15 })).toBeNull();
});
