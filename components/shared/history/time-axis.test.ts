import { describe, expect, it } from 'vitest';
import { axisDuration } from '@/lib/format/duration';
import { durationTicks, timeLabels, timeTicks } from './time-axis';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function axis(from: string, lengthMs: number, zone: string): string[] {
  const start = Date.parse(from);
  return timeTicks(start, start + lengthMs, zone).map(timeLabels(start, start + lengthMs, zone).tick);
}

describe('a time axis', () => {
  it.each([
    ['a quarter', HOUR_MS / 4, ['18:05', '18:10', '18:15']],
    ['an hour', HOUR_MS, ['18:10', '18:20', '18:30', '18:40', '18:50', '19:00']],
    ['six hours', 6 * HOUR_MS, ['19:00', '20:00', '21:00', '22:00', '23:00', '00:00']],
    ['a day', DAY_MS, ['20:00', '00:00', '04:00', '08:00', '12:00', '16:00']],
    ['a week', 7 * DAY_MS, ['25 Nov', '27 Nov', '29 Nov']],
  ])('has round times in %s', (_, length, labels) => {
    expect(axis('2026-11-23T18:03:00Z', length, 'UTC')).toEqual(labels);
  });

  it('is that of the zone, whose half hours and changes of clocks count', () => {
    expect(axis('2026-11-23T18:03:00Z', 6 * HOUR_MS, 'Asia/Kolkata').slice(0, 2)).toEqual(['00:00', '01:00']);
    // Clocks in Berlin go back on 25 October.
    const from = Date.parse('2026-10-22T12:00:00Z');
    const ticks = timeTicks(from, from + 7 * DAY_MS, 'Europe/Berlin');
    expect(ticks.map(timeLabels(0, 2 * DAY_MS, 'Europe/Berlin').readout)).toEqual(
      ['24', '26', '28'].map((day) => `${day} Oct, 00:00`),
    );
  });
});

it.each([
  [0, '0 ms, 1 ms'],
  [870, '0 ms, 500 ms, 1 s'],
  [120_000, '0 ms, 30 s, 1 m, 1.5 m, 2 m'],
  [380_000, '0 ms, 2 m, 4 m, 6 m, 8 m'],
  [90 * HOUR_MS, '0 ms, 1 d, 2 d, 3 d, 4 d'],
  [30 * DAY_MS, '0 ms, 8 d, 16 d, 24 d, 32 d'],
])('an axis of durations up to %i ms has round ones', (max, labels) => {
  expect(durationTicks(max).map(axisDuration).join(', ')).toBe(labels);
});
