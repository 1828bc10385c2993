/** Options and counters of work that must run once (`once`). */

import { z } from 'zod';
import { nameSchema } from '../name-schemas';
import { DAY_MS, YEAR_MS } from '../time-units';
import { wholeText } from '../whole-text';
import { ONCE_TTL_DEFAULT_MS } from './job-limits';

const ONCE_LEASE_DEFAULT_MS = 30_000;

/** The key of the work. Only a digest of it reaches Redis. */
const onceKeySchema = wholeText()
  .min(1, 'must not be empty')
  .max(1_000, 'must be at most 1000 characters')
  .describe('Idempotency key');
/** Separates equal keys of different kinds of work, such as two job types. */
export const onceScopeSchema = nameSchema.describe('Scope');

export const onceTimesSchema = z.strictObject({
  leaseMs: z
    .number()
    .int()
    .min(100, 'must be at least 100 ms')
    .max(DAY_MS, 'must be at most a day')
    .default(ONCE_LEASE_DEFAULT_MS),
  ttlMs: z
    .number()
    .int()
    .min(1_000, 'must be at least one second')
    .max(YEAR_MS, 'must be at most a year')
    .default(ONCE_TTL_DEFAULT_MS),
});
export const onceRefSchema = z.strictObject({
  scope: onceScopeSchema,
  key: onceKeySchema,
  token: z.string().regex(/^[0-9A-Za-z]{8,64}$/, 'must be 8 to 64 letters and digits'),
});

export interface OnceRef {
  /** Separates equal keys of different kinds of work, such as two job types. */
  readonly scope: string;
  /** Of the work; only a digest of it reaches Redis. At most 1,000 characters. */
  readonly key: string;
  /** Names one run of the work, in all its calls and resends. */
  readonly token: string;
}
export interface OnceTimes {
  /** How long a dead run blocks the next one; a live run renews it. Default 30,000. */
  readonly leaseMs?: number | undefined;
  /** How long the outcome is remembered. Default a day. */
  readonly ttlMs?: number | undefined;
}

/** Totals since the prefix was first used. */
export const onceCountersSchema = z.object({
  /** Started runs. */
  started: z.number(),
  /** Calls answered with the result of an earlier run. */
  reused: z.number(),
  /** Calls refused while a run was under way. */
  busy: z.number(),
  /** Runs that took over after an expired lease: a crash, or a process that hung. */
  expired: z.number(),
});
export type OnceCounters = Record<'started' | 'reused' | 'busy' | 'expired', number>;
