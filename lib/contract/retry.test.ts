import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RETRY_AFTER_MAX_MS, RETRY_DEFAULT, retryDelayMs } from './retry';

const policies = fc.record({
  baseMs: fc.integer({ min: 0, max: 86_400_000 }),
  factor: fc.double({ min: 1, max: 100, noNaN: true }),
  maxMs: fc.double({ min: 0, max: 86_400_000, noNaN: true }),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
});
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const attempts = fc.integer({ min: 1, max: 100_000 });

describe('retryDelayMs', () => {
  it('doubles from one second, up to five minutes', () => {
    const delays = [1, 2, 3, 4, 10, 1_000, 5_000].map((attempt) =>
      retryDelayMs(attempt, { ...RETRY_DEFAULT, jitter: 0 }, () => 0),
    );
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 300_000, 300_000, 300_000]);
  });

  it('is a whole number from 0 to the cap, whatever the policy, attempt and chance', () => {
    fc.assert(
      fc.property(attempts, policies, chance, (attempt, policy, r) => {
        const delayMs = retryDelayMs(attempt, policy, () => r);
        expect(Number.isInteger(delayMs)).toBe(true);
        expect(delayMs).toBeGreaterThanOrEqual(0);
        expect(delayMs).toBeLessThanOrEqual(policy.maxMs);
      }),
    );
  });

  it('lies in [f, f × (1 + jitter)] and spreads by chance even at the cap', () => {
    fc.assert(
      fc.property(attempts, policies, chance, (attempt, policy, r) => {
        const growth = Math.min(policy.factor ** (attempt - 1), Number.MAX_VALUE);
        const f = Math.min(policy.maxMs / (1 + policy.jitter), policy.baseMs * growth);
        const delayMs = retryDelayMs(attempt, policy, () => r);
        expect(delayMs).toBeGreaterThanOrEqual(Math.floor(f));
        expect(delayMs).toBeLessThanOrEqual(f * (1 + policy.jitter));
      }),
    );
    expect(retryDelayMs(1_000, RETRY_DEFAULT, () => 0)).toBe(200_000);
    expect(retryDelayMs(1_000, RETRY_DEFAULT, () => 0.999_999)).toBeGreaterThan(299_000);
  });

  it('never shrinks from one attempt to the next for the same chance', () => {
    fc.assert(
      fc.property(attempts, policies, chance, (attempt, policy, r) => {
        expect(retryDelayMs(attempt + 1, policy, () => r)).toBeGreaterThanOrEqual(
          retryDelayMs(attempt, policy, () => r),
        );
      }),
    );
  });

  it('honours retry-after when it is longer, up to an hour', () => {
    expect(retryDelayMs(1, RETRY_DEFAULT, () => 0, 30_000)).toBe(30_000);
    expect(retryDelayMs(6, RETRY_DEFAULT, () => 0, 30_000)).toBe(32_000);
    expect(retryDelayMs(1, RETRY_DEFAULT, () => 0, 1e15)).toBe(RETRY_AFTER_MAX_MS);
    expect(retryDelayMs(1, RETRY_DEFAULT, () => 0, Number.NaN)).toBe(1_000);
    expect(retryDelayMs(1, RETRY_DEFAULT, () => 0, -5)).toBe(1_000);
  });
});
