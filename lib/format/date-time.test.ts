import { expect, it } from 'vitest';
import { absoluteLocal, absoluteTime, absoluteUtc, isoDateTime, relativeTime } from './date-time';

const at = Date.UTC(2026, 10, 20, 13, 8, 16, 42);

it.each([
  [at, 'now'],
  [at + 999, 'now'],
  [at + 4_000, '4 s ago'],
  [at + 192_000, '3 m ago'],
  [at + 86_400_000 * 40, '40 d ago'],
  [at - 12_000, 'in 12 s'],
])('relative to %s is %s', (now, text) => expect(relativeTime(at, now)).toBe(text));

it('shows nothing for what is not a moment', () => {
  for (const bad of [null, undefined, Number.NaN, 1e20]) {
    expect([
      relativeTime(bad, at),
      absoluteUtc(bad),
      absoluteLocal(bad),
      absoluteTime(bad),
      isoDateTime(bad),
    ]).toEqual(['–', '–', '–', '–', undefined]);
  }
  expect(relativeTime(at, Number.NaN)).toBe('–');
});

it('is exact and names the zone', () => {
  expect(absoluteUtc(at)).toBe('2026-11-20 13:08:16.042 UTC');
  expect(absoluteLocal(at, 'Asia/Tokyo')).toBe('2026-11-20 22:08:16 GMT+9');
  expect(absoluteLocal(Date.UTC(2026, 0, 1), 'UTC')).toBe('2026-01-01 00:00:00 UTC');
  expect(absoluteTime(at, 'Asia/Tokyo')).toBe('2026-11-20 22:08:16 GMT+9\n2026-11-20 13:08:16.042 UTC');
  expect(isoDateTime(0)).toBe('1970-01-01T00:00:00.000Z');
});

it('B16: says UTC once when that is the zone', () => {
  for (const zone of ['UTC', 'Etc/UTC']) expect(absoluteTime(at, zone)).toBe('2026-11-20 13:08:16.042 UTC');
});
