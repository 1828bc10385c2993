import { expect, it } from 'vitest';
import { ScanPace } from './scan-pace';

/** Small requests never cease: scans start whenever the pace lets them, and otherwise wait for the end of the gap. */
function scansIn(forMs: number, scanMs: number, roundTripMs = 0) {
  let nowMs = 1_000;
  const endMs = nowMs + forMs;
  const pace = new ScanPace(() => nowMs);
  const seen = { scans: 0, busyMs: 0, longestGapMs: 0, longestBusyMs: 0 };
  let [idleSinceMs, busySinceMs] = [nowMs, nowMs];
  while (nowMs < endMs) {
    if (pace.isGap) {
      nowMs += pace.gapLeftMs;
      seen.longestGapMs = Math.max(seen.longestGapMs, nowMs - idleSinceMs);
      busySinceMs = nowMs;
    }
    expect(pace.isGap).toBe(false);
    pace.started();
    nowMs += scanMs;
    pace.ended();
    seen.scans += 1;
    seen.busyMs += scanMs;
    seen.longestBusyMs = Math.max(seen.longestBusyMs, nowMs - busySinceMs);
    idleSinceMs = nowMs;
    nowMs += roundTripMs;
  }
  return seen;
}

it.each([0.5, 1, 3, 9, 11, 100])(
  'scans of %s ms keep half of the time while small requests never cease',
  (scanMs) => {
    const { busyMs, longestGapMs } = scansIn(10_000, scanMs);
    expect(busyMs).toBeGreaterThanOrEqual(4_900);
    expect(longestGapMs).toBeLessThanOrEqual(10 + 1e-6);
  },
);

it('a search of 1,200 short scans takes about twice its time, not a gap for each scan', () => {
  expect(scansIn(2_400, 1).scans).toBeGreaterThanOrEqual(1_200);
});

it('small requests get a gap after each slice, however short the scans are', () => {
  for (const scanMs of [0.5, 1, 3, 9]) {
    const { longestBusyMs, busyMs } = scansIn(10_000, scanMs);
    expect(longestBusyMs).toBeLessThanOrEqual(10 + scanMs);
    expect(busyMs).toBeLessThanOrEqual(7_000);
  }
});

it('time between scans that is as long as a gap is a gap', () => {
  expect(scansIn(10_000, 6, 10).scans).toBeGreaterThanOrEqual(625);
});

it('of two scans that overlap time counts once, and the gap begins after the last one', () => {
  let nowMs = 0;
  const pace = new ScanPace(() => nowMs);
  pace.started();
  pace.started();
  nowMs = 9;
  pace.ended();
  expect(pace.isGap).toBe(false);
  nowMs = 12;
  expect([pace.isGap, pace.gapLeftMs]).toEqual([true, Number.POSITIVE_INFINITY]);
  pace.ended();
  expect([pace.isGap, pace.gapLeftMs]).toEqual([true, 10]);
  nowMs = 22;
  expect(pace.isGap).toBe(false);
});
