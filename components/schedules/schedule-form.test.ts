import { describe, expect, it } from 'vitest';
import type { Schedule } from '@/lib/contract/schedules';
import { emptyForm, formOf, previewOf, readForm } from './schedule-form';

const filled = { ...emptyForm('Europe/Berlin'), id: 'nightly', queue: 'default', jobType: 'report.make' };
const schedule: Schedule = {
  id: 'nightly',
  queue: 'q',
  timing: { everyMs: 5_400_000, anchor: 77 },
  job: {
    jobType: 'a',
    jobVersion: 3,
    tenantId: 't',
    priority: -5,
    maxAttempts: 2,
    timeoutMs: 9,
    payload: 'not json',
  },
  missed: 'all',
  overlap: 'skip',
  startAt: Date.UTC(2026, 0, 1, 12, 30),
  endAt: null,
  paused: false,
  generation: 1,
  createdAt: 0,
  updatedAt: 0,
  maker: 'a',
  actor: 'a',
  reason: 'r',
  nextAt: null,
  last: null,
  entered: 0,
  skipped: 0,
};

describe('the form', () => {
  it('asks for what was typed', () => {
    expect(readForm(filled, null).request).toEqual({
      id: 'nightly',
      queue: 'default',
      timing: { cron: '0 9 * * *', timeZone: 'Europe/Berlin' },
      job: { jobType: 'report.make', tenantId: 'default', priority: 0, maxAttempts: 8, payload: '{}' },
      missed: 'one',
      overlap: 'allow',
      startAt: null,
      endAt: null,
      reason: undefined,
    });
    const every = { ...filled, kind: 'every' as const, every: '1.5', unitMs: '3600000' };
    expect(readForm(every, null).request?.timing).toEqual({ everyMs: 5_400_000, anchor: 0 });
  });

  it('of a schedule gives back that schedule, with what it does not show', () => {
    const form = formOf(schedule, 'UTC');
    expect(form).toMatchObject({ kind: 'every', every: '90', unitMs: '60000', reason: '' });
    expect(readForm(form, schedule).request).toEqual({
      id: 'nightly',
      queue: 'q',
      timing: schedule.timing,
      job: schedule.job,
      missed: 'all',
      overlap: 'skip',
      startAt: schedule.startAt,
      endAt: null,
      reason: undefined,
    });
  });

  it.each([
    ['id', { id: 'a b' }],
    ['id', { id: 'preview' }],
    ['queue', { queue: '' }],
    ['cron', { cron: ' ' }],
    ['timeZone', { timeZone: '' }],
    ['every', { kind: 'every', every: '0.5', unitMs: '1000' }],
    ['every', { kind: 'every', every: '' }],
    ['every', { kind: 'every', every: 'x' }],
    ['jobType', { jobType: '' }],
    ['priority', { priority: '1001' }],
    ['priority', { priority: '' }],
    ['maxAttempts', { maxAttempts: '0' }],
    ['startAt', { startAt: 'soon' }],
  ] as const)('says what is wrong with %s', (field, change) => {
    const { request, errors } = readForm({ ...filled, ...change }, null);
    expect(request).toBeNull();
    expect(Object.keys(errors ?? {})).toEqual([field]);
  });
});

it('previews what is complete enough', () => {
  expect(previewOf(filled)).toEqual({
    timing: { cron: '0 9 * * *', timeZone: 'Europe/Berlin' },
    startAt: null,
    endAt: null,
  });
  expect(previewOf({ ...filled, cron: '' })).toBeNull();
  expect(previewOf({ ...filled, kind: 'every', every: '' })).toBeNull();
  expect(previewOf({ ...filled, startAt: 'soon' })).toBeNull();
});
