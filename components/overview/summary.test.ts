import { describe, expect, it } from 'vitest';
import type { Overview, QueueSnapshot } from '@/lib/contract/queue';
import { CALM_QUEUE } from '@/testing/queue-snapshot';
import { ageBand, drainOf, fullness, minutesOf, totalsOf, worstFirst } from './summary';

const queue = (name: string, patch: Partial<QueueSnapshot> = {}): QueueSnapshot => ({
  ...CALM_QUEUE,
  queue: name,
  ...patch,
});

const overview = (queues: QueueSnapshot[], findings: Overview['verdict']['findings'] = []): Overview => ({
  at: 0,
  ageMs: 0,
  fresh: true,
  redis: { version: null, roundTripMs: null, usedMemoryBytes: null, error: null },
  verdict: { level: 'ok', findings },
  queues,
});
const finding = (name: string, level: 'warn' | 'bad') => ({ level, queue: name, code: level, sentence: '' });
const names = (o: Overview) => worstFirst(o).map((ranked) => ranked.queue.queue);

describe('worstFirst', () => {
  it('puts findings first, the worse before the lesser, whatever their order', () => {
    const o = overview(
      [queue('a'), queue('b'), queue('c')],
      [finding('b', 'warn'), finding('c', 'warn'), finding('c', 'bad')],
    );
    expect(names(o)).toEqual(['c', 'b', 'a']);
  });

  it('then the longest wait, but not by differences that change each second', () => {
    const waits = (a: number, b: number) =>
      overview([queue('a', { oldestReadyAgeMs: a }), queue('b', { oldestReadyAgeMs: b })]);
    expect(names(waits(2_000, 80_000))).toEqual(['b', 'a']);
    expect(names(waits(2_000, 3_000))).toEqual(['a', 'b']);
    expect(ageBand(null)).toBeLessThan(ageBand(0));
  });
});

describe('totalsOf', () => {
  it('adds what can be added and leaves unknown what nobody knows', () => {
    const rates = { arrivalPerSecond: 2, completedPerSecond: 3, failedPerSecond: 1, failureRatio: 0.25 };
    const totals = totalsOf([queue('a', { rates: { ...rates, windowMs: 60_000 }, drainMs: 5 }), queue('b')]);
    expect(totals).toMatchObject({
      arrivalPerSecond: 2,
      failureRatio: 0.25,
      drainMs: 5,
      oldestReadyAgeMs: null,
    });
    expect(totalsOf([queue('a')]).failureRatio).toBeNull();
  });

  it('does not let two wrong ledgers cancel out', () => {
    const ledger = (difference: number) => ({ enqueued: 0, inStates: 0, deleted: 0, difference });
    expect(totalsOf([queue('a', { ledger: ledger(2) }), queue('b', { ledger: ledger(-2) })]).difference).toBe(
      4,
    );
  });
});

describe('what is partial or full', () => {
  it('sums are partial as soon as one queue is', () => {
    const partial = queue('a', { shards: { count: 3, unavailable: [2] } });
    expect(totalsOf([queue('b'), partial]).partial).toBe(true);
    expect(totalsOf([queue('b')]).partial).toBe(false);
  });
  it('a queue is worth a mark from nine tenths of its limit on', () => {
    const at = (jobs: number, limit: number | null) => fullness(queue('a', { depth: { jobs, limit } }));
    expect([at(89, 100), at(90, 100), at(250, 100), at(5_000, null)]).toEqual([null, 0.9, 1, null]);
  });
});

describe('minutesOf', () => {
  const minute = (at: number, completed: number) => ({
    minute: at,
    enqueued: 0,
    completed,
    failed: 0,
    dead: 0,
  });
  it('sums whole minutes of all queues, oldest first, without the one under way', () => {
    const points = minutesOf([
      queue('a', { minutes: [minute(100, 1), minute(101, 2), minute(102, 50)] }),
      queue('b', { minutes: [minute(101, 3), minute(102, 60)] }),
    ]);
    expect(points.map((point) => [point.at, point.completed])).toEqual([
      [100 * 60_000, 1],
      [101 * 60_000, 5],
    ]);
  });
});

describe('drainOf', () => {
  const backlog = { ...queue('a').counts, ready: 5 };
  it('says never only when something waits and nothing stops it', () => {
    expect(drainOf(queue('a'))).toBeNull();
    expect(drainOf(queue('a', { counts: backlog }))).toBe('never');
    expect(drainOf(queue('a', { counts: backlog, drainMs: 9 }))).toBe(9);
    const pauses = [{ scope: 'queue' as const, since: 0, until: null, actor: 'ada', reason: 'why' }];
    expect(drainOf(queue('a', { counts: backlog, pauses }))).toBe('paused');
  });
});
