import { describe, expect, it } from 'vitest';
import type { DrainForecast, QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { IDLE_WORKER } from '@/testing/records/idle-worker';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { drainOf } from '../queue-rates';
import { forecastDrain, forecastTotal } from './drain-forecast';
import { sharedForecasts } from './shared-workers';

const flowOf = (donePerSecond: number, arrivalPerSecond: number, chancePerSecond = 0.2) => ({
  donePerSecond,
  arrivalPerSecond,
  chancePerSecond,
});
/** A backlog that is old enough to tell. */
const backlog = { ready: 100, oldestAgeMs: 60_000, workers: 4 };

describe('the forecast of a backlog', () => {
  const of = (donePerSecond: number, arrivalPerSecond: number, over: Partial<typeof backlog> = {}) =>
    forecastDrain({ ...backlog, ...flowOf(donePerSecond, arrivalPerSecond), ...over });
  it('is the time until it is gone, where more ends than comes', () => {
    expect(of(15, 5)).toMatchObject({ trend: 'shrinking', ms: 10_000, growthPerSecond: -10 });
  });
  it('is by how much it grows, and how many workers like these would keep up', () => {
    const ready = 1_000;
    expect(of(8, 14, { ready })).toEqual({
      trend: 'growing',
      ms: null,
      growthPerSecond: 6,
      workersNeeded: 3,
    });
    expect(of(0, 14, { ready })?.workersNeeded).toBeNull();
    expect(of(8, 14, { ready, workers: 0 })?.workersNeeded).toBeNull();
  });
  it('B5: claims no growth of an idle queue, nor of more jobs than there are', () => {
    expect(of(11.6, 13, { ready: 1, oldestAgeMs: 22 })).toBeNull();
    expect(of(8, 14, { ready: 1_000, oldestAgeMs: 5_000 })).toBeNull();
    expect(of(8, 14, { ready: 30 })).toBeNull();
  });
  it('asks for no more workers where they die, or a tenant is at its limit', () => {
    const needed = (reclaimed: number, throttledTenants = 0) => {
      const minute = { minute: 0, enqueued: 0, completed: 95, failed: 0, reclaimed, dead: 0, redriven: 0 };
      const { counts } = CALM_QUEUE;
      const reading = { at: 30_000, recent: [minute], flow: flowOf(8, 14), pauses: [], throttledTenants };
      return drainOf({ ...reading, oldestReadyAgeMs: 60_000, counts: { ...counts, ready: 1_000 } }, 4)
        ?.workersNeeded;
    };
    expect(needed(0)).toBe(3);
    expect(needed(10)).toBeNull();
    expect(needed(0, 1)).toBeNull();
  });
  it('says which way it goes before it says how fast, and nothing before that', () => {
    const by = (chancePerSecond: number) =>
      forecastDrain({ ...backlog, ready: 1_000, ...flowOf(10, 15, chancePerSecond) });
    expect(by(0.4)).toMatchObject({ trend: 'growing', growthPerSecond: 5 });
    expect(by(1)).toEqual({ trend: 'growing', ms: null, growthPerSecond: null, workersNeeded: null });
    expect(by(2)).toBeNull();
    expect(by(6)).toMatchObject({ trend: 'steady' });
    expect(forecastDrain({ ...backlog, ...flowOf(15, 10, 1) })).toMatchObject({
      trend: 'shrinking',
      ms: null,
    });
  });
});

const drain = (ms: number | null, over: Partial<DrainForecast> = {}): DrainForecast => ({
  trend: ms === null ? 'steady' : 'shrinking',
  ms,
  growthPerSecond: -10,
  workersNeeded: null,
  ...over,
});
const queueOf = (queue: string, ready: number, over: Partial<QueueSnapshot> = {}): QueueSnapshot => ({
  ...CALM_QUEUE,
  queue,
  counts: { ...CALM_QUEUE.counts, ready },
  ...over,
});

describe('the forecast of all backlogs', () => {
  const pauses = [{ scope: 'queue' as const, actor: 'ann', reason: 'why', since: 0, until: null }];
  it('is that of the last one to be gone', () => {
    const all = [queueOf('a', 300, { drain: drain(20_000) }), queueOf('b', 400, { drain: drain(45_000) })];
    expect(forecastTotal(all)).toMatchObject({ trend: 'shrinking', ms: 45_000, growthPerSecond: -20 });
    expect(forecastTotal([CALM_QUEUE])).toBeNull();
  });
  it('B4: has no jobs that nobody will run', () => {
    const served = queueOf('a', 300, { drain: drain(20_000) });
    const deserted = queueOf('b', 2_000, { workers: 0, drain: null });
    expect(forecastTotal([served, deserted])).toMatchObject({ ms: 20_000 });
    expect(forecastTotal([deserted])).toBeNull();
    expect(forecastTotal([served, queueOf('c', 900, { pauses })])).toMatchObject({ ms: 20_000 });
  });
  it('is absent where that of a large one is, and does not wait for a few jobs', () => {
    const served = queueOf('a', 300, { drain: drain(20_000) });
    expect(forecastTotal([served, queueOf('b', 300)])).toBeNull();
    expect(forecastTotal([served, queueOf('b', 3)])).toMatchObject({ ms: 20_000 });
    const growing = queueOf('b', 300, { drain: drain(null, { trend: 'growing', growthPerSecond: 4 }) });
    expect(forecastTotal([served, growing])).toBeNull();
    expect(forecastTotal([growing])).toMatchObject({ trend: 'growing', growthPerSecond: 4 });
  });
});

describe('queues that share their workers', () => {
  const worker = { ...IDLE_WORKER, queues: { a: 1, b: 1, c: 1 } };
  const row = (queue: string, ready: number, done: number, runTimeP95Ms: number | null = 500) =>
    queueOf(queue, ready, {
      runTimeP95Ms,
      flow: flowOf(done, 5),
      drain: ready === 0 ? null : drain(done > 5 ? (ready / (done - 5)) * 1_000 : null),
    });
  const endsOf = (...rows: QueueSnapshot[]) => {
    const shared = sharedForecasts(rows, [worker]);
    return rows.map(({ queue, drain }) => (shared.get(queue) ?? drain)?.ms ?? null);
  };
  it('B4: get what the others no longer need', () => {
    // 30 a second more end than come: 300 and 600 are gone together after 30 s, 10 s before what the second says by itself.
    expect(endsOf(row('a', 300, 25), row('b', 600, 15))).toEqual([15_000, 30_000]);
    // One is served first.
    expect(endsOf(row('a', 300, 35), row('b', 400, 0), row('c', 200, 0))).toEqual([10_000, 45_000, 35_000]);
    // The workers of one that has just become empty go on with the others.
    expect(endsOf(row('a', 0, 35), row('b', 400, 10))[1]).toBeLessThan(13_000);
  });
  it('B4: say nothing where run times differ or are unknown, unless they end together', () => {
    expect(endsOf(row('a', 300, 25), row('b', 600, 15, 2_000))).toEqual([null, null]);
    expect(endsOf(row('a', 300, 25), row('b', 600, 15, null))).toEqual([null, null]);
    expect(endsOf(row('a', 300, 25), row('b', 160, 15, 2_000))).toEqual([15_000, 16_000]);
  });
  it('leave others alone', () => {
    const own: Worker[] = [
      { ...IDLE_WORKER, queues: { a: 1 } },
      { ...IDLE_WORKER, workerId: 'w-2', queues: { b: 1 } },
    ];
    expect(sharedForecasts([row('a', 300, 25), row('b', 600, 15)], own).size).toBe(0);
  });
});
