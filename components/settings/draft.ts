/** What the settings form holds: the text of every field, as typed. Pure, so that it is tested without a browser. */
import type { QueueConfig, RateLimit, RetryRule, TenantLimit } from '@/lib/contract/config';
import { full } from '@/lib/format/number';
import { bytesText, durationText, rateText } from '@/lib/format/parse';
import { type CurveChoice, type RetryClass, SCALAR_KEYS, SCALARS, type ScalarKey } from './field-specs';

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
/** A rule of what is hidden. `row` stays while it is typed. */
export interface RuleDraft {
  row: string;
  rule: string;
}
/** A row of exceptions. `row` stays while its name is typed. */
export type Named<T> = T & { row: string; name: string };

export interface SettingsDraft extends Record<ScalarKey, string> {
  rate: RateDraft;
  tenantLimit: TenantDraft;
  tenantLimits: Named<TenantDraft>[];
  fair: QueueConfig['fair'];
  purgeNeedsApproval: boolean;
  redact: RuleDraft[];
  retry: RetryDraft;
  retryByType: Named<RetryDraft>[];
}

export const NO_TENANT_LIMIT: TenantDraft = { rate: { perSecond: '', burst: '' }, concurrency: '' };
export const NO_RETRY_RULE: RetryDraft = {
  curve: 'inherit',
  base: '1s',
  factor: '2',
  max: '5m',
  jitter: '50%',
  maxAttempts: '',
  // In order, as everywhere in the form, so that equal rules look equal.
  classes: ['rate-limited', 'retryable'],
};

export function draftOf(config: QueueConfig): SettingsDraft {
  return {
    ...(Object.fromEntries(SCALAR_KEYS.map((key) => [key, scalarText(key, config[key])])) as Record<
      ScalarKey,
      string
    >),
    rate: rateDraft(config.rate),
    tenantLimit: tenantDraft(config.tenantLimit),
    tenantLimits: rows(config.tenantLimits, tenantDraft),
    fair: config.fair,
    purgeNeedsApproval: config.purgeNeedsApproval,
    redact: ruleDrafts(config.redact),
    retry: retryDraft(config.retry),
    retryByType: rows(config.retryByType, retryDraft),
  };
}

/** As it is typed: with grouping and units, and empty for none. */
export function scalarText(key: ScalarKey, value: number | null): string {
  if (value === null) return '';
  const { kind } = SCALARS[key];
  if (kind === 'duration') return durationText(value);
  if (kind === 'bytes') return bytesText(value);
  return kind === 'percent' ? `${value}%` : full(value);
}

export const ruleDrafts = (rules: readonly string[]): RuleDraft[] =>
  rules.map((rule) => ({ row: rule, rule }));

const rateDraft = (rate: RateLimit | null): RateDraft =>
  rate === null
    ? { perSecond: '', burst: '' }
    : { perSecond: rateText(rate.perSecond), burst: full(rate.burst) };

const tenantDraft = (limit: TenantLimit | null): TenantDraft => ({
  rate: rateDraft(limit?.rate ?? null),
  concurrency: limit?.concurrency ? full(limit.concurrency) : '',
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

const rows = <V, D>(all: Readonly<Record<string, V>>, draft: (value: V) => D): Named<D>[] =>
  Object.entries(all)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ ...draft(value), row: name, name }));

/** Somebody else changed settings meanwhile: what was edited here stays, everything else becomes theirs. */
export function rebase(draft: SettingsDraft, base: QueueConfig, theirs: QueueConfig): SettingsDraft {
  const [before, after] = [draftOf(base), draftOf(theirs)];
  const edited = (Object.keys(before) as (keyof SettingsDraft)[]).filter(
    (key) => JSON.stringify(draft[key]) !== JSON.stringify(before[key]),
  );
  return { ...after, ...Object.fromEntries(edited.map((key) => [key, draft[key]])) };
}
