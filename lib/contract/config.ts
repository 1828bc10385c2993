/** Live settings of a queue: what is admitted, how failures are retried, what is kept. One schema for broker, API and page. */
import { z } from 'zod';
import { errorClassSchema } from './failures';
import { jobTypeSchema, reasonSchema, tenantIdSchema } from './names';
import { REDACTION_DEFAULT, redactionRulesSchema } from './redaction';
import { retryPolicySchema } from './retry';

const DAY_MS = 86_400_000;
const KEEP_MAX_MS = 3_650 * DAY_MS;
/** No queue forgets sooner: what is sent again within this is recognised everywhere. */
export const RESEND_WINDOW_MIN_MS = 60_000;
/** Exceptions for single tenants and job types; the rest share the default. */
export const OVERRIDES_MAX = 100;

/** A token bucket: `burst` claims at once, refilled at `perSecond`. Counts claims, not jobs: a retry takes a token again. */
export const rateLimitSchema = z.strictObject({
  perSecond: z.number().min(0.001, 'must be at least 0.001 (one in a thousand seconds)').max(1_000_000),
  burst: z.number().int().min(1, 'must be at least 1, or nothing would ever be admitted').max(1_000_000),
});
export type RateLimit = z.infer<typeof rateLimitSchema>;

export const tenantLimitSchema = z.strictObject({
  rate: rateLimitSchema.nullable().default(null),
  /** Jobs of the tenant in flight at once. */
  concurrency: z.number().int().min(1).max(1_000_000).nullable().default(null),
});
export type TenantLimit = z.infer<typeof tenantLimitSchema>;

/** What to do with a failure, per queue or job type. `null`: the field's default applies. */
export const retryRuleSchema = z.strictObject({
  policy: retryPolicySchema.nullable().default(null),
  /** Caps the attempts a producer asked for. */
  maxAttempts: z.number().int().min(1).max(100).nullable().default(null),
  /** Classes that are tried again; all others are dead at once. `unsupported-version` helps through a rolling deploy. */
  classes: z
    .array(
      errorClassSchema.extract([
        'retryable',
        'rate-limited',
        'permanent',
        'malformed',
        'unsupported-version',
      ]),
    )
    .default(['retryable', 'rate-limited']),
});
export type RetryRule = z.infer<typeof retryRuleSchema>;

/** Without a default: a patch that leaves it out must not clear it. */
const overrides = <K extends z.core.$ZodRecordKey, V extends z.ZodType>(key: K, value: V) =>
  z
    .record(key, value)
    .refine((all) => Object.keys(all).length <= OVERRIDES_MAX, `at most ${OVERRIDES_MAX} exceptions`);

const fields = {
  /** Admission. All null: everything is admitted. */
  depthLimit: z.number().int().min(1).max(100_000_000).nullable(),
  /** From this share of the depth limit on, jobs marked `critical: false` are refused. */
  shedAtPercent: z.number().int().min(1).max(100).nullable(),
  rate: rateLimitSchema.nullable(),
  concurrency: z.number().int().min(1).max(1_000_000).nullable(),
  tenantLimit: tenantLimitSchema.nullable(),
  tenantLimits: overrides(tenantIdSchema, tenantLimitSchema),
  fair: z.enum(['none', 'tenant']),
  /** Failure. */
  maxDeliveries: z.number().int().min(1).max(100),
  retry: retryRuleSchema,
  retryByType: overrides(jobTypeSchema, retryRuleSchema),
  /** Retention: whichever limit is reached first. */
  completedKeep: z.number().int().min(0).max(1_000_000),
  completedKeepMs: z.number().int().min(1_000).max(KEEP_MAX_MS).nullable(),
  completedKeepBytes: z.number().int().min(1_024).max(1_000_000_000_000).nullable(),
  /** How long the id of a job that left the queue is known, so that sending it again does not run it again. */
  resendWindowMs: z.number().int().min(RESEND_WINDOW_MIN_MS).max(DAY_MS),
  deadKeepMs: z.number().int().min(60_000).max(KEEP_MAX_MS).nullable(),
  trashGraceMs: z.number().int().min(0).max(KEEP_MAX_MS),
  /** Operations that may delete its jobs or overwrite their payloads start only after somebody else has approved them; see docs/operations.md. */
  purgeNeedsApproval: z.boolean(),
  /** What of payloads and results is hidden; see docs/redaction.md. Empty: nothing. */
  redact: redactionRulesSchema,
};
const wholeSchema = z.strictObject(fields);
export type QueueConfig = z.infer<typeof wholeSchema>;

export const QUEUE_CONFIG_DEFAULT: QueueConfig = {
  depthLimit: null,
  shedAtPercent: null,
  rate: null,
  concurrency: null,
  tenantLimit: null,
  tenantLimits: {},
  fair: 'none',
  maxDeliveries: 5,
  retry: { policy: null, maxAttempts: null, classes: ['retryable', 'rate-limited'] },
  retryByType: {},
  completedKeep: 1_000,
  completedKeepMs: null,
  completedKeepBytes: null,
  resendWindowMs: 600_000,
  deadKeepMs: null,
  trashGraceMs: 3_600_000,
  purgeNeedsApproval: false,
  redact: [...REDACTION_DEFAULT],
};
export const queueConfigSchema = wholeSchema;

/** How much, or how long, jobs are kept. Null: without an end. */
const KEEPING = [
  'completedKeep',
  'completedKeepMs',
  'completedKeepBytes',
  'deadKeepMs',
  'trashGraceMs',
] as const satisfies readonly (keyof QueueConfig)[];
export type KeepingSetting = (typeof KEEPING)[number];
type Keeping = Partial<Record<KeepingSetting, number | null | undefined>>;

/** The settings by which `after` keeps fewer jobs than `before`, or keeps them for less time. Those that `after` leaves out stay. */
export const keepsLess = (after: Keeping, before: Pick<QueueConfig, KeepingSetting>): KeepingSetting[] =>
  KEEPING.filter((name) => isLess(after[name], before[name]));

function isLess(after: number | null | undefined, before: number | null): boolean {
  if (after === undefined || after === null) return false;
  return before === null || after < before;
}

/** Whether a patch says anything of what is kept. */
export const namesKeeping = (patch: Keeping): boolean => KEEPING.some((name) => patch[name] !== undefined);

/** A change: only the fields given are touched. `ifRevision` refuses a change made over somebody else's. */
export const configPatchSchema = z
  .strictObject({
    ...wholeSchema.partial().shape,
    reason: reasonSchema.optional(),
    ifRevision: z.number().int().min(0).optional(),
  })
  .refine((patch) => Object.keys(patch).some((key) => key in fields), {
    path: ['config'],
    message: 'name at least one setting to change',
  });
export type ConfigPatch = z.input<typeof configPatchSchema>;

export const configReplySchema = z.object({
  config: queueConfigSchema,
  /** Goes up with every change. */
  revision: z.number(),
  draining: z.object({ since: z.number(), actor: z.string(), reason: z.string() }).nullable(),
  shards: z.object({ count: z.number(), by: z.enum(['id', 'tenant']) }),
});
export type ConfigReply = z.infer<typeof configReplySchema>;

/** Refusing new jobs while the old ones finish. */
export const drainRequestSchema = z.strictObject({
  draining: z.boolean().default(true),
  reason: reasonSchema,
});

/** How a hot queue is spread over hash slots. Fixed once jobs are in: a job is found by the same rule that placed it. */
export const SHARDS_MAX = 64;
export const shardingSchema = z.strictObject({
  count: z.number().int().min(1).max(SHARDS_MAX),
  /** `tenant` keeps each tenant in one shard, so that fairness and tenant limits stay exact. */
  by: z.enum(['id', 'tenant']).default('id'),
});
export type Sharding = z.infer<typeof shardingSchema>;

/** One entry of a queue's record of changes by people: written by the script that made the change. */
export const changeSchema = z.object({
  id: z.string(),
  at: z.number(),
  what: z.string(),
  actor: z.string(),
  reason: z.string().nullable(),
  requestId: z.string().nullable(),
  /** Before and after, as far as they are short. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type Change = z.infer<typeof changeSchema>;
export const changesSchema = z.object({ changes: z.array(changeSchema) });
