import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryPolicySchema, retryRuleSchema } from '../queues/queue-config';
import { ERROR_CLASSES, isRetryable } from './error-classes';
import {
  effectiveRetryRule,
  NO_RETRY_RULES,
  RETRY_AFTER_MAX_MS,
  RETRY_DEFAULT,
  type RetryPolicy,
  type RetryRules,
  retryDecision,
  retryDelayMs,
} from './retry-policy';

const policies = fc.record({
  curve: fc.constantFrom('exponential', 'linear', 'fixed', undefined),
  baseMs: fc.oneof(
    fc.integer({ min: 0, max: 86_400_000 }),
    fc.double({ min: 0, max: 86_400_000, noNaN: true }),
  ),
  factor: fc.double({ min: 1, max: 100, noNaN: true }),
  maxMs: fc.double({ min: 0, max: 86_400_000, noNaN: true }),
  jitter: fc.double({ min: 0, max: 1, noNaN: true }),
});
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const attempts = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 30 }));
const ever = fc.oneof(
  fc.integer({ min: -5, max: 1_000_000 }),
  fc.constantFrom(0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
);

/** The rule in words of its own: what f is, before chance. A growth past the largest double is the cap, of however small a base. */
function expectedMs(failures: number, policy: RetryPolicy): number {
  if (policy.baseMs === 0) return 0;
  const growth = {
    exponential: policy.factor ** (failures - 1),
    linear: failures,
    fixed: 1,
  }[policy.curve ?? 'exponential'];
  return Math.min(policy.maxMs / (1 + policy.jitter), policy.baseMs * growth);
}

describe('retryDelayMs', () => {
  const delays = (policy: Partial<RetryPolicy>, failures: number[]) =>
    failures.map((nth) => retryDelayMs(nth, { ...RETRY_DEFAULT, jitter: 0, ...policy }, () => 0));

  it('doubles from one second, up to five minutes', () => {
    expect(delays({}, [1, 2, 3, 4, 10, 1_000, 5_000])).toEqual([
      1_000, 2_000, 4_000, 8_000, 300_000, 300_000, 300_000,
    ]);
  });

  it('grows by the same step on a line, and not at all when fixed', () => {
    expect(delays({ curve: 'linear' }, [1, 2, 3, 10, 1_000])).toEqual([1_000, 2_000, 3_000, 10_000, 300_000]);
    expect(delays({ curve: 'fixed' }, [1, 2, 3, 1_000])).toEqual([1_000, 1_000, 1_000, 1_000]);
    expect(delays({ curve: 'fixed', baseMs: 400_000 }, [1])).toEqual([300_000]);
  });

  it('is a whole number from 0 to the cap, whatever the policy, attempt and chance', () => {
    fc.assert(
      fc.property(ever, policies, chance, (failures, policy, r) => {
        const delayMs = retryDelayMs(failures, policy, () => r);
        expect(Number.isSafeInteger(delayMs)).toBe(true);
        expect(delayMs).toBeGreaterThanOrEqual(0);
        expect(delayMs).toBeLessThanOrEqual(policy.maxMs);
      }),
    );
  });

  it('does not overflow at the thousandth attempt', () => {
    fc.assert(
      fc.property(policies, chance, (policy, r) => {
        const delayMs = retryDelayMs(1_000, policy, () => r);
        expect(Number.isSafeInteger(delayMs)).toBe(true);
        expect(delayMs).toBeLessThanOrEqual(policy.maxMs);
        if ((policy.curve ?? 'exponential') === 'exponential' && policy.factor >= 2 && policy.baseMs >= 1)
          expect(delayMs).toBeGreaterThanOrEqual(Math.floor(policy.maxMs / (1 + policy.jitter)));
      }),
    );
  });

  it('lies in [f, f × (1 + jitter)] and spreads by chance even at the cap', () => {
    fc.assert(
      fc.property(attempts, policies, chance, (attempt, policy, r) => {
        const f = expectedMs(attempt, policy);
        const delayMs = retryDelayMs(attempt, policy, () => r);
        expect(delayMs).toBeGreaterThanOrEqual(Math.floor(f));
        expect(delayMs).toBeLessThanOrEqual(f * (1 + policy.jitter));
      }),
    );
    expect(retryDelayMs(1_000, RETRY_DEFAULT, () => 0)).toBe(200_000);
    expect(retryDelayMs(1_000, RETRY_DEFAULT, () => 0.999_999)).toBeGreaterThan(299_000);
  });

  it('never shrinks from one attempt to the next: without jitter, and for the same chance', () => {
    fc.assert(
      fc.property(attempts, policies, chance, (attempt, policy, r) => {
        for (const jitter of [0, policy.jitter])
          expect(retryDelayMs(attempt + 1, { ...policy, jitter }, () => r)).toBeGreaterThanOrEqual(
            retryDelayMs(attempt, { ...policy, jitter }, () => r),
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
    fc.assert(
      fc.property(attempts, policies, chance, fc.double(), (attempt, policy, r, retryAfterMs) => {
        const delayMs = retryDelayMs(attempt, policy, () => r, retryAfterMs);
        expect(Number.isSafeInteger(delayMs)).toBe(true);
        expect(delayMs).toBeLessThanOrEqual(Math.max(policy.maxMs, RETRY_AFTER_MAX_MS));
        if (Number.isFinite(retryAfterMs))
          expect(delayMs).toBeGreaterThanOrEqual(Math.min(RETRY_AFTER_MAX_MS, retryAfterMs));
      }),
    );
  });

  it('accepts every policy the schema accepts', () => {
    fc.assert(fc.property(policies, (policy) => void retryPolicySchema.parse(policy)));
    expect(retryPolicySchema.safeParse({ ...RETRY_DEFAULT, curve: 'cubic' }).success).toBe(false);
  });
});

const rule = (fields: Record<string, unknown> = {}) => retryRuleSchema.parse(fields);
const FIXED = (baseMs: number): RetryPolicy => ({
  curve: 'fixed',
  baseMs,
  factor: 1,
  maxMs: 86_400_000,
  jitter: 0,
});

describe('retryTerms', () => {
  const rules: RetryRules = {
    retry: rule({ policy: FIXED(20), maxAttempts: 4, classes: ['retryable', 'permanent'] }),
    retryByType: {
      'email.send': rule({ policy: FIXED(30), maxAttempts: 2, classes: ['malformed'] }),
      'email.bounce': rule(),
    },
  };

  it('asks the rule of the type, then the queue, then the worker', () => {
    expect(effectiveRetryRule(rules, 'email.send', FIXED(10))).toMatchObject({
      policy: FIXED(30),
      maxAttempts: 2,
    });
    expect(effectiveRetryRule(rules, 'other', FIXED(10))).toMatchObject({
      policy: FIXED(20),
      maxAttempts: 4,
    });
    expect(effectiveRetryRule(NO_RETRY_RULES, 'other', FIXED(10))).toMatchObject({
      policy: FIXED(10),
      maxAttempts: null,
    });
    expect(effectiveRetryRule(NO_RETRY_RULES, 'other').policy).toEqual(RETRY_DEFAULT);
  });

  it('leaves what the rule of a type does not say to the queue, but its classes are its own', () => {
    const terms = effectiveRetryRule(rules, 'email.bounce', FIXED(10));
    expect(terms).toMatchObject({ policy: FIXED(20), maxAttempts: 4 });
    expect(ERROR_CLASSES.filter(terms.allows)).toEqual(['retryable', 'rate-limited', 'unsupported-version']);
    expect(ERROR_CLASSES.filter(effectiveRetryRule(rules, 'email.send').allows)).toEqual(['malformed']);
    expect(ERROR_CLASSES.filter(effectiveRetryRule(rules, 'other').allows)).toEqual([
      'retryable',
      'permanent',
    ]);
    expect(ERROR_CLASSES.filter(effectiveRetryRule(NO_RETRY_RULES, 'other').allows)).toEqual(
      ERROR_CLASSES.filter(isRetryable),
    );
  });

  it('takes no rule from the names every object has', () => {
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(effectiveRetryRule(rules, name, FIXED(10)).policy).toEqual(FIXED(20));
  });
});

describe('retryDecision', () => {
  const run = (fields: object = {}) => ({
    errorClass: 'retryable' as const,
    attempt: 1,
    leaseLosses: 0,
    ...fields,
  });
  const terms = effectiveRetryRule(NO_RETRY_RULES, 'demo', { ...RETRY_DEFAULT, jitter: 0 });
  const decide = (fields: object, rules: RetryRules = NO_RETRY_RULES) =>
    retryDecision(run(fields), effectiveRetryRule(rules, 'demo', { ...RETRY_DEFAULT, jitter: 0 }), () => 0);

  it('never retries a class that the rule does not list, and retries any that it lists', () => {
    expect(ERROR_CLASSES.filter((errorClass) => decide({ errorClass }) !== null)).toEqual([
      'retryable',
      'rate-limited',
      'unsupported-version',
    ]);
    for (const errorClass of ERROR_CLASSES) {
      const only = (classes: (typeof ERROR_CLASSES)[number][]): RetryRules => ({
        retry: { policy: null, maxAttempts: null, classes },
        retryByType: {},
      });
      expect(decide({ errorClass }, only([errorClass]))).toBe(1_000);
      expect(decide({ errorClass }, only([]))).toBeNull();
    }
  });

  it('caps the attempts', () => {
    const rules = { retry: rule({ maxAttempts: 3 }), retryByType: {} };
    expect([1, 2, 3, 4].map((attempt) => decide({ attempt }, rules))).toEqual([1_000, 2_000, null, null]);
    expect(decide({ attempt: 3, retryInMs: 7 }, rules)).toBeNull();
  });

  it('counts failures, not runs that were lost with their worker', () => {
    expect(retryDecision(run({ attempt: 3, leaseLosses: 2 }), terms, () => 0)).toBe(1_000);
    expect(retryDecision(run({ attempt: 3, leaseLosses: 0 }), terms, () => 0)).toBe(4_000);
    expect(retryDecision(run({ attempt: 1, leaseLosses: 5 }), terms, () => 0)).toBe(1_000);
  });

  it('takes the delay a caller insists on, and what the other side asked for', () => {
    expect(decide({ retryInMs: 0 })).toBe(0);
    expect(decide({ retryInMs: 7, retryAfterMs: 9_000 })).toBe(7);
    expect(decide({ retryAfterMs: 9_000, errorClass: 'rate-limited' })).toBe(9_000);
  });
});
