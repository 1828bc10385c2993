import { describe, expect, it } from 'vitest';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { forecastDrain, forecastTotal } from './drain-forecast';
import { drainOf } from './queue-rates';

describe('the forecast of a backlog', () => {
  const of = (donePerSecond: number, arrivalPerSecond: number, workers = 4) =>
    forecastDrain({ ready: 100, donePerSecond, arrivalPerSecond, workers });
  it('is the time until it is gone, where more ends than comes', () => {
    expect(of(15, 5)).toMatchObject({ trend: 'shrinking', ms: 10_000, growthPerSecond: -10 });
  });
  it('is by how much it grows, and how many workers like these would keep up', () => {
    expect(of(8, 14)).toEqual({ trend: 'growing', ms: null, growthPerSecond: 6, workersNeeded: 3 });
    expect(of(0, 14).workersNeeded).toBeNull();
    expect(of(8, 14, 0).workersNeeded).toBeNull();
  });
  it('asks for no more workers where they die, or a tenant is at its limit', () => {
    const needed = (reclaimed: number, throttledTenants = 0) => {
      const minute = { minute: 0, enqueued: 0, completed: 95, failed: 0, reclaimed, dead: 0, redriven: 0 };
      const flow = { donePerSecond: 8, arrivalPerSecond: 14 };
      const { counts } = CALM_QUEUE;
      const reading = { at: 30_000, recent: [minute], flow, pauses: [], throttledTenants };
      return drainOf({ ...reading, counts: { ...counts, ready: 100 } }, 4)?.workersNeeded;
    };
    expect(needed(0)).toBe(3);
    expect(needed(10)).toBeNull();
    expect(needed(0, 1)).toBeNull();
  });
  it('takes small differences for what they are', () => {
    expect(of(10, 10.2)).toMatchObject({ trend: 'steady', ms: null });
    // One in twenty is chance among few jobs, and not among thousands.
    expect(of(10, 10.5)).toMatchObject({ trend: 'steady', ms: null });
    expect(of(1_000, 1_050)).toMatchObject({ trend: 'growing', growthPerSecond: 50 });
  });
  it('B4: is of all backlogs together, not of the slowest queue, also when one has just become empty', () => {
    const queue = (ready: number, donePerSecond: number, pauses: typeof CALM_QUEUE.pauses = []) => ({
      ...CALM_QUEUE,
      pauses,
      counts: { ...CALM_QUEUE.counts, ready },
      flow: { donePerSecond, arrivalPerSecond: 5 },
      drain:
        ready > 0 ? { trend: 'steady' as const, ms: null, growthPerSecond: 0, workersNeeded: null } : null,
    });
    // One is served first, the others wait for it.
    const total = forecastTotal([queue(300, 35), queue(400, 0), queue(200, 0), CALM_QUEUE]);
    expect(total).toMatchObject({ trend: 'shrinking', ms: 45_000 });
    // Its workers go on with the others.
    expect(forecastTotal([queue(0, 35), queue(400, 0), queue(200, 0)])).toMatchObject({ ms: 30_000 });
    const pause = { scope: 'queue' as const, actor: 'ann', reason: 'why', since: 0, until: null };
    expect(forecastTotal([queue(300, 35), queue(900, 0, [pause])])).toMatchObject({ ms: 10_000 });
    expect(forecastTotal([CALM_QUEUE])).toBeNull();
  });
});
