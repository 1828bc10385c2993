import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowance, burstSize, freshBucket, refillBucket } from './rate-bucket';

describe('the pace of an operation', () => {
  it('is never exceeded over any window, whatever runners do with what they are allowed', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.2, max: 50_000, noNaN: true }),
        fc.array(fc.record({ waitMs: fc.nat(3_000), takes: fc.double({ min: 0, max: 1, noNaN: true }) }), {
          minLength: 2,
          maxLength: 60,
        }),
        (rate, steps) => {
          let now = 0;
          let moved = 0;
          let bucket = freshBucket(now, 0);
          const log: { at: number; count: number }[] = [];
          for (const { waitMs, takes } of steps) {
            now += waitMs;
            bucket = refillBucket(bucket, rate, now, moved);
            const allowed = allowance(bucket, rate);
            if ('waitMs' in allowed) continue;
            const count = Math.ceil(allowed.atMost * takes);
            moved += count;
            log.push({ at: now, count });
          }
          for (let i = 0; i < log.length; i++) {
            let sum = 0;
            for (let j = i; j < log.length; j++) {
              sum += log[j]?.count ?? 0;
              const windowMs = (log[j]?.at ?? 0) - (log[i]?.at ?? 0);
              expect(sum).toBeLessThanOrEqual(burstSize(rate) + (rate * windowMs) / 1_000 + 1e-6);
            }
          }
        },
      ),
    );
  });

  it('is reached: waiting as long as it says is enough for the next chunk', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.2, max: 50_000, noNaN: true }), (rate) => {
        let [now, moved, bucket] = [0, 0, freshBucket(0, 0)];
        const end = 20_000;
        for (let turns = 0; now < end; turns++) {
          expect(turns).toBeLessThan(20_000);
          bucket = refillBucket(bucket, rate, now, moved);
          const allowed = allowance(bucket, rate);
          if ('waitMs' in allowed) now += allowed.waitMs;
          else moved += allowed.atMost;
        }
        expect(moved).toBeGreaterThanOrEqual(Math.floor((rate * end) / 1_000) - burstSize(rate));
      }),
      { numRuns: 50 },
    );
  });

  it('counts what a runner moved that died before it could say so', () => {
    const before = refillBucket(freshBucket(0, 0), 100, 1_000, 0);
    expect(allowance(before, 100)).toEqual({ atMost: 25 });
    // 25 were moved and nothing was written: the next runner starts from the same bucket, and sees the 25.
    expect(allowance(refillBucket(before, 100, 1_000, 25), 100)).toHaveProperty('waitMs');
  });

  it('earns nothing from a clock that goes back, and starts without a burst', () => {
    expect(allowance(freshBucket(5_000, 7), 1_000)).toHaveProperty('waitMs');
    const back = refillBucket({ tokens: 0, at: 9_000, moved: 0 }, 10, 8_500, 0);
    expect(back).toEqual({ tokens: 0, at: 9_000, moved: 0 });
  });

  it('goes on from a clock that went far back, as after a failover, and does not wait for it to catch up', () => {
    const back = refillBucket({ tokens: 0, at: 3_600_000, moved: 0 }, 10, 2_000, 0);
    expect(back).toEqual({ tokens: 0, at: 2_000, moved: 0 });
    expect(refillBucket(back, 10, 2_200, 0).tokens).toBe(2);
  });
});
