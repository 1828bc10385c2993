import { describe, expect, it } from 'vitest';
import { messagesOf } from '@/lib/browser/api/use-contract-form';
import { type Schedule, scheduleRequestSchema } from '@/lib/contract/schedules/schedule-schemas';
import {
  checkScheduleForm,
  emptyScheduleForm,
  previewRequest,
  scheduleToForm,
  toScheduleRequest,
} from './schedule-form';

const filled = {
  ...emptyScheduleForm('Europe/Berlin'),
  id: 'nightly',
  queue: 'default',
  jobType: 'report.make',
};
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
    expect(toScheduleRequest(filled, null)).toEqual({
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
    expect(toScheduleRequest(every, null).timing).toEqual({ everyMs: 5_400_000, anchor: 0 });
  });

  it('of a schedule gives back that schedule, with what it does not show', () => {
    const form = scheduleToForm(schedule, 'UTC');
    expect(form).toMatchObject({ kind: 'every', every: '90', unitMs: '60000', reason: '' });
    expect(toScheduleRequest(form, schedule)).toEqual({
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
    ['timing.cron', { cron: ' ' }],
    ['timing.timeZone', { timeZone: '' }],
    ['timing.everyMs', { kind: 'every', every: '0.5', unitMs: '1000' }],
    ['timing.everyMs', { kind: 'every', every: '' }],
    ['timing.everyMs', { kind: 'every', every: 'x' }],
    ['job.jobType', { jobType: '' }],
    ['job.priority', { priority: '1001' }],
    ['job.priority', { priority: '' }],
    ['job.maxAttempts', { maxAttempts: '0' }],
    ['startAt', { startAt: 'soon' }],
  ] as const)('says what is wrong with %s', (field, change) => {
    const { success, error } = scheduleRequestSchema.safeParse(
      toScheduleRequest({ ...filled, ...change }, null),
    );
    expect(success).toBe(false);
    const fields = [...messagesOf(error?.issues ?? [])].map(([path]) => path);
    expect([...new Set(fields)]).toEqual([field]);
  });

  it('calls an empty cron expression empty, not too short', () => {
    expect(checkScheduleForm({ ...filled, cron: ' ' })).toEqual({ cron: 'must not be empty' });
    expect(checkScheduleForm({ ...filled, kind: 'every', cron: '' })).toEqual({});
  });
});

it('previews what is complete enough', () => {
  expect(previewRequest(filled)).toEqual({
    timing: { cron: '0 9 * * *', timeZone: 'Europe/Berlin' },
    startAt: null,
    endAt: null,
  });
  expect(previewRequest({ ...filled, cron: '' })).toBeNull();
  expect(previewRequest({ ...filled, kind: 'every', every: '' })).toBeNull();
  expect(previewRequest({ ...filled, startAt: 'soon' })).toBeNull();
});
