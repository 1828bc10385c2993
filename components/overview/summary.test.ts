import { describe, expect, it } from 'vitest';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { CALM_QUEUE } from '@/testing/queue-snapshot';
import { ageBand, drainOf, fullness, worstFirst } from './summary';

const queue = (name: string, patch: Partial<QueueSnapshot> = {}): QueueSnapshot => ({
  ...CALM_QUEUE,
  queue: name,
  ...patch,
});

const names = (queues: QueueSnapshot[]) => worstFirst(queues).map((ranked) => ranked.queue.queue);

describe('worstFirst', () => {
  it('puts findings first, the worse before the lesser, whatever their order', () => {
    expect(names([queue('a'), queue('b', { level: 'warn' }), queue('c', { level: 'bad' })])).toEqual([
      'c',
      'b',
      'a',
    ]);
  });

  it('then the longest wait, but not by differences that change each second', () => {
    const waits = (a: number, b: number) => [
      queue('a', { oldestReadyAgeMs: a }),
      queue('b', { oldestReadyAgeMs: b }),
    ];
    expect(names(waits(2_000, 80_000))).toEqual(['b', 'a']);
    expect(names(waits(2_000, 3_000))).toEqual(['a', 'b']);
    expect(ageBand(null)).toBeLessThan(ageBand(0));
  });
});

describe('what is partial or full', () => {
  it('a queue is worth a mark from nine tenths of its limit on', () => {
    const at = (jobs: number, limit: number | null) => fullness(queue('a', { depth: { jobs, limit } }));
    expect([at(89, 100), at(90, 100), at(250, 100), at(5_000, null)]).toEqual([null, 0.9, 1, null]);
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
