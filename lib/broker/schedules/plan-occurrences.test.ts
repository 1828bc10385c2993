import { describe, expect, it } from 'vitest';
import { MISSED_OCCURRENCES_MAX, SCHEDULE_GRACE_MS } from '@/lib/contract/schedules/schedule-limits';
import type { Schedule } from '@/lib/contract/schedules/schedule-schemas';
import { planOccurrences } from './plan-occurrences';

const T = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const schedule = (rest: Partial<Schedule> = {}): Schedule => ({
  id: 's',
  queue: 'q',
  timing: { everyMs: MINUTE, anchor: 0 },
  job: { jobType: 'a', jobVersion: 1, tenantId: 't', priority: 0, maxAttempts: 1, timeoutMs: 0, payload: '' },
  missed: 'one',
  overlap: 'allow',
  startAt: null,
  endAt: null,
  paused: false,
  generation: 1,
  createdAt: 0,
  updatedAt: 0,
  maker: 'a',
  actor: 'a',
  reason: null,
  nextAt: T,
  last: null,
  entered: 0,
  skipped: 0,
  ...rest,
});
const at = (minutes: number) => T + minutes * MINUTE;

describe('a slot that has come', () => {
  it('is entered on time and within the grace, whatever the policy', () => {
    for (const missed of ['skip', 'one', 'all'] as const)
      for (const late of [0, 1, SCHEDULE_GRACE_MS])
        expect(planOccurrences(schedule({ missed }), T + late)).toEqual({
          from: T,
          to: T,
          skippedCount: 0,
          occurrences: [T],
        });
  });
  it('is none before its time, of a paused schedule, or past the end', () => {
    expect(planOccurrences(schedule(), T - 1)).toBeNull();
    expect(planOccurrences(schedule({ paused: true }), at(5))).toBeNull();
    expect(planOccurrences(schedule({ nextAt: null }), at(5))).toBeNull();
    expect(planOccurrences(schedule({ endAt: T - 1 }), at(5))).toBeNull();
  });
});

describe('slots that nobody dealt with', () => {
  // Five minutes late: slots 0 to 4 are missed, the one at five is on time.
  it.each([
    ['skip', 5, [5]],
    ['one', 4, [4, 5]],
    ['all', 0, [0, 1, 2, 3, 4, 5]],
  ] as const)('%s: %i are passed over', (missed, passed, slots) => {
    expect(planOccurrences(schedule({ missed }), at(5))).toEqual({
      from: T,
      to: at(5),
      skippedCount: passed,
      occurrences: slots.map(at),
    });
  });

  it('are passed over even when nothing is on time', () => {
    expect(planOccurrences(schedule({ missed: 'skip' }), at(5) + SCHEDULE_GRACE_MS + 1)).toEqual({
      from: T,
      to: at(5),
      skippedCount: 6,
      occurrences: [],
    });
  });

  it('are bounded when all are wanted: the newest are made up for, the rest is counted', () => {
    const plan = planOccurrences(schedule({ missed: 'all' }), at(3_000));
    expect(plan?.occurrences).toHaveLength(MISSED_OCCURRENCES_MAX);
    expect(plan).toMatchObject({ skippedCount: 3_001 - MISSED_OCCURRENCES_MAX, to: at(3_000) });
  });
});
