import { expect, it } from 'vitest';
import type { DrainForecast } from '@/lib/contract/queues/queue-schemas';
import { aboutDuration, drainText, workersNeededText } from './drain-text';

it.each([
  [663, 'under 5 s'],
  [5_100, 'about 5 s'],
  [38_200, 'about 40 s'],
  [61_000, 'about 1 m'],
  [96_000, 'about 95 s'],
  [216_000, 'about 4 m'],
  [3_590_000, 'about 1 h'],
  [7_900_000, 'about 2 h 10 m'],
  [5 * 86_400_000, 'about 5 d'],
])('%d ms is %s: a forecast is no measurement', (ms, text) => {
  expect(aboutDuration(ms)).toBe(text);
});

it('B4: says what a backlog does and what it takes, and never "never"', () => {
  const forecast = (over: Partial<DrainForecast>): DrainForecast => ({
    trend: 'steady',
    ms: null,
    growthPerSecond: 0,
    workersNeeded: null,
    ...over,
  });
  const growing = forecast({ trend: 'growing', growthPerSecond: 6.13, workersNeeded: 2 });
  expect([drainText(growing), workersNeededText(growing)]).toEqual(['growing 6.1/s', 'needs 2 more workers']);
  expect(drainText(forecast({ trend: 'shrinking', ms: 41_000, growthPerSecond: -10 }))).toBe('about 40 s');
  expect(drainText(forecast({}))).toBe('steady');
});
