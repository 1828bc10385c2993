import { describe, expect, it } from 'vitest';
import type { LabCrash, LabSlot } from '@/lib/contract/lab';
import { crashWords, HURT_MS, remember, slotViews } from './slot-view';

const slot: LabSlot = {
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
  const [first] = slotViews([slot], [], [crash], occupants, now);
  if (!first) throw new Error('no view');
  return first;
};

describe('a slot after a crash', () => {
  it('stays red for a while', () => {
    expect(view(10_500).hurt).toBe(true);
    expect(view(10_000 + HURT_MS).hurt).toBe(false);
  });
  it('names the process that died when it was seen in this slot', () => {
    expect(crashWords(view(10_500))).toBe('SIGKILL · pid 1234 · 3 jobs reclaimed');
    expect(crashWords(view(10_500, new Map()))).toBe('SIGKILL · held no job');
  });
});

describe('remember', () => {
  it('keeps who was where, and the same map when nothing is new', () => {
    const first = remember(new Map(), [slot]);
    expect(first.get('new')).toBe(3);
    expect(remember(first, [slot])).toBe(first);
  });
});
