import { expect, it } from 'vitest';
import { rangeText } from './range-text';

const MINUTE = 60_000;
const to = Date.UTC(2026, 10, 24, 14, 30);

it.each([
  ['names its last minute', 60, 1, false, 'UTC', 'Up to 14:30, the last whole minute.'],
  [
    'names it by the clock of the viewer',
    60,
    1,
    false,
    'Asia/Kolkata',
    'Up to 20:00, the last whole minute.',
  ],
  ['names the day over days', 10_080, 20, false, 'UTC', 'Up to 24 Nov, 14:30, the last whole 20 minutes.'],
  ['does not call the end of a zoomed part the last minute', 15, 1, true, 'UTC', 'From 14:15 to 14:30.'],
])('B5: the text of a chart %s', (_, minutes, step, isZoomed, zone, text) => {
  const covered = { from: to - minutes * MINUTE, to, stepMs: step * MINUTE, latest: null };
  expect(rangeText(covered, isZoomed, zone)).toBe(text);
});

it('B5: the text of a chart that ends now names the second', () => {
  const covered = { from: to - 60 * MINUTE, to, stepMs: MINUTE, latest: { at: to + 23_456 } };
  expect(rangeText(covered, false, 'UTC')).toBe(
    'Up to 14:30:23: the last point is of the 60 seconds before it.',
  );
});
