/** The one retry rule: for jobs that failed, and for our own calls to Redis. */
import { z } from 'zod';

export const retryPolicySchema = z.strictObject({
  /** How the delay grows: by `factor` each time, by `baseMs` each time, or not at all. Default exponential. */
  curve: z.enum(['exponential', 'linear', 'fixed']).optional(),
  /** Delay before the second attempt. */
  baseMs: z
    .number()
    .min(0)
    .max(24 * 3_600_000),
  /** Each further delay is this many times longer. */
  factor: z.number().min(1).max(100),
  /** Never longer than this, chance included. */
  maxMs: z
    .number()
    .min(0)
    .max(24 * 3_600_000),
  /** 0.5: up to half as long again, by chance, so that jobs that failed together do not return together. */
  jitter: z.number().min(0).max(1),
});
export type RetryPolicy = Readonly<z.infer<typeof retryPolicySchema>>;

export const RETRY_DEFAULT: RetryPolicy = { baseMs: 1_000, factor: 2, maxMs: 300_000, jitter: 0.5 };
/** For calls to Redis that failed. */
export const RECONNECT: RetryPolicy = { baseMs: 100, factor: 2, maxMs: 5_000, jitter: 0.5 };
/** What the other side asks for with `retry-after` is believed up to here. */
export const RETRY_AFTER_MAX_MS = 3_600_000;

/**
 * How long to wait after failure number `failures` (from 1): with f = base × factor^(failures−1), a whole number in
 * [f, f × (1 + jitter)]. f is capped so low that chance still spreads the longest delays without passing `maxMs`.
 *
 * @param retryAfterMs what the other side asked for; the longer of both counts, up to an hour
 */
export function retryDelayMs(
  failures: number,
  policy: RetryPolicy,
  random: () => number,
  retryAfterMs = 0,
): number {
  const cap = policy.maxMs / (1 + policy.jitter);
  // Past 2^1000 the power is Infinity, which min() turns into the cap; only 0 × Infinity is no number.
  const growth = policy.factor ** (Math.max(1, failures) - 1);
  const fixedMs = policy.baseMs === 0 ? 0 : Math.min(cap, policy.baseMs * growth);
  const chance = Math.min(1, Math.max(0, random()));
  const delayMs = Math.floor(fixedMs * (1 + policy.jitter * chance));
  const askedMs = Number.isFinite(retryAfterMs) ? Math.ceil(Math.min(RETRY_AFTER_MAX_MS, retryAfterMs)) : 0;
  return Math.max(0, delayMs, askedMs);
}
