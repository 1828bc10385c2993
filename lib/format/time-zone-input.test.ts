import { expect, it } from 'vitest';
import { dateTimeInput, parseDateTimeInput } from './time-zone-input';

const MINUTE_MS = 60_000;

it.each(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Chatham', 'Asia/Kathmandu'])(
  'reads back what it writes, in %s',
  (zone) => {
    // Every 21 h 1 min through a year, so that both clock changes and all hours occur.
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 1_261 * MINUTE_MS) {
      const back = parseDateTimeInput(dateTimeInput(at, zone), zone);
      // The hour that comes twice is read as its first time.
      expect([at, at - 60 * MINUTE_MS], `${new Date(at).toISOString()}`).toContain(back);
    }
  },
);

it('takes the first of two, and the moment after a gap', () => {
  expect(parseDateTimeInput('2026-10-25T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 9, 25, 0, 30));
  expect(parseDateTimeInput('2026-03-29T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1, 30));
});

it('keeps seconds and milliseconds, and refuses what is no time', () => {
  expect(dateTimeInput(Date.UTC(2026, 10, 20, 13, 8, 16, 42), 'UTC')).toBe('2026-11-20T13:08:16.042');
  expect(parseDateTimeInput('2026-11-20T13:08:16.042', 'UTC')).toBe(Date.UTC(2026, 10, 20, 13, 8, 16, 42));
  expect(dateTimeInput(null, 'UTC')).toBe('');
  for (const bad of ['', 'tomorrow', '2026-13-45T00:00']) expect(parseDateTimeInput(bad, 'UTC')).toBeNaN();
});
