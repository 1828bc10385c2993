/** A cron expression that is wrong is refused with a sentence that says where. */
import { describe, expect, it } from 'vitest';
import type { RedriveError } from '@/lib/contract/redrive-error';
import { cronOf } from './cron';
import { requireOccurrence } from './occurrences';

const refusal = (cron: string, timeZone = 'UTC'): RedriveError => {
  try {
    cronOf({ cron, timeZone });
  } catch (error) {
    return error as RedriveError;
  }
  throw new Error(`${cron} was taken`);
};

describe('an expression', () => {
  it.each([
    ['x', /has 1 field; give five/],
    ['* * * *', /has 4 fields/],
    ['* * * * * * *', /has 7 fields/],
    ['@daily', /has 1 field/],
    ['2026-01-01T00:00:00', /has 1 field/],
    ['60 * * * *', /field 1 \(minute\) "60" is wrong: .*60/],
    ['* 25 * * *', /field 2 \(hour\) "25"/],
    ['* * 32 * *', /field 3 \(day of month\) "32"/],
    ['* * * FOO *', /field 4 \(month\) "FOO" is wrong: contains illegal characters/],
    ['* * * * 8', /field 5 \(day of week\) "8"/],
    ['61 0 0 * * *', /field 1 \(second\) "61"/],
    ['0 0 24 * * *', /field 3 \(hour\) "24"/],
    ['*/0 * * * *', /field 1 \(minute\) "\*\/0"/],
    ['5-1 * * * *', /field 1 \(minute\) "5-1"/],
    ['1,,2 * * * *', /field 1 \(minute\) "1,,2"/],
  ])('%j is refused: %s', (cron, words) => {
    const error = refusal(cron);
    expect(error.code).toBe('VALIDATION');
    expect(error.fields).toEqual([{ field: 'timing.cron', message: expect.stringMatching(words) }]);
    expect(error.message).toMatch(/^timing\.cron .*[^.]\.$/);
  });

  it.each(['* * * * *', '0 0 L * *', '0 9 * * MON-FRI', '0 9 * * 1#2', '  0   9 * * *  ', '*/5 * * * * *'])(
    '%j is taken',
    (cron) => {
      expect(
        requireOccurrence({ timing: { cron, timeZone: 'UTC' }, startAt: null, endAt: null }, 0),
      ).toBeGreaterThan(0);
    },
  );

  it.each(['0 0 30 2 *', '0 0 31 4,6,9,11 *'])('%j never comes, and is refused for it', (cron) => {
    const never = { timing: { cron, timeZone: 'UTC' }, startAt: null, endAt: null };
    expect(() => requireOccurrence(never, 0)).toThrow(/timing\.cron matches no day that is still to come/);
  });
});

it.each(['Europe/Berlinn', '+02:00', 'GMT+2', '', '../UTC', '__proto__', 'Mars'])(
  'the zone %j is refused',
  (zone) => {
    const error = refusal('* * * * *', zone);
    expect(error.fields[0]?.field).toBe('timing.timeZone');
    expect(error.message).toMatch(/is not a time zone; give an IANA name/);
  },
);
