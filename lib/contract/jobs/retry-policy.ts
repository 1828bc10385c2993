/** The one retry rule: for jobs that failed, and for our own calls to Redis. */
import type { RetryCurve } from '../queues/queue-settings';
import { type ErrorClass, isRetryable } from './error-classes';

export type RetryPolicy = Readonly<RetryCurve>;

export const RETRY_DEFAULT: RetryPolicy = { baseMs: 1_000, factor: 2, maxMs: 300_000, jitter: 0.5 };
/** For calls to Redis that failed. */
export const RECONNECT_POLICY: RetryPolicy = { baseMs: 100, factor: 2, maxMs: 5_000, jitter: 0.5 };
/** A longer `retry-after` of the called service is cut to this. */
export const RETRY_AFTER_MAX_MS = 3_600_000;

/** Past this the growth is capped whatever the policy, long before a double could overflow. */
const GROWTH_MAX_FAILURES = 100_000;

/** The delay after failure number `failures`, without chance: capped so low that chance may still spread it below `maxMs`. */
function curveMs(failures: number, policy: RetryPolicy): number {
  if (policy.baseMs === 0) return 0;
  const cap = policy.maxMs / (1 + policy.jitter);
  const nth = Math.min(GROWTH_MAX_FAILURES, Math.max(1, Math.floor(failures) || 1));
  switch (policy.curve ?? 'exponential') {
    case 'fixed':
      return Math.min(cap, policy.baseMs);
    case 'linear':
      return Math.min(cap, policy.baseMs * nth);
    case 'exponential':
      // Beyond the largest double the power is Infinity, which min() turns into the cap.
      return Math.min(cap, policy.baseMs * policy.factor ** (nth - 1));
  }
}

/**
 * How long to wait after failure number `failures` (from 1): a whole number in [f, f × (1 + jitter)], where f is
 * base × factor^(failures−1), base × failures or base, by the policy's curve. f is capped so low that chance still spreads the
 * longest delays without passing `maxMs`.
 *
 * @param retryAfterMs what the other side asked for; the longer of both counts, up to an hour
 */
export function retryDelayMs(
  failures: number,
  policy: RetryPolicy,
  random: () => number,
  retryAfterMs = 0,
): number {
  const chance = Math.min(1, Math.max(0, random()));
  const delayMs = Math.floor(curveMs(failures, policy) * (1 + policy.jitter * chance));
  const askedMs = Number.isFinite(retryAfterMs) ? Math.ceil(Math.min(RETRY_AFTER_MAX_MS, retryAfterMs)) : 0;
  return Math.max(0, delayMs, askedMs);
}

/** A rule as a queue or job type may set it; null leaves a field to the next rule. See `retryRuleSchema`. */
export interface RetryRuleFields {
  readonly policy: RetryPolicy | null;
  readonly maxAttempts: number | null;
  readonly classes: readonly ErrorClass[];
}
export interface RetryRules {
  /** Null: the queue sets none. */
  readonly retry: RetryRuleFields | null;
  readonly retryByType: Readonly<Record<string, RetryRuleFields>>;
}
export const NO_RETRY_RULES: RetryRules = { retry: null, retryByType: {} };

/** The rule for one job, without open fields. */
interface EffectiveRetryRule {
  readonly policy: RetryPolicy;
  readonly maxAttempts: number | null;
  /** Whether a failure of this class may be tried again. */
  allows(errorClass: ErrorClass): boolean;
}

/** The rule of the job's type comes first, then the queue's, then the worker's own. */
export function effectiveRetryRule(
  rules: RetryRules,
  jobType: string,
  fallback: RetryPolicy = RETRY_DEFAULT,
): EffectiveRetryRule {
  const byType = Object.hasOwn(rules.retryByType, jobType) ? (rules.retryByType[jobType] ?? null) : null;
  const classes = (byType ?? rules.retry)?.classes;
  return {
    policy: byType?.policy ?? rules.retry?.policy ?? fallback,
    maxAttempts: byType?.maxAttempts ?? rules.retry?.maxAttempts ?? null,
    allows: (errorClass) => classes?.includes(errorClass) ?? isRetryable(errorClass),
  };
}

interface FailedRun {
  readonly errorClass: ErrorClass;
  /** Which attempt failed, from 1. */
  readonly attempt: number;
  /** Attempts lost with their worker: they say nothing about what the job calls, so they must not lengthen the wait. */
  readonly leaseLosses: number;
  /** The `retry-after` of the called service. */
  readonly retryAfterMs?: number;
  /** A delay the caller insists on, instead of the policy's. */
  readonly retryInMs?: number;
}

/**
 * Whether a failed job is tried again: after how many milliseconds, or null for never. The script that moves the job also checks the
 * producer's attempts and the deadline.
 */
export function retryDecision(
  run: FailedRun,
  terms: EffectiveRetryRule,
  random: () => number,
): number | null {
  if (!terms.allows(run.errorClass)) return null;
  if (terms.maxAttempts !== null && run.attempt >= terms.maxAttempts) return null;
  if (run.retryInMs !== undefined) return run.retryInMs;
  return retryDelayMs(Math.max(1, run.attempt - run.leaseLosses), terms.policy, random, run.retryAfterMs);
}
