/**
 * What becomes of slots where clocks change: exact moments, in four zones that change in four ways. This table is the
 * published rule (docs/schedules.md); a new version of croner or of the time zone data must not change it unnoticed.
 */
import { describe, expect, it } from 'vitest';
import { occurrencesAfter } from './occurrences';

const NY = 'America/New_York'; // 2026-03-08 02:00 → 03:00; 2026-11-01 02:00 → 01:00
const BERLIN = 'Europe/Berlin'; // 2026-03-29 02:00 → 03:00; 2026-10-25 03:00 → 02:00
const SANTIAGO = 'America/Santiago'; // 2026-09-06 00:00 → 01:00, at midnight; 2026-04-05 00:00 → 23:00 of the day before
const LORD_HOWE = 'Australia/Lord_Howe'; // 2026-10-04 02:00 → 02:30, half an hour; 2026-04-05 02:00 → 01:30

interface Golden {
  what: string;
  cron: string;
  zone: string;
  after: string;
  slots: string[];
}

const SPRING: Golden[] = [
  {
    what: 'daily, beside the gap',
    cron: '0 9 * * *',
    zone: NY,
    after: '2026-03-07T12:00Z',
    slots: ['2026-03-07T14:00Z', '2026-03-08T13:00Z', '2026-03-09T13:00Z'],
  },
  {
    what: 'a fixed time in the gap comes at its end, once',
    cron: '30 2 * * *',
    zone: NY,
    after: '2026-03-07T12:00Z',
    slots: ['2026-03-08T07:00Z', '2026-03-09T06:30Z', '2026-03-10T06:30Z'],
  },
  {
    what: 'fixed times that meet at its end come once',
    cron: '0,15,30,45 2 * * *',
    zone: NY,
    after: '2026-03-08T05:30Z',
    slots: ['2026-03-08T07:00Z', '2026-03-09T06:00Z', '2026-03-09T06:15Z'],
  },
  {
    what: 'one of two fixed times in the gap',
    cron: '30 2,14 * * *',
    zone: NY,
    after: '2026-03-08T05:30Z',
    slots: ['2026-03-08T07:00Z', '2026-03-08T18:30Z', '2026-03-09T06:30Z'],
  },
  {
    what: 'hourly goes on in real time',
    cron: '0 * * * *',
    zone: NY,
    after: '2026-03-08T05:30Z',
    slots: ['2026-03-08T06:00Z', '2026-03-08T07:00Z', '2026-03-08T08:00Z'],
  },
  {
    what: 'every 30 minutes goes on in real time',
    cron: '*/30 * * * *',
    zone: NY,
    after: '2026-03-08T06:10Z',
    slots: ['2026-03-08T06:30Z', '2026-03-08T07:00Z', '2026-03-08T07:30Z'],
  },
  {
    what: 'a fixed time in the gap',
    cron: '30 2 * * *',
    zone: BERLIN,
    after: '2026-03-28T12:00Z',
    slots: ['2026-03-29T01:00Z', '2026-03-30T00:30Z', '2026-03-31T00:30Z'],
  },
  {
    what: 'hourly',
    cron: '0 * * * *',
    zone: BERLIN,
    after: '2026-03-28T23:30Z',
    slots: ['2026-03-29T00:00Z', '2026-03-29T01:00Z', '2026-03-29T02:00Z'],
  },
  {
    what: 'every 30 minutes',
    cron: '*/30 * * * *',
    zone: BERLIN,
    after: '2026-03-29T00:10Z',
    slots: ['2026-03-29T00:30Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z'],
  },
  {
    what: 'midnight does not exist: the day begins at one',
    cron: '0 0 * * *',
    zone: SANTIAGO,
    after: '2026-09-05T04:30Z',
    slots: ['2026-09-06T04:00Z', '2026-09-07T03:00Z', '2026-09-08T03:00Z'],
  },
  {
    what: 'a fixed time in the gap after midnight',
    cron: '30 0 * * *',
    zone: SANTIAGO,
    after: '2026-09-05T05:00Z',
    slots: ['2026-09-06T04:00Z', '2026-09-07T03:30Z', '2026-09-08T03:30Z'],
  },
  {
    what: 'hourly over midnight',
    cron: '0 * * * *',
    zone: SANTIAGO,
    after: '2026-09-06T02:30Z',
    slots: ['2026-09-06T03:00Z', '2026-09-06T04:00Z', '2026-09-06T05:00Z'],
  },
  {
    what: 'a fixed time in the gap of half an hour',
    cron: '15 2 * * *',
    zone: LORD_HOWE,
    after: '2026-10-02T16:30Z',
    slots: ['2026-10-03T15:30Z', '2026-10-04T15:15Z', '2026-10-05T15:15Z'],
  },
  {
    what: 'hourly: two o’clock does not exist',
    cron: '0 * * * *',
    zone: LORD_HOWE,
    after: '2026-10-03T13:45Z',
    slots: ['2026-10-03T14:30Z', '2026-10-03T16:00Z', '2026-10-03T17:00Z'],
  },
  {
    what: 'every 30 minutes',
    cron: '*/30 * * * *',
    zone: LORD_HOWE,
    after: '2026-10-03T14:40Z',
    slots: ['2026-10-03T15:00Z', '2026-10-03T15:30Z', '2026-10-03T16:00Z'],
  },
];

const AUTUMN: Golden[] = [
  {
    what: 'a fixed time that comes twice runs once, the first time',
    cron: '30 1 * * *',
    zone: NY,
    after: '2026-10-31T12:00Z',
    slots: ['2026-11-01T05:30Z', '2026-11-02T06:30Z', '2026-11-03T06:30Z'],
  },
  {
    what: 'hourly goes on in real time',
    cron: '0 * * * *',
    zone: NY,
    after: '2026-11-01T04:30Z',
    slots: ['2026-11-01T05:00Z', '2026-11-01T06:00Z', '2026-11-01T07:00Z'],
  },
  {
    what: 'every 30 minutes goes on in real time',
    cron: '*/30 * * * *',
    zone: NY,
    after: '2026-11-01T05:10Z',
    slots: ['2026-11-01T05:30Z', '2026-11-01T06:00Z', '2026-11-01T06:30Z', '2026-11-01T07:00Z'],
  },
  {
    what: 'a fixed time that comes twice',
    cron: '30 2 * * *',
    zone: BERLIN,
    after: '2026-10-24T12:00Z',
    slots: ['2026-10-25T00:30Z', '2026-10-26T01:30Z', '2026-10-27T01:30Z'],
  },
  {
    what: 'daily, beside it',
    cron: '0 9 * * *',
    zone: BERLIN,
    after: '2026-10-24T12:00Z',
    slots: ['2026-10-25T08:00Z', '2026-10-26T08:00Z'],
  },
  {
    what: 'hourly',
    cron: '0 * * * *',
    zone: BERLIN,
    after: '2026-10-24T23:30Z',
    slots: ['2026-10-25T00:00Z', '2026-10-25T01:00Z', '2026-10-25T02:00Z'],
  },
  {
    what: 'the last hour of the day comes twice',
    cron: '30 23 * * *',
    zone: SANTIAGO,
    after: '2026-04-04T12:00Z',
    slots: ['2026-04-05T02:30Z', '2026-04-06T03:30Z', '2026-04-07T03:30Z'],
  },
  {
    what: 'midnight comes once, after the hour that came twice',
    cron: '0 0 * * *',
    zone: SANTIAGO,
    after: '2026-04-04T12:00Z',
    slots: ['2026-04-05T04:00Z', '2026-04-06T04:00Z'],
  },
  {
    what: 'hourly over midnight',
    cron: '0 * * * *',
    zone: SANTIAGO,
    after: '2026-04-05T01:30Z',
    slots: ['2026-04-05T02:00Z', '2026-04-05T03:00Z', '2026-04-05T04:00Z'],
  },
  {
    what: 'half an hour comes twice; a fixed time in it once',
    cron: '45 1 * * *',
    zone: LORD_HOWE,
    after: '2026-04-03T16:30Z',
    slots: ['2026-04-04T14:45Z', '2026-04-05T15:15Z', '2026-04-06T15:15Z'],
  },
  {
    what: 'every 30 minutes',
    cron: '*/30 * * * *',
    zone: LORD_HOWE,
    after: '2026-04-04T14:10Z',
    slots: ['2026-04-04T14:30Z', '2026-04-04T15:00Z', '2026-04-04T15:30Z'],
  },
  {
    what: 'hourly: half past one comes twice, the full hours once',
    cron: '0 * * * *',
    zone: LORD_HOWE,
    after: '2026-04-04T13:30Z',
    slots: ['2026-04-04T14:00Z', '2026-04-04T15:30Z', '2026-04-04T16:30Z'],
  },
];

describe.each([
  ['clocks go forward', SPRING],
  ['clocks go back', AUTUMN],
])('B17: where %s', (_, rows) => {
  it.each(rows)('$zone, $cron: $what', ({ cron, zone, after, slots }) => {
    const found = occurrencesAfter(
      { timing: { cron, timeZone: zone }, startAt: null, endAt: null },
      Date.parse(after),
      slots.length,
    );
    expect(found.map((at) => new Date(at).toISOString().replace(':00.000Z', 'Z'))).toEqual(slots);
  });
});
