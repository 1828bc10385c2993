/** Work that must not be done twice: what may be asked of the idempotency service, and what it counts. */
import { z } from 'zod';
import { nameSchema } from './names';

const DAY_MS = 86_400_000;
export const ONCE_LEASE_DEFAULT_MS = 30_000;
export const ONCE_TTL_DEFAULT_MS = DAY_MS;
/** A result longer than this is not kept; the work still counts as done. */
export const ONCE_RESULT_MAX_BYTES = 16_384;

/** What names the work. Only a digest of it reaches Redis. */
export const onceKeySchema = z
  .string()
  .min(1, 'must not be empty')
  .max(1_000, 'must be at most 1000 characters')
  .describe('Idempotency key');
/** Keeps apart equal keys of different kinds of work, such as two job types. */
export const onceScopeSchema = nameSchema.describe('Scope');

export const onceTimesSchema = z.strictObject({
  /** How long a run that died blocks the next one. Renewed while it lives. */
  leaseMs: z
    .number()
    .int()
    .min(100, 'must be at least 100 ms')
    .max(DAY_MS, 'must be at most a day')
    .default(ONCE_LEASE_DEFAULT_MS),
  /** How long the outcome is remembered. */
  ttlMs: z
    .number()
    .int()
    .min(1_000, 'must be at least one second')
    .max(366 * DAY_MS, 'must be at most a year')
    .default(ONCE_TTL_DEFAULT_MS),
});
export const onceRefSchema = z.strictObject({
  scope: onceScopeSchema,
  key: onceKeySchema,
  /** Names one run of the work: its later calls, and resends of the first, show it. */
  token: z.string().regex(/^[0-9A-Za-z]{8,64}$/, 'must be 8 to 64 letters and digits'),
});

export type OnceRef = Readonly<z.input<typeof onceRefSchema>>;
export type OnceTimes = Readonly<z.input<typeof onceTimesSchema>>;

/** Totals since the prefix was first used. */
export const onceCountersSchema = z.object({
  /** Runs that were let through. */
  started: z.number(),
  /** Calls answered with what an earlier run had returned. */
  reused: z.number(),
  /** Calls turned away because a run was under way. */
  busy: z.number(),
  /** Runs that took over from one whose lease had run out: a crash, or a process that stood still. */
  expired: z.number(),
});
export type OnceCounters = z.infer<typeof onceCountersSchema>;
