/** Slots in general: strictly increasing, on the clock they name, and the same from wherever they are computed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextOccurrence, type OccurrenceRule, occurrencesAfter, occurrencesBetween } from './occurrences';
import { nextClockChange, offsetMs } from './time-zones';

const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Apia',
];
const START = Date.UTC(2025, 0, 1);
const END = Date.UTC(2028, 0, 1);
const moments = fc.integer({ min: START, max: END });
const cron = (cron: string, timeZone = 'UTC', rest: Partial<OccurrenceRule> = {}): OccurrenceRule => ({
  timing: { cron, timeZone },
  startAt: null,
  endAt: null,
  ...rest,
});
const every = (everyMs: number, anchor = 0, rest: Partial<OccurrenceRule> = {}): OccurrenceRule => ({
  timing: { everyMs, anchor },
  startAt: null,
  endAt: null,
  ...rest,
});

/** What a clock on the wall shows, by Intl and not by our own reckoning. */
function wallClock(zone: string, at: number): { hour: number; minute: number } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at);
  const get = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return { hour: get('hour'), minute: get('minute') };
}

describe('cron slots', { timeout: 30_000 }, () => {
  it('strictly increase, and none lies between two that follow each other', () => {
    const pattern = fc.oneof(
      fc.integer({ min: 0, max: 59 }).map((m) => `${m} * * * *`),
      fc.integer({ min: 1, max: 30 }).map((n) => `*/${n} * * * *`),
      fc
        .tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 23 }))
        .map(([m, h]) => `${m} ${h} * * *`),
      fc.integer({ min: 0, max: 23 }).map((h) => `15,45 ${h} * * 1-5`),
      fc.integer({ min: 1, max: 28 }).map((d) => `0 2 ${d} * *`),
    );
    fc.assert(
      fc.property(
        pattern,
        fc.constantFrom(...ZONES),
        moments,
        fc.integer({ min: 0, max: 86_400_000 }),
        (p, zone, at, gap) => {
          const slotted = cron(p, zone);
          const slots = occurrencesAfter(slotted, at, 6);
          expect(slots).toHaveLength(6);
          for (const [i, slot] of slots.entries()) {
            expect(slot).toBeGreaterThan(slots[i - 1] ?? at);
            // From any moment in between, the next is the same: however late a scheduler is, it finds the slot it missed.
            const before = slots[i - 1] ?? at;
            expect(nextOccurrence(slotted, Math.min(before + gap, slot - 1))).toBe(slot);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('of a fixed time show that time on the wall, or come at the end of the gap that has swallowed it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        fc.constantFrom(...ZONES),
        moments,
        (hour, minute, zone, at) => {
          const slot = nextOccurrence(cron(`${minute} ${hour} * * *`, zone), at);
          if (slot === null) throw new Error('every day has one');
          const shown = wallClock(zone, slot);
          const jumped = offsetMs(zone, slot) > offsetMs(zone, slot - 1);
          if (!jumped) expect(shown).toEqual({ hour, minute });
          else expect(shown.hour * 60 + shown.minute).toBeGreaterThanOrEqual(hour * 60 + minute);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('come once a day for a fixed time, in every zone, on every day of three years', () => {
    for (const zone of ZONES) {
      const slotted = cron('30 2 * * *', zone);
      const slots = occurrencesBetween(slotted, nextOccurrence(slotted, START) ?? 0, END, 2_000).occurrences;
      const days = new Set(
        slots.map((slot) =>
          new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(slot),
        ),
      );
      expect([zone, days.size]).toEqual([zone, slots.length]);
      expect(slots.length).toBeGreaterThanOrEqual(1_094);
    }
  });

  it('with six fields have seconds', () => {
    expect(occurrencesAfter(cron('*/20 * * * * *'), START, 3)).toEqual([
      START + 20_000,
      START + 40_000,
      START + 60_000,
    ]);
  });

  it('end where no day is left', () => {
    expect(nextOccurrence(cron('0 0 30 2 *'), START)).toBeNull();
    expect(nextOccurrence(cron('0 0 29 2 *'), START)).toBe(Date.UTC(2028, 1, 29));
  });

  it('neither begin before nor go on after their bounds, which belong to them', () => {
    const noon = Date.UTC(2026, 5, 1, 12);
    const slotted = cron('0 * * * *', 'UTC', { startAt: noon, endAt: noon + 2 * 3_600_000 });
    expect(occurrencesAfter(slotted, START, 9)).toEqual([noon, noon + 3_600_000, noon + 7_200_000]);
  });
});

describe('B15: slots of every so often', { timeout: 30_000 }, () => {
  it('are multiples since the anchor, however late one looks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000, max: 40 * 86_400_000 }),
        fc.integer({ min: 0, max: END }),
        moments,
        (everyMs, anchor, at) => {
          const slot = nextOccurrence(every(everyMs, anchor), at);
          if (slot === null) throw new Error('there is always one');
          expect(slot).toBeGreaterThan(at);
          expect((slot - anchor) % everyMs).toBe(0);
          if (at >= anchor) expect(slot - at).toBeLessThanOrEqual(everyMs);
          else expect(slot).toBe(anchor);
        },
      ),
    );
  });
});

describe('slots between two moments', { timeout: 30_000 }, () => {
  const shapes = [every(60_000), every(61_000, 500), cron('* * * * *'), cron('*/7 * * * *', 'Europe/Berlin')];
  it('are all of them, and when there are too many the newest, and how many are older', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...shapes),
        moments,
        fc.integer({ min: 0, max: 7_200_000 }),
        fc.integer({ min: 1, max: 50 }),
        (slotted, at, span, max) => {
          const from = nextOccurrence(slotted, at) ?? 0;
          const all = [from, ...occurrencesAfter(slotted, from, 200)].filter((slot) => slot <= from + span);
          expect(occurrencesBetween(slotted, from, from + span, max)).toEqual({
            occurrences: all.slice(-max),
            older: Math.max(0, all.length - max),
          });
        },
      ),
    );
  });

  it('are found from their end when there are more than can be walked through', () => {
    const from = Date.UTC(2026, 0, 1);
    const to = from + 30 * 86_400_000;
    const { occurrences: slots, older } = occurrencesBetween(cron('* * * * * *'), from, to, 1_000);
    expect([slots.length, slots[0], slots.at(-1)]).toEqual([1_000, to - 999_000, to]);
    expect(older).toBe(2_000);
    // Every so often is a matter of arithmetic, and exact.
    expect(occurrencesBetween(every(1_000), from, to, 1_000)).toMatchObject({
      older: 30 * 86_400 + 1 - 1_000,
    });
  });

  it('stop at the end of the schedule', () => {
    const from = Date.UTC(2026, 0, 1);
    expect(
      occurrencesBetween(every(60_000, 0, { endAt: from + 120_000 }), from, from + 900_000, 50).occurrences,
    ).toEqual([from, from + 60_000, from + 120_000]);
  });
});

describe('the next change of a clock', { timeout: 30_000 }, () => {
  it.each([
    ['America/New_York', '2026-01-01', '2026-03-08T07:00:00.000Z', -5, -4],
    ['Europe/Berlin', '2026-05-01', '2026-10-25T01:00:00.000Z', 2, 1],
    ['Australia/Lord_Howe', '2026-05-01', '2026-10-03T15:30:00.000Z', 10.5, 11],
    ['America/Santiago', '2026-05-01', '2026-09-06T04:00:00.000Z', -4, -3],
  ])('in %s after %s is at %s', (zone, after, at, before, then) => {
    const from = Date.parse(after);
    expect(nextClockChange(zone, from, from + 366 * 86_400_000)).toEqual({
      at: Date.parse(at),
      offsetBeforeMs: before * 3_600_000,
      offsetAfterMs: then * 3_600_000,
    });
  });
  it('is none where clocks never change', () => {
    expect(nextClockChange('UTC', START, END)).toBeNull();
    expect(nextClockChange('Asia/Kolkata', START, END)).toBeNull();
  });
});
