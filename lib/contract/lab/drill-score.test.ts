import { describe, expect, it } from 'vitest';
import { newDrill, scoreDrill } from './drill-score';
import type { LabDrillId } from './lab-drills';
import type { LabDrill, LabSample } from './lab-schemas';
import { LAB_DEFAULTS } from './lab-settings';

const sample = (at: number, more: Partial<LabSample> = {}): LabSample => ({
  at,
  ready: 5,
  inFlight: 3,
  scheduled: 0,
  retry: 2,
  held: 0,
  deadLetters: 10,
  oldestReadyMs: 200,
  completed: 100,
  failed: 50,
  reclaimed: 7,
  died: 10,
  crashes: 4,
  lost: 0,
  ...more,
});
const start = (id: LabDrillId) => newDrill(id, 1_000, LAB_DEFAULTS, sample(1_000));
/** Samples every two seconds; `stop` before the sample with that index. */
function score(id: LabDrillId, samples: readonly Partial<LabSample>[], stopBefore: number): LabDrill {
  let drill = start(id);
  samples.forEach((more, i) => {
    const at = 3_000 + 2_000 * i;
    const before = samples[i - 1];
    if (i === stopBefore) drill = { ...drill, stoppedAt: at - 500, diedAtStop: before?.died ?? 10 };
    drill = scoreDrill(drill, sample(at, more), true);
  });
  return drill;
}

describe('the score of a drill', () => {
  it('counts from its start, notices once, and recovers when little waits again', () => {
    const busy = { ready: 400, oldestReadyMs: 9_000, crashes: 6, reclaimed: 12, failed: 51 };
    const drill = score(
      'crash-storm',
      [{}, { crashes: 5, reclaimed: 9 }, busy, busy, busy, busy, { ...busy, ready: 20, oldestReadyMs: 100 }],
      4,
    );
    expect(drill).toMatchObject({
      noticedAt: 5_000,
      stoppedAt: 10_500,
      recoveredAt: 15_000,
      crashes: 2,
      runsLost: 5,
      runsFailed: 1,
      longestWaitMs: 9_000,
      lost: 0,
    });
    // Later samples belong to nothing.
    expect(scoreDrill(drill, sample(99_000, { crashes: 50 }), true)).toBe(drill);
  });

  it('has not recovered while workers are down', () => {
    const stopped = { ...start('crash-storm'), stoppedAt: 2_000 };
    expect(scoreDrill(stopped, sample(3_000), false).recoveredAt).toBeNull();
    expect(scoreDrill(stopped, sample(3_000), true).recoveredAt).toBe(3_000);
  });

  it('of a bad deploy recovers only when its dead letters are gone', () => {
    const died = { died: 110, deadLetters: 110 };
    const drill = score('bad-deploy', [died, died, died], 1);
    expect(drill).toMatchObject({ died: 100, noticedAt: 3_000, recoveredAt: null });
    // Deaths after the stop are not its doing, and a few may be left.
    const redriven = sample(30_000, { died: 114, deadLetters: 18 });
    expect(scoreDrill(drill, redriven, true).recoveredAt).toBe(30_000);
  });

  it('says when the ledger misses jobs', () => {
    expect(scoreDrill(start('outage'), sample(3_000, { lost: 2 }), true).lost).toBe(2);
  });
});
