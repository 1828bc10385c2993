import { describe, expect, it } from 'vitest';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { ageBand, worstFirst } from './queue-ranking';

const queue = (name: string, patch: Partial<QueueSnapshot> = {}): QueueSnapshot => ({
  ...CALM_QUEUE,
  queue: name,
  ...patch,
});

const names = (queues: QueueSnapshot[]) => worstFirst(queues).map(({ queue: name }) => name);

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
