/** The settings form: the text of every field as typed; pure. */
import type { QueueConfig, RateLimit, RetryRule, TenantLimit } from '@/lib/contract/queues/queue-config';
import { fullNumber } from '@/lib/format/number';
import { bytesText, durationText, rateText } from '@/lib/format/parse-units';
import { type CurveChoice, type RetryClass, SCALAR_KEYS, SCALARS, type ScalarKey } from './setting-specs';

export interface RateDraft {
  perSecond: string;
  burst: string;
}
export interface TenantDraft {
  rate: RateDraft;
  concurrency: string;
}
export interface RetryDraft {
  curve: CurveChoice;
  base: string;
  factor: string;
  max: string;
  jitter: string;
  maxAttempts: string;
  classes: RetryClass[];
}
/** A redaction rule. `row` is stable while it is typed. */
export interface RuleDraft {
  row: string;
  rule: string;
}
/** An override. `row` is stable while its name is typed. */
export type NamedRow<T> = T & { row: string; name: string };

export interface SettingsDraft extends Record<ScalarKey, string> {
  rate: RateDraft;
  'tenantLimit.rate': RateDraft;
  'tenantLimit.concurrency': string;
  tenantLimits: NamedRow<TenantDraft>[];
  fair: QueueConfig['fair'];
  purgeNeedsApproval: boolean;
  redact: RuleDraft[];
  retry: RetryDraft;
  retryByType: NamedRow<RetryDraft>[];
}

export const NO_TENANT_LIMIT: TenantDraft = { rate: { perSecond: '', burst: '' }, concurrency: '' };
export const NO_RETRY_RULE: RetryDraft = {
  curve: 'inherit',
  base: '1s',
  factor: '2',
  max: '5m',
  jitter: '50%',
  maxAttempts: '',
  // Sorted, so that equal rules compare equal.
  classes: ['rate-limited', 'retryable', 'unsupported-version'],
};

export function toDraft(config: QueueConfig): SettingsDraft {
  const limit = tenantDraft(config.tenantLimit);
  return {
    ...(Object.fromEntries(SCALAR_KEYS.map((key) => [key, scalarText(key, config[key])])) as Record<
      ScalarKey,
      string
    >),
    rate: rateDraft(config.rate),
    'tenantLimit.rate': limit.rate,
    'tenantLimit.concurrency': limit.concurrency,
    tenantLimits: rows(config.tenantLimits, tenantDraft),
    fair: config.fair,
    purgeNeedsApproval: config.purgeNeedsApproval,
    redact: ruleDrafts(config.redact),
    retry: retryDraft(config.retry),
    retryByType: rows(config.retryByType, retryDraft),
  };
}

/** With grouping and unit; empty for none. */
export function scalarText(key: ScalarKey, value: number | null): string {
  if (value === null) return '';
  const { kind } = SCALARS[key];
  if (kind === 'duration') return durationText(value);
  if (kind === 'bytes') return bytesText(value);
  return kind === 'percent' ? `${value}%` : fullNumber(value);
}

export const ruleDrafts = (rules: readonly string[]): RuleDraft[] =>
  rules.map((rule) => ({ row: rule, rule }));

const rateDraft = (rate: RateLimit | null): RateDraft =>
  rate === null
    ? { perSecond: '', burst: '' }
    : { perSecond: rateText(rate.perSecond), burst: fullNumber(rate.burst) };

const tenantDraft = (limit: TenantLimit | null): TenantDraft => ({
  rate: rateDraft(limit?.rate ?? null),
  concurrency: limit?.concurrency ? fullNumber(limit.concurrency) : '',
});

function retryDraft({ policy, maxAttempts, classes }: RetryRule): RetryDraft {
  return {
    ...NO_RETRY_RULE,
    ...(policy && {
      curve: policy.curve ?? 'exponential',
      base: durationText(Math.round(policy.baseMs)),
      factor: String(policy.factor),
      max: durationText(Math.round(policy.maxMs)),
      jitter: `${Number((policy.jitter * 100).toFixed(6))}%`,
    }),
    maxAttempts: maxAttempts === null ? '' : String(maxAttempts),
    classes: [...classes].sort(),
  };
}

const rows = <V, D>(all: Readonly<Record<string, V>>, draft: (value: V) => D): NamedRow<D>[] =>
  Object.entries(all)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ ...draft(value), row: name, name }));

/** Keeps edited fields and takes all others from the changed settings. */
export function rebaseDraft(draft: SettingsDraft, base: QueueConfig, theirs: QueueConfig): SettingsDraft {
  const [before, after] = [toDraft(base), toDraft(theirs)];
  const edited = (Object.keys(before) as (keyof SettingsDraft)[]).filter(
    (key) => JSON.stringify(draft[key]) !== JSON.stringify(before[key]),
  );
  return { ...after, ...Object.fromEntries(edited.map((key) => [key, draft[key]])) };
}

/** The changed settings as a patch. */
export function settingsPatch(before: QueueConfig, after: QueueConfig): Partial<QueueConfig> {
  const keys = (Object.keys(after) as (keyof QueueConfig)[]).filter(
    (key) => canonicalJson(before[key]) !== canonicalJson(after[key]),
  );
  return Object.fromEntries(keys.map((key) => [key, after[key]]));
}

/** JSON with sorted keys and lists, because overrides and classes have no order. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).sort().join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`)
    .sort()
    .join()}}`;
}
