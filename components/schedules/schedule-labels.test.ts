import { describe, expect, it } from 'vitest';
import { missingHandlerLabel } from '@/components/shared/coverage-text';
import type { RecentRunOutcome } from '@/lib/contract/schedules/schedule-schemas';
import {
  clockChangeLabel,
  dayRuleLabel,
  expressionLabel,
  isOverdue,
  lastJobOutcome,
  runsLabel,
  timingLabel,
} from './labels';

describe('when, in words', () => {
  it.each([
    ['* * * * *', 'Every minute'],
    ['*/5 * * * *', 'Every 5 minutes'],
    ['7 * * * *', 'Every hour at minute 7'],
    ['0 */6 * * *', 'Every 6 hours'],
    ['30 2 * * *', 'Every day at 02:30'],
    ['0 9 * * 1-5', 'Monday to Friday at 09:00'],
    ['0 9 * * MON-FRI', 'Monday to Friday at 09:00'],
    ['0 9 * * mon,wed', 'Monday, Wednesday at 09:00'],
    ['0 9 * * 7', 'Every Sunday at 09:00'],
    ['15 4 1 * *', 'Day 1 of every month at 04:15'],
    ['15 4 L * *', 'The last day of every month at 04:15'],
    ['* * * * * *', 'Every second'],
    ['*/10 * * * * *', 'Every 10 seconds'],
    ['0 30 2 * * *', 'Every day at 02:30'],
    // More than a few words: the expression speaks for itself.
    ['0 9 1 * MON', null],
    ['0 9 * 6 *', null],
    ['0,30 9-17 * * *', null],
    ['30 0 2 * * *', null],
    ['0 9 * * 1#2', null],
    ['5 */2 * * *', null],
    ['nonsense', null],
  ])('%s is %s', (cron, words) => {
    expect(timingLabel({ cron, timeZone: 'UTC' })).toBe(words);
  });
  it('every so often', () => {
    for (const [everyMs, words] of [
      [1_000, 'Every second'],
      [90_000, 'Every 90 seconds'],
      [3_600_000, 'Every hour'],
      [5_400_000, 'Every 90 minutes'],
      [172_800_000, 'Every 2 days'],
      [2_500, 'Every 2.5 s'],
    ] as const)
      expect(timingLabel({ everyMs, anchor: 0 })).toBe(words);
    expect(expressionLabel({ everyMs: 5_000, anchor: 0 })).toBe('');
    expect(expressionLabel({ cron: '0 0 * * *', timeZone: 'Asia/Tokyo' })).toBe('0 0 * * * Asia/Tokyo');
  });
});

it('is overdue only beyond what ordinary lateness is', () => {
  expect(isOverdue({ nextAt: 1_000 }, 31_000)).toBe(false);
  expect(isOverdue({ nextAt: 1_000 }, 31_001)).toBe(true);
  expect(isOverdue({ nextAt: null }, 31_001)).toBe(false);
});

it('says what a change of clocks does', () => {
  const at = Date.parse('2026-03-29T01:00:00Z');
  const hour = 3_600_000;
  const words = clockChangeLabel(
    { clockChange: { at, offsetBeforeMs: hour, offsetAfterMs: 2 * hour } },
    'Europe/Berlin',
  );
  expect(words).toMatch(
    /^Clocks in Europe\/Berlin go forward by 1 h at 2026-03-29 03:00:00 .*first moment after the gap/,
  );
  const back = { at, offsetBeforeMs: 11 * hour, offsetAfterMs: 10.5 * hour };
  expect(clockChangeLabel({ clockChange: back }, 'Australia/Lord_Howe')).toMatch(
    /go back by 30 m at .*runs once/,
  );
  expect(clockChangeLabel({ clockChange: null }, 'UTC')).toBeNull();
});

const run = (outcome: RecentRunOutcome, count = 1) => ({ outcome, count });
it('counts runs in words, in the order in which they are given', () => {
  expect(runsLabel([run('completed'), run('dead'), run('completed', 7), run('unknown')])).toBe(
    '8 completed, 1 dead, 1 not known any more',
  );
});

describe('the days of an expression with both day fields', () => {
  it.each([
    [
      '0 9 1,15 * FRI',
      'Runs on days of the month 1,15, and on days of the week FRI: one match is enough. For days that match both, write +FRI.',
    ],
    [
      '0 0 9 */2 * MON',
      'Runs on days of the month */2, and on days of the week MON: one match is enough. Vixie cron would ask for both here. For days that match both, write +MON.',
    ],
    ['0 9 */2 * +MON', null],
    ['0 9 * * MON', null],
    ['0 9 ? * MON', null],
    ['0 9 1 * *', null],
    ['0 9', null],
  ])('%s', (cron, sentence) => expect(dayRuleLabel(cron)).toBe(sentence));
});

it.each([
  ['unknown-type', 'No worker of mail knows the job type email.sned.'],
  ['unknown-version', 'No worker of mail knows version 7 of the job type email.sned.'],
  [null, null],
] as const)('says what workers lack: %s', (missingHandler, sentence) => {
  const job = { jobType: 'email.sned', jobVersion: 7 };
  expect(missingHandlerLabel({ queue: 'mail', job, missingHandler })).toBe(sentence);
});

it.each([
  ['completed', { word: 'completed', tone: 'text-good' }],
  ['dead', { word: 'dead', tone: 'text-bad' }],
  ['waiting', { word: 'waiting', tone: 'text-muted' }],
  ['unknown', null],
] as const)('of the last run says that its job is %s, not that it was enqueued', (outcome, said) => {
  const last = { fireTime: 2_000, jobId: 'j2', outcome: 'entered' as const };
  const recentRuns = [
    { at: 1_000, outcome: 'completed' as const, count: 1, jobId: 'j1' },
    { at: 2_000, outcome, count: 1, jobId: 'j2' },
  ];
  expect(lastJobOutcome({ last, recentRuns })).toEqual(said);
  expect(lastJobOutcome({ last: { ...last, jobId: 'j3' }, recentRuns })).toBeNull();
});
