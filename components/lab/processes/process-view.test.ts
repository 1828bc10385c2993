import { describe, expect, it } from 'vitest';
import type { LabCrash, LabProcess } from '@/lib/contract/lab/lab-schemas';
import { addOccupants, CRASH_HIGHLIGHT_MS, crashLabel, openLeases, processViews } from './process-view';

const process: LabProcess = {
  slot: 3,
  status: 'starting',
  workerId: 'new',
  pid: 2,
  crashes: 1,
  restartAt: null,
  lastCrash: { at: 10_000, cause: 'SIGKILL', reclaimed: 0 },
};
const crash: LabCrash = { at: 10_100, workerId: 'old', pid: 1234, cause: 'SIGKILL', reclaimed: 3, jobs: [] };
const view = (now: number, occupants = new Map([['old', 3]])) => {
  const [first] = processViews([process], [], [crash], occupants, now);
  if (!first) throw new Error('no view');
  return first;
};

describe('a slot after a crash', () => {
  it('stays red for a while', () => {
    expect(view(10_500).crashedRecently).toBe(true);
    expect(view(10_000 + CRASH_HIGHLIGHT_MS).crashedRecently).toBe(false);
  });
  it('names the process that died when it was seen in this slot', () => {
    expect(crashLabel(view(10_500))).toBe('SIGKILL · pid 1234 · 3 jobs reclaimed');
    expect(crashLabel(view(10_500, new Map()))).toBe('SIGKILL · no jobs');
  });
});

describe('the leases that a crash left', () => {
  it('are shown until the jobs are back', () => {
    const jobs = [
      { queue: 'q', jobId: 'a', leaseUntil: 9_000 },
      { queue: 'q', jobId: 'b', leaseUntil: null },
    ];
    const slow = { ...crash, reclaimed: 0, jobs };
    expect(openLeases(slow, 8_000)).toEqual([{ jobId: 'a', leaseUntil: 9_000 }]);
    expect(openLeases(slow, 99_000)).toEqual([]);
    expect(openLeases({ ...slow, reclaimed: 2 }, 8_000)).toEqual([]);
  });
});

describe('remember', () => {
  it('keeps who was where, and the same map when nothing is new', () => {
    const first = addOccupants(new Map(), [process]);
    expect(first.get('new')).toBe(3);
    expect(addOccupants(first, [process])).toBe(first);
  });
});
