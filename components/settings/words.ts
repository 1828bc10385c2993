/** Settings in words, for confirmations, the record of changes and what a field's default is. */
import type { QueueConfig, RateLimit, RetryRule, TenantLimit } from '@/lib/contract/config';
import { full } from '@/lib/format/number';
import { bytesText, durationText, rateText } from '@/lib/format/parse';
import { SCALARS, type ScalarKey, SETTING_LABELS } from './field-specs';

export interface Difference {
  /** Unique among the differences: the setting, and the tenant or type within it. */
  readonly id: string;
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

export function scalarWords(key: ScalarKey, value: number | null): string {
  const { kind, unit, none } = SCALARS[key];
  if (value === null) return none ?? 'not set';
  if (kind === 'duration') return durationText(value);
  if (kind === 'bytes') return bytesText(value);
  if (kind === 'percent') return `${value}%`;
  return unit ? `${full(value)} ${unit}` : full(value);
}

export const rateWords = (rate: RateLimit | null): string =>
  rate === null ? 'no limit' : `${rateText(rate.perSecond)}, bursts of ${full(rate.burst)}`;

export function tenantWords(limit: TenantLimit | null): string {
  if (limit === null || (limit.rate === null && limit.concurrency === null)) return 'no limit';
  const parts = [
    limit.concurrency === null ? '' : `${full(limit.concurrency)} at once`,
    limit.rate === null ? '' : rateWords(limit.rate),
  ];
  return parts.filter(Boolean).join('; ');
}

export function retryWords({ policy, maxAttempts, classes }: RetryRule): string {
  const parts = [
    maxAttempts === null ? '' : `at most ${full(maxAttempts)} attempts`,
    policy === null ? '' : policyWords(policy),
    classes.length === 0 ? 'nothing is tried again' : `again on ${[...classes].sort().join(', ')}`,
  ];
  return parts.filter(Boolean).join('; ');
}

function policyWords({ curve, baseMs, factor, maxMs, jitter }: NonNullable<RetryRule['policy']>): string {
  const first = durationText(Math.round(baseMs));
  const spread = jitter === 0 ? '' : `, plus up to ${Math.round(jitter * 100)}% by chance`;
  const cap = durationText(Math.round(maxMs));
  if (curve === 'fixed') return `wait ${first}${spread}`;
  if (curve === 'linear') return `wait ${first} more each time, at most ${cap}${spread}`;
  return `wait ${first}, then ${factor} times longer each time, at most ${cap}${spread}`;
}

/** One line a setting that differs; exceptions one line a tenant or type. Only the settings named in both are compared. */
export function differences(before: Partial<QueueConfig>, after: Partial<QueueConfig>): Difference[] {
  const found: Difference[] = [];
  const add = (id: string, label: string, was: string, is: string) => {
    if (was !== is) found.push({ id, label, before: was, after: is });
  };
  const keys = (Object.keys(SETTING_LABELS) as (keyof QueueConfig)[]).filter(
    (key) => Object.hasOwn(before, key) && Object.hasOwn(after, key),
  );
  for (const key of keys) {
    const label = SETTING_LABELS[key];
    if (key === 'redact') {
      const [was, is] = [new Set(before.redact), new Set(after.redact)];
      for (const rule of new Set([...was, ...is]))
        add(`redact.${rule}`, `${label} ${rule}`, yesOrNo(was.has(rule)), yesOrNo(is.has(rule)));
      continue;
    }
    if (key === 'tenantLimits' || key === 'retryByType') {
      const [was, is] = [entriesOf(before, key), entriesOf(after, key)];
      for (const name of [...new Set([...was.keys(), ...is.keys()])].sort())
        add(
          `${key}.${name}`,
          `${label} ${name}`,
          was.get(name) ?? 'as the rest',
          is.get(name) ?? 'as the rest',
        );
    } else add(key, label, settingWords(key, before), settingWords(key, after));
  }
  return found;
}

const yesOrNo = (yes: boolean) => (yes ? 'yes' : 'no');

export function settingWords(
  key: Exclude<keyof QueueConfig, 'tenantLimits' | 'retryByType' | 'redact'>,
  config: Partial<QueueConfig>,
): string {
  if (key === 'rate') return rateWords(config.rate ?? null);
  if (key === 'tenantLimit') return tenantWords(config.tenantLimit ?? null);
  if (key === 'fair') return config.fair === 'tenant' ? 'tenants take turns' : 'one line for all';
  if (key === 'purgeNeedsApproval') return config.purgeNeedsApproval ? 'must approve' : 'not asked for';
  if (key === 'retry') return config.retry ? retryWords(config.retry) : 'not set';
  return scalarWords(key, config[key] ?? null);
}

function entriesOf(config: Partial<QueueConfig>, key: 'tenantLimits' | 'retryByType'): Map<string, string> {
  return key === 'tenantLimits'
    ? new Map(Object.entries(config.tenantLimits ?? {}).map(([name, limit]) => [name, tenantWords(limit)]))
    : new Map(Object.entries(config.retryByType ?? {}).map(([name, rule]) => [name, retryWords(rule)]));
}
