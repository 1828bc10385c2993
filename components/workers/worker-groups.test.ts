import { describe, expect, it } from 'vitest';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { groupWorkers } from './worker-groups';

const worker = (workerId: string, over: Partial<Worker> = {}): Worker => ({
  workerId,
  status: 'running',
  host: 'h',
  pid: 1,
  version: '1',
  startedAt: 0,
  lastSeenAt: 0,
  queues: {},
  concurrency: 1,
  leaseMs: 1_000,
  jobs: [],
  completed: 0,
  failed: 0,
  breakers: [],
  handlers: [],
  schemasDigest: '',
  memoryBytes: 0,
  eventLoopDelayMs: 0,
  end: null,
  ...over,
});
const end = (at: number) => ({ at, cause: 'SIGKILL', reclaimed: 2 });

const held = { queue: 'q', jobId: 'j', jobType: 't', startedAt: 0 };

describe('groupWorkers', () => {
  it('puts lost ones first and ended ones apart, the latest end first', () => {
    const { alive, ended } = groupWorkers(
      [
        worker('b'),
        worker('a'),
        worker('z', { status: 'lost', jobs: [{ ...held, leaseUntil: 200 }] }),
        worker('gone', { status: 'lost', lastSeenAt: 3, jobs: [{ ...held, leaseUntil: 50 }] }),
        worker('c1', { status: 'crashed', end: end(1) }),
        worker('c2', { status: 'crashed', end: end(2) }),
      ],
      100,
    );
    expect(alive.map((w) => w.workerId)).toEqual(['z', 'a', 'b']);
    expect(ended.map((w) => w.workerId)).toEqual(['gone', 'c2', 'c1']);
  });
});
