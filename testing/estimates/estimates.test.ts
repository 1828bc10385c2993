/** Every estimate on screen, run against a simulated hour: within a fifth of the truth, or absent. */
import { expect, it } from 'vitest';
import { slidingPerSecond } from '@/lib/broker/queues/recent-activity';
import { accuracyOf, type Estimate } from './accuracy';
import { fleetRecovery } from './fleet-recovery';
import { operationHour } from './operation-hour';
import { type DrainReading, queueHour } from './queue-hour';
import { seededChance } from './seeded-chance';

const SEEDS = [1, 2, 3, 4, 5, 6];

it.each(SEEDS)('rate and time left of an operation hold for an hour (seed %i)', (seed) => {
  const { rates, timesLeft } = operationHour(seed);
  for (const estimates of [rates, timesLeft]) {
    const { wrong, shownShare } = accuracyOf(estimates);
    expect(wrong).toEqual([]);
    // An estimate that is never shown is never wrong.
    expect(shownShare).toBeGreaterThan(0.8);
  }
});

const known = (readings: readonly DrainReading[]) =>
  readings.flatMap((reading) =>
    reading.isSettled && reading.forecast ? [{ ...reading, ...reading.forecast }] : [],
  );
const netOf = ({ capacity, arrivals }: DrainReading) => capacity - arrivals;
/** Of so small a backlog the page says "under 5 s". */
const SOON_MS = 10_000;

it('time to drain, growth and missing workers of a queue hold for eight hours', () => {
  const readings = known([...SEEDS, 7, 10].flatMap(queueHour));
  const trends = readings.filter(({ growthPerSecond }) => growthPerSecond === null);
  const wrong = trends.filter((one) => one.trend !== (netOf(one) > 0 ? 'shrinking' : 'growing'));
  expect(wrong.length).toBeLessThan(trends.length * 0.005);
  const times: Estimate[] = readings
    .filter(({ ms }) => ms !== null)
    .map(({ at, ms, ready, ...reading }) => {
      const truth =
        netOf({ at, ready, ...reading }) > 0
          ? (ready / netOf({ at, ready, ...reading })) * 1_000
          : Number.POSITIVE_INFINITY;
      return { at, shown: ms, truth, follows: truth < SOON_MS && (ms ?? 0) < SOON_MS / 2 };
    });
  const growing = readings.filter(
    ({ trend, growthPerSecond }) => trend === 'growing' && growthPerSecond !== null,
  );
  const growths: Estimate[] = growing.map(({ growthPerSecond, ...reading }) => ({
    at: reading.at,
    shown: growthPerSecond,
    truth: -netOf(reading),
    follows: false,
  }));
  const missing: Estimate[] = growing.map(({ at, workersNeeded, capacity, arrivals, workers }) => {
    const truth = Math.ceil((arrivals - capacity) / (capacity / workers));
    // Of a few workers one more or fewer is no other answer.
    const isClose = Math.abs((workersNeeded ?? 0) - truth) <= 1;
    return { at, shown: workersNeeded, truth: isClose ? (workersNeeded ?? 0) : truth, follows: false };
  });
  expectNearlyAlways(times, 0.005, 1_500);
  expectNearlyAlways(growths, 0.05, 500);
  expectNearlyAlways(missing, 0.05, 10);
});

/** Chance has no bound: of many thousand readings some are off. */
function expectNearlyAlways(estimates: readonly Estimate[], wrongShare: number, shownMin: number): void {
  const { wrong } = accuracyOf(estimates);
  const shown = estimates.filter((one) => one.shown !== null && !one.follows).length;
  expect(shown).toBeGreaterThanOrEqual(shownMin);
  expect(wrong.length / Math.max(1, shown), wrong.slice(0, 20).join('\n')).toBeLessThan(wrongShare);
}

it('the rates of the last minute hold where the rate does', () => {
  const chance = seededChance(7);
  const counts = new Map<number, number>();
  const rates: Estimate[] = [];
  let [perSecond, since] = [20, 0];
  for (let second = 0; second < 3_600; second++) {
    if (second % 400 === 0) [perSecond, since] = [chance.between(10, 60), second];
    const minute = Math.floor(second / 60);
    counts.set(minute, (counts.get(minute) ?? 0) + chance.poisson(perSecond));
    const recent = [minute, minute - 1].map((at) => ({
      ...NO_ACTIVITY,
      minute: at,
      completed: counts.get(at) ?? 0,
    }));
    const shown = slidingPerSecond(recent, (second + 1) * 1_000 - 1, ({ completed }) => completed);
    rates.push({ at: second * 1_000, shown, truth: perSecond, follows: second - since < 120 });
  }
  expectNearlyAlways(rates, 0.001, 2_000);
});
const NO_ACTIVITY = { enqueued: 0, failed: 0, reclaimed: 0, dead: 0, redriven: 0 };

const FLEETS = {
  'by weight': {
    weights: [5, 2, 1],
    backlogs: [1_500, 1_200, 1_000],
    arrivals: [4, 3, 2],
    runMs: [600, 600, 600],
  },
  'of unequal length': {
    weights: [1, 1, 1],
    backlogs: [2_000, 500, 100],
    arrivals: [2, 2, 2],
    runMs: [600, 600, 600],
  },
  'with unequal run times': {
    weights: [5, 2, 1],
    backlogs: [1_500, 1_200, 1_000],
    arrivals: [4, 3, 2],
    runMs: [600, 200, 2_000],
  },
  'served in turn': {
    weights: [1_000, 10, 1],
    backlogs: [1_500, 1_200, 1_000],
    arrivals: [4, 3, 2],
    runMs: [600, 600, 600],
  },
};

it.each(Object.entries(FLEETS))(
  'B4: queues that share workers %s: rows and total hold until all are empty',
  (_, fleet) => {
    const runs = SEEDS.map((seed) => fleetRecovery(seed, fleet));
    expectNearlyAlways(
      runs.flatMap(({ ends }) => ends.flat()),
      0.06,
      0,
    );
    // The total is no later than its last row, by construction; it is shown where it can be known.
    const total = accuracyOf(runs.flatMap(({ ends }) => ends[3] ?? []));
    if (new Set(fleet.runMs).size === 1) expect(total.shownShare).toBeGreaterThan(0.6);
  },
);
