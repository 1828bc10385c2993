/** Every estimate on screen, run against a simulated hour: within a fifth of the truth, or absent. */
import { expect, it } from 'vitest';
import { accuracyOf } from './accuracy';
import { operationHour } from './operation-hour';

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
