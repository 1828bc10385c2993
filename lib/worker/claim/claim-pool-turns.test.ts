import { describe, expect, it } from 'vitest';
import { claimedJob } from '../fixture-jobs';
import { createClaimPool } from './claim-pool';
import type { Claimer } from './claimer';

const LEASE = { claimedAt: 0, takenAtMs: 0, leaseEndsAtMs: 0 };

/** Queues of a scripted Redis, and slots that are free again before the next claim: as with very short jobs. */
async function claimsOf(
  priority: 'weighted' | 'strict',
  queues: Record<string, number>,
  hasJobs: (queue: string, nowMs: number) => boolean,
  untilMs: number,
): Promise<{ queue: string; atMs: number; got: boolean }[]> {
  const claims: { queue: string; atMs: number; got: boolean }[] = [];
  let nowMs = 0;
  const clock = { wallMs: () => nowMs, monotonicMs: () => nowMs };
  const claimer: Claimer = {
    claim(queue, _count, _woken, done) {
      queueMicrotask(() => {
        nowMs += 1;
        const got = hasJobs(queue, nowMs);
        claims.push({ queue, atMs: nowMs, got });
        if (nowMs >= untilMs) pool.stop();
        done({ jobs: got ? [claimedJob({ queue })] : [], lease: LEASE, more: got, waitMs: null });
      });
    },
    backoffLeftMs: () => 0,
    claimBehindWait: () => null,
    abandonLostClaims: async () => undefined,
  };
  const waiter = { wait: async () => null, interrupt: () => undefined, close: () => undefined };
  const pool = createClaimPool({
    queues,
    priority,
    claimer,
    waiter,
    clock,
    random: () => 0,
    freeCapacity: () => 1,
    onClaimed: () => undefined,
    onFilled: () => undefined,
    onEvent: () => undefined,
  });
  await pool.run();
  return claims;
}

describe('a queue that was empty', () => {
  it.each(['weighted', 'strict'] as const)(
    'has its turn (%s) as soon as it has jobs, though another keeps every slot busy',
    async (priority) => {
      const claims = await claimsOf(
        priority,
        { high: 1, low: 1 },
        (queue, now) => queue === 'low' || now > 100,
        300,
      );
      const first = claims.find(({ queue, got }) => queue === 'high' && got);
      expect(first?.atMs).toBeLessThanOrEqual(130);
      // Meanwhile it was not asked with every claim.
      const inVain = claims.filter(({ queue, got }) => queue === 'high' && !got).length;
      expect(inVain).toBeLessThanOrEqual(10);
    },
  );

  it('in strict order is served alone from then on', async () => {
    const claims = await claimsOf(
      'strict',
      { high: 1, low: 1 },
      (queue, now) => queue === 'low' || now > 100,
      300,
    );
    const first = claims.findIndex(({ queue, got }) => queue === 'high' && got);
    expect(claims.slice(first).every(({ queue }) => queue === 'high')).toBe(true);
  });

  it('does not cost a worker of a thousand queues its time', async () => {
    const queues = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`q-${i}`, 1]));
    const claims = await claimsOf('weighted', queues, (queue) => queue === 'q-7', 5_000);
    // Each claim takes a millisecond; at the start each queue is asked once. Asking all again and again left half a percent for the jobs.
    const later = claims.filter(({ atMs }) => atMs > 1_100);
    const served = later.filter(({ got }) => got).length;
    expect(served).toBeGreaterThan(later.length / 10);
    expect(new Set(later.map(({ queue }) => queue)).size).toBeGreaterThan(900);
  });
});
