/** Settings of a queue: admission, retries and retention. One schema for broker, API and page. */
import { z } from 'zod';
import { errorClassSchema } from '../jobs/job-state-schemas';
import { jobTypeSchema, reasonSchema, tenantIdSchema } from '../name-schemas';
import { redactionRulesSchema } from '../redaction';
import { DAY_MS } from '../time-units';
import { OVERRIDES_MAX, RESEND_WINDOW_MIN_MS, SHARDS_MAX } from './queue-limits';
import type { QueueConfig, Sharding } from './queue-settings';

export type {
  ConfigPatch,
  ConfigReply,
  QueueConfig,
  RateLimit,
  RetryRule,
  Sharding,
  TenantLimit,
} from './queue-settings';

const KEEP_MAX_MS = 3_650 * DAY_MS;

/** A token bucket: `burst` claims at once, refilled at `perSecond`. Counts claims, not jobs: a retry takes a token again. */
export const rateLimitSchema = z.strictObject({
  perSecond: z.number().min(0.001, 'must be at least 0.001 (one in a thousand seconds)').max(1_000_000),
  burst: z.number().int().min(1, 'must be at least 1, or nothing would ever be admitted').max(1_000_000),
});

const tenantLimitSchema = z.strictObject({
  rate: rateLimitSchema.nullable().default(null),
  concurrency: z.number().int().min(1).max(1_000_000).nullable().default(null),
});

export const retryPolicySchema = z.strictObject({
  curve: z.enum(['exponential', 'linear', 'fixed']).optional(),
  baseMs: z.number().min(0).max(DAY_MS),
  factor: z.number().min(1).max(100),
  maxMs: z.number().min(0).max(DAY_MS),
  jitter: z.number().min(0).max(1),
});

/** What to do with a failure, per queue or job type. `null`: the field's default applies. */
export const retryRuleSchema = z.strictObject({
  policy: retryPolicySchema.nullable().default(null),
  maxAttempts: z.number().int().min(1).max(100).nullable().default(null),
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
    .default(['retryable', 'rate-limited', 'unsupported-version']),
});

/** Without a default: a patch that leaves it out must not clear it. */
const overrides = <K extends z.core.$ZodRecordKey, V extends z.ZodType>(key: K, value: V) =>
  z
    .record(key, value)
    .refine((all) => Object.keys(all).length <= OVERRIDES_MAX, `at most ${OVERRIDES_MAX} exceptions`);

const fields = {
  depthLimit: z.number().int().min(1).max(100_000_000).nullable(),
  shedAtPercent: z.number().int().min(1).max(100).nullable(),
  rate: rateLimitSchema.nullable(),
  concurrency: z.number().int().min(1).max(1_000_000).nullable(),
  tenantLimit: tenantLimitSchema.nullable(),
  tenantLimits: overrides(tenantIdSchema, tenantLimitSchema),
  fair: z.enum(['none', 'tenant']),
  objectiveAgeMs: z.number().int().min(1_000).max(KEEP_MAX_MS),
  objectiveFailurePercent: z.number().int().min(1).max(100),
  objectiveDepth: z.number().int().min(1).max(100_000_000).nullable(),
  maxDeliveries: z.number().int().min(1).max(100),
  retry: retryRuleSchema,
  retryByType: overrides(jobTypeSchema, retryRuleSchema),
  completedKeep: z.number().int().min(0).max(1_000_000),
  completedKeepMs: z.number().int().min(1_000).max(KEEP_MAX_MS).nullable(),
  completedKeepBytes: z.number().int().min(1_024).max(1_000_000_000_000).nullable(),
  resendWindowMs: z.number().int().min(RESEND_WINDOW_MIN_MS).max(DAY_MS),
  deadKeepMs: z.number().int().min(60_000).max(KEEP_MAX_MS).nullable(),
  trashGraceMs: z.number().int().min(0).max(KEEP_MAX_MS),
  purgeNeedsApproval: z.boolean(),
  redact: redactionRulesSchema,
};
const wholeSchema = z.strictObject(fields);
export const queueConfigSchema = wholeSchema;

/** How many jobs a queue keeps, and how long. Null: no limit. */
const KEEPING = [
  'completedKeep',
  'completedKeepMs',
  'completedKeepBytes',
  'deadKeepMs',
  'trashGraceMs',
] as const satisfies readonly (keyof QueueConfig)[];
export type RetentionSetting = (typeof KEEPING)[number];
type Keeping = Partial<Record<RetentionSetting, number | null | undefined>>;

/** The settings with which `after` keeps fewer jobs than `before`, or for less time. Settings that `after` leaves out stay. */
export const reducedRetention = (
  after: Keeping,
  before: Pick<QueueConfig, RetentionSetting>,
): RetentionSetting[] => KEEPING.filter((name) => isLess(after[name], before[name]));

function isLess(after: number | null | undefined, before: number | null): boolean {
  if (after === undefined || after === null) return false;
  return before === null || after < before;
}

/** A change of the given fields. `ifRevision` refuses it when another user changed the settings meanwhile. */
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

export const configReplySchema = z.object({
  config: queueConfigSchema,
  /** Goes up with every change. */
  revision: z.number(),
  draining: z.object({ since: z.number(), actor: z.string(), reason: z.string() }).nullable(),
  shards: z.object({ count: z.number(), by: z.enum(['id', 'tenant']) }),
});

/** Refusing new jobs while the old ones finish. */
export const drainRequestSchema = z.strictObject({
  draining: z.boolean().default(true),
  reason: reasonSchema,
});
/** With defaults left out. */
export interface DrainInput {
  /** False: takes new jobs again. Default true. */
  draining?: boolean | undefined;
  reason: string;
}
export type DrainRequest = z.output<typeof drainRequestSchema>;
export const shardingSchema = z.strictObject({
  count: z.number().int().min(1).max(SHARDS_MAX),
  /** `tenant` keeps each tenant in one shard, so that fairness and tenant limits stay exact. */
  by: z.enum(['id', 'tenant']).default('id'),
});
/** With defaults left out. */
export type ShardingInput = Pick<Sharding, 'count'> & Partial<Pick<Sharding, 'by'>>;

/** A change of a queue by a user, recorded by the script that made it. */
const queueChangeSchema = z.object({
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
export type QueueChange = z.infer<typeof queueChangeSchema>;
export const queueChangesSchema = z.object({ changes: z.array(queueChangeSchema) });
