import { expect, it } from 'vitest';
import { FIRING_ALERT } from '@/testing/records/alert-about-orders';
import { alertMarks } from './alert-marks';

const RANGE = { from: 1_000_000, to: 2_000_000 };
const ended = { ...FIRING_ALERT, state: 'ended' as const, firedAt: 1_030_000, endedAt: 1_330_000 };

it('marks when an alert fired and when it was over', () => {
  expect(alertMarks([ended], RANGE)).toEqual([
    { at: 1_030_000, kind: 'alert', text: `Alert FAILING: ${FIRING_ALERT.sentence}` },
    { at: 1_330_000, kind: 'alert', text: 'Alert FAILING ended after 5 m 30 s' },
  ]);
  expect(alertMarks([FIRING_ALERT], RANGE)).toHaveLength(1);
});

it('keeps saying what the alert said when it fired', () => {
  const changed = { ...ended, sentence: '99% of runs in orders fail.', firedSentence: 'As it was.' };
  expect(alertMarks([changed], RANGE)[0]?.text).toBe('Alert FAILING: As it was.');
});

it('marks nothing outside the range, and nothing that was not sent', () => {
  expect(alertMarks([{ ...FIRING_ALERT, state: 'pending', firedAt: null }], RANGE)).toEqual([]);
  expect(alertMarks([ended], { from: 1_030_001, to: 1_330_000 })).toEqual([]);
  expect(alertMarks([ended], { from: 1_030_000, to: 1_030_001 })).toHaveLength(1);
});
