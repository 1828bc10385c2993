/** Filter, order and pages of queues, and their sums. */
import { describe, expect, it } from 'vitest';
import type { Pause } from '@/lib/contract/queues/pause-schemas';
import { NAMED_MAX } from '@/lib/contract/queues/queue-limits';
import {
  type QueuePageQuery,
  type QueueSnapshot,
  queuePageQuerySchema,
} from '@/lib/contract/queues/queue-schemas';
import { CALM_QUEUE, overviewOf } from '@/testing/worlds/queue-snapshot';
import { type FullOverview, queuePage, rowOf, sumOfMinutes, sumsOf } from './page-of-queues';

const queue = (name: string, patch: Partial<QueueSnapshot> = {}): QueueSnapshot => ({
  ...CALM_QUEUE,
  queue: name,
  ...patch,
});
const draining = (ms: number): QueueSnapshot['drain'] => ({
  trend: 'shrinking',
  ms,
  growthPerSecond: -1,
  workersNeeded: null,
});
const overview = (queues: QueueSnapshot[]): FullOverview => ({
  at: 0,
  ageMs: 0,
  fresh: true,
  redis: { version: null, roundTripMs: null, usedMemoryBytes: null, error: null },
  verdict: { level: 'ok', total: { bad: 0, warn: 0 }, findings: [] },
  ...overviewOf(queues),
});
const page = (queues: QueueSnapshot[], query: Partial<QueuePageQuery> = {}) =>
  queuePage(overview(queues), { ...queuePageQuerySchema.parse({}), ...query });
const names = (queues: QueueSnapshot[], query: Partial<QueuePageQuery> = {}) =>
  page(queues, query).queues.map((one) => one.queue);

describe('a page of queues', () => {
  const some = [
    queue('a', { drain: draining(5) }),
    queue('B-mail', { level: 'warn', oldestReadyAgeMs: 10, drain: null }),
    queue('c', { level: 'bad', drain: draining(9) }),
    queue('mail', { oldestReadyAgeMs: 90_000, drain: draining(7) }),
  ];
  it('H3: is filtered by part of the name and sorted as asked, what is unknown last', () => {
    expect(names(some)).toEqual(['c', 'B-mail', 'mail', 'a']);
    expect(page(some, { q: 'MAIL' })).toMatchObject({ matching: 2, total: 4, nextCursor: null });
    expect(names(some, { q: 'MAIL' })).toEqual(['B-mail', 'mail']);
    expect(names(some, { sort: 'name' })).toEqual(['B-mail', 'a', 'c', 'mail']);
    expect(names(some, { sort: 'name', order: 'desc' })).toEqual(['mail', 'c', 'a', 'B-mail']);
    expect(names(some, { sort: 'drain' })).toEqual(['c', 'mail', 'a', 'B-mail']);
    expect(names(some, { sort: 'drain', order: 'asc' })).toEqual(['a', 'mail', 'c', 'B-mail']);
  });

  it('waits count by bands: differences that change each second swap no rows', () => {
    const waits = (a: number, b: number) => [
      queue('a', { oldestReadyAgeMs: a }),
      queue('b', { oldestReadyAgeMs: b }),
    ];
    expect(names(waits(2_000, 80_000))).toEqual(['b', 'a']);
    expect(names(waits(2_000, 3_000))).toEqual(['a', 'b']);
  });

  it('the ages of its rows are as of the overview, whenever each queue was read', () => {
    const row = rowOf(queue('a', { at: 1_000, oldestReadyAgeMs: 50, overdueLeaseMs: null }), 4_000);
    expect(row).toMatchObject({ oldestReadyAgeMs: 3_050, overdueLeaseMs: null });
  });

  it.each(['trouble', 'name', 'drain', 'ready'] as const)(
    'H3: the pages by %s have every queue once, whatever their size',
    (sort) => {
      const many = Array.from({ length: 257 }, (_, i) =>
        queue(`q${i}`, {
          level: i % 7 === 0 ? 'bad' : 'ok',
          drain: i % 5 === 0 ? null : draining(i % 11),
          counts: { ...CALM_QUEUE.counts, ready: i % 3 },
        }),
      );
      const all: string[] = [];
      let cursor: string | undefined;
      do {
        const part = page(many, { sort, limit: 20, cursor });
        all.push(...part.queues.map((one) => one.queue));
        cursor = part.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(all).toEqual(names(many, { sort, limit: 500 }));
      expect(new Set(all).size).toBe(257);
    },
  );

  it.each(['x', 'W10', 'eyJhIjoxfQ'])('H3: refuses the cursor %s, which no page gave out', (cursor) => {
    expect(() => page(some, { cursor })).toThrow(/cursor/);
  });
});

describe('sums', () => {
  it('add what can be added and leave unknown what nobody knows', () => {
    const rates = {
      arrivalPerSecond: 2,
      completedPerSecond: 3,
      failedPerSecond: 1,
      lostPerSecond: 0,
      failureRatio: 0.25,
    };
    const sums = sumsOf([queue('a', { rates: { ...rates, windowMs: 60_000 } }), queue('b')]);
    expect(sums).toMatchObject({
      arrivalPerSecond: 2,
      failureRatio: 0.25,
      oldestReadyAgeMs: null,
    });
    expect(sumsOf([queue('a')]).failureRatio).toBeNull();
  });

  const pause = (scope: Pause['scope'], since: number): Pause => ({
    scope,
    since,
    until: null,
    actor: 'ada',
    reason: 'why',
  });

  it('H3: name the latest pauses and the first draining queues, and count all', () => {
    const many = Array.from({ length: 260 }, (_, i) =>
      queue(`q${String(i).padStart(3, '0')}`, {
        pauses: [pause('queue', i), pause('tenant:a', 1_000 + i)],
        draining: i > 100,
      }),
    );
    const { pauses, draining } = sumsOf(many);
    expect([pauses.total, draining.total]).toEqual([520, 159]);
    expect([pauses.named.length, draining.named.length]).toEqual([NAMED_MAX, NAMED_MAX]);
    expect(pauses.named[0]).toMatchObject({ queue: 'q259', scope: 'tenant:a', since: 1_259 });
    expect(draining.named.slice(0, 2)).toEqual(['q101', 'q102']);
  });

  it('H3: name queues with ready jobs and no worker, most jobs first, but not paused ones', () => {
    const ready = (jobs: number) => ({ ...CALM_QUEUE.counts, ready: jobs });
    const { deserted } = sumsOf([
      queue('served', { counts: ready(9) }),
      queue('empty', { workers: 0 }),
      queue('paused', { workers: 0, counts: ready(9), pauses: [pause('queue', 1)] }),
      queue('few', { workers: 0, counts: ready(1) }),
      queue('many', { workers: 0, counts: ready(5), pauses: [pause('tenant:a', 1)] }),
    ]);
    expect(deserted).toEqual({
      total: 2,
      named: [
        { queue: 'many', ready: 5 },
        { queue: 'few', ready: 1 },
      ],
    });
  });

  it('do not let two wrong ledgers cancel out', () => {
    const ledger = (difference: number) => ({ enqueued: 0, inStates: 0, deleted: 0, difference });
    expect(sumsOf([queue('a', { ledger: ledger(2) }), queue('b', { ledger: ledger(-2) })]).difference).toBe(
      4,
    );
  });

  it('are partial as soon as one queue is', () => {
    const partial = queue('a', { shards: { count: 3, unavailable: [2] } });
    expect(sumsOf([queue('b'), partial]).partial).toBe(true);
    expect(sumsOf([queue('b')]).partial).toBe(false);
  });

  it('of minutes are of all queues, oldest first', () => {
    const minute = (at: number, completed: number) => ({
      minute: at,
      enqueued: 0,
      completed,
      failed: 0,
      dead: 0,
    });
    const minutes = sumOfMinutes([
      [minute(100, 1), minute(101, 2)],
      [minute(101, 3), minute(102, 60)],
    ]);
    expect(minutes.map((one) => [one.minute, one.completed])).toEqual([
      [100, 1],
      [101, 5],
      [102, 60],
    ]);
  });
});
