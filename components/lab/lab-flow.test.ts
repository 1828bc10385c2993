import { describe, expect, it } from 'vitest';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { addSample, DOTS_MAX, dotCount, type Sample, sampleRates, toSample } from './lab-flow';

const sample = (at: number, enqueued: number): Sample => ({
  at,
  totals: { enqueued, claimed: 0, completed: 0, retried: 0, dead: 0, reclaimed: 0, redriven: 0 },
});
const logged = (...samples: Sample[]) => samples.reduce<readonly Sample[]>(addSample, []);

describe('rates', () => {
  it('says nothing before there are two samples', () => {
    expect(sampleRates([]).enqueued).toBeNull();
    expect(sampleRates(logged(sample(1_000, 5))).enqueued).toBeNull();
  });
  it('measures over the last five seconds only', () => {
    const samples = logged(
      ...Array.from({ length: 10 }, (_, i) => sample(i * 1_000, i < 5 ? 0 : (i - 4) * 10)),
    );
    expect(sampleRates(samples).enqueued).toBe(10);
    expect(samples.length).toBeLessThanOrEqual(7);
  });
  it('has no sample while one queue has the numbers of an earlier visit', () => {
    const totals = { ...CALM_QUEUE.totals, enqueued: 10 };
    expect(
      toSample([
        { at: 60_000, totals },
        { at: 20_000, totals },
      ]),
    ).toBeNull();
    expect(
      toSample([
        { at: 60_000, totals },
        { at: 59_900, totals },
      ]),
    ).toMatchObject({
      at: 60_000,
      totals: { enqueued: 20 },
    });
  });
  it('starts over when Redis was emptied', () => {
    expect(logged(sample(1_000, 500), sample(2_000, 0))).toHaveLength(1);
  });
});

describe('dotsFor', () => {
  it('grows with the rate and stays calm', () => {
    expect([null, 0, 0.2, 1, 3, 15, 500].map(dotCount)).toEqual([0, 0, 1, 2, 3, 5, DOTS_MAX]);
  });
});
