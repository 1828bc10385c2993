import { describe, expect, it } from 'vitest';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { IDLE_WORKER } from '@/testing/records/idle-worker';
import { endedRows, groupWorkers, workerAdvice, workerName } from './worker-groups';

const worker = (workerId: string, over: Partial<Worker> = {}): Worker => ({
  ...IDLE_WORKER,
  workerId,
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

describe('endedRows', () => {
  const crash = (id: string, at: number, pid = 7) =>
    worker(`${id}-${pid}-x${at}`, { status: 'crashed', pid, end: end(at) });
  // Two loops of demo-2, far apart; two crashes of demo-1 are no loop; a stop breaks none.
  const ended = [
    crash('demo-2', 300_000),
    crash('demo-2', 299_000),
    crash('demo-1', 298_500),
    worker('demo-2-7-stopped', {
      status: 'stopped',
      pid: 7,
      end: { at: 298_000, cause: 'SIGTERM', reclaimed: 0 },
    }),
    crash('demo-1', 297_000),
    crash('demo-2', 240_000),
    crash('demo-2', 3_000),
    crash('demo-2', 2_000),
    crash('demo-2', 1_000),
  ];
  const summary = (open: string[] = []) =>
    endedRows(ended, new Set(open)).map((row) =>
      row.kind === 'loop'
        ? `${row.loop.name} x${row.loop.workers.length} ${row.loop.spanMs} ${row.loop.reclaimed}`
        : row.worker.workerId,
    );

  it('folds three or more crashes in a row of a worker and its replacements', () => {
    expect(summary()).toEqual([
      'demo-2 x3 60000 6',
      'demo-1-7-x298500',
      'demo-2-7-stopped',
      'demo-1-7-x297000',
      'demo-2 x3 2000 6',
    ]);
    expect(summary(['demo-2-7-x240000']).slice(0, 4)).toEqual([
      'demo-2 x3 60000 6',
      'demo-2-7-x300000',
      'demo-2-7-x299000',
      'demo-2-7-x240000',
    ]);
    expect(workerName(worker('plain', { pid: 9 }))).toBe('plain');
  });
});

describe('workerAdvice', () => {
  const crashed = worker('a', { status: 'crashed', end: end(50_000) });

  it('B6: asks for no worker before the cause of crashes is known', () => {
    expect(workerAdvice([crashed], 60_000)).toEqual({ kind: 'crashing', crashes: 1, cause: 'SIGKILL' });
    expect(workerAdvice([crashed], 200_000)).toEqual({ kind: 'start' });
    expect(workerAdvice([], 0)).toEqual({ kind: 'start' });
  });
});
