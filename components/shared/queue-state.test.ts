import { describe, expect, it } from 'vitest';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { fullness } from './queue-state';

const queue = (name: string, patch: Partial<QueueSnapshot> = {}): QueueSnapshot => ({
  ...CALM_QUEUE,
  queue: name,
  ...patch,
});

describe('fullness', () => {
  it('a queue is worth a mark from nine tenths of its limit on', () => {
    const at = (jobs: number, limit: number | null) => fullness(queue('a', { depth: { jobs, limit } }));
    expect([at(89, 100), at(90, 100), at(250, 100), at(5_000, null)]).toEqual([null, 0.9, 1, null]);
  });
});
