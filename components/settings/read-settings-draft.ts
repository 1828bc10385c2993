/** Parses the settings form with the server's schema, or returns errors by field. */

import { nameSchema } from '@/lib/contract/name-schemas';
import { type QueueConfig, queueConfigSchema } from '@/lib/contract/queues/queue-config';
import { redactionRuleSchema } from '@/lib/contract/redaction';
import { fullNumber } from '@/lib/format/number';
import {
  bytesText,
  durationText,
  parseBytes,
  parseDuration,
  parseNumber,
  parseRate,
} from '@/lib/format/parse-units';
import { type FieldKind, SCALAR_KEYS, SCALARS } from './setting-specs';
import type {
  NamedRow,
  RateDraft,
  RetryDraft,
  RuleDraft,
  SettingsDraft,
  TenantDraft,
} from './settings-draft';

/** By path in the form: `depthLimit`, `rate.burst`, `tenantLimits.<row>.name`, `retry.baseMs`. */
export type DraftErrors = Readonly<Record<string, string>>;
type DraftReading = { config: QueueConfig; errors: null } | { config: null; errors: DraftErrors };

const PARSE: Readonly<Record<FieldKind, { read: (text: string) => number | undefined; wrong: string }>> = {
  count: { read: parseNumber, wrong: 'is not a number' },
  percent: { read: (text) => parseNumber(text.replace(/\s*%$/, '')), wrong: 'is not a percentage' },
  duration: { read: parseDuration, wrong: 'is not a duration: write 90s, 15m, 2h or 7d' },
  bytes: { read: parseBytes, wrong: 'is not a size: write 512 KiB, 64 MiB or 2 GiB' },
};

export function readDraft(draft: SettingsDraft): DraftReading {
  const errors: Record<string, string> = {};
  /** Null for an empty or invalid field; the latter is added to the errors. */
  const value = (text: string, kind: FieldKind, path: string): number | null => {
    if (text.trim() === '') return null;
    const { read, wrong } = PARSE[kind];
    const found = read(text);
    if (found === undefined) errors[path] = wrong;
    return found ?? null;
  };
  const rate = ({ perSecond, burst }: RateDraft, path: string) => {
    if (perSecond.trim() === '') {
      if (burst.trim() !== '') errors[`${path}.perSecond`] = 'is missing: a burst needs a rate';
      return null;
    }
    const found = parseRate(perSecond);
    if (found === undefined) {
      errors[`${path}.perSecond`] = 'is not a rate: write 10, 10/s, 90/min or 5/h';
      return null;
    }
    return { perSecond: found, burst: value(burst, 'count', `${path}.burst`) ?? defaultBurst(found) };
  };
  const tenant = (limit: TenantDraft, path: string) => ({
    rate: rate(limit.rate, `${path}.rate`),
    concurrency: value(limit.concurrency, 'count', `${path}.concurrency`),
  });
  const retry = (rule: RetryDraft, path: string) => {
    const needed = (text: string, kind: FieldKind, field: string): number => {
      if (text.trim() === '') errors[`${path}.${field}`] = 'must not be empty';
      return value(text, kind, `${path}.${field}`) ?? 0;
    };
    return {
      policy:
        rule.curve === 'inherit'
          ? null
          : {
              curve: rule.curve,
              baseMs: needed(rule.base, 'duration', 'baseMs'),
              // The factor is hidden for other curves and must not block a save.
              factor: rule.curve === 'exponential' ? needed(rule.factor, 'count', 'factor') : 2,
              maxMs: needed(rule.max, 'duration', 'maxMs'),
              jitter: needed(rule.jitter, 'percent', 'jitter') / 100,
            },
      maxAttempts: value(rule.maxAttempts, 'count', `${path}.maxAttempts`),
      classes: rule.classes,
    };
  };
  const named = <D, V>(rows: readonly NamedRow<D>[], list: string, read: (row: D, path: string) => V) => {
    const all = new Map<string, V>();
    for (const row of rows) {
      const path = `${list}.${row.row}`;
      const name = nameSchema.safeParse(row.name.trim());
      if (!name.success)
        errors[`${path}.name`] =
          row.name.trim() === '' ? 'must not be empty' : (name.error.issues[0]?.message ?? 'is not a name');
      else if (all.has(name.data)) errors[`${path}.name`] = 'is there twice';
      const found = read(row, path);
      if (name.success) all.set(name.data, found);
    }
    return Object.fromEntries(all);
  };

  const scalars = Object.fromEntries(
    SCALAR_KEYS.map((key) => {
      const found = value(draft[key], SCALARS[key].kind, key);
      if (found === null && SCALARS[key].none === null) errors[key] ??= 'must not be empty';
      return [key, found];
    }),
  );
  const tenantLimit = tenant(
    { rate: draft['tenantLimit.rate'], concurrency: draft['tenantLimit.concurrency'] },
    'tenantLimit',
  );
  const raw = {
    ...scalars,
    rate: rate(draft.rate, 'rate'),
    tenantLimit: tenantLimit.rate === null && tenantLimit.concurrency === null ? null : tenantLimit,
    tenantLimits: named(draft.tenantLimits, 'tenantLimits', tenant),
    fair: draft.fair,
    purgeNeedsApproval: draft.purgeNeedsApproval,
    redact: readRules(draft.redact, errors),
    retry: retry(draft.retry, 'retry'),
    retryByType: named(draft.retryByType, 'retryByType', retry),
  };
  const parsed = queueConfigSchema.safeParse(raw);
  for (const issue of parsed.error?.issues ?? [])
    errors[errorPath(issue.path.map(String), draft)] ??= issueWords(issue);
  if (!parsed.success || Object.keys(errors).length > 0) return { config: null, errors };
  return { config: parsed.data, errors: null };
}

type Issue = NonNullable<ReturnType<typeof queueConfigSchema.safeParse>['error']>['issues'][number];

/** Bounds in the unit of the field; the schema uses ms, bytes and shares. */
function issueWords(issue: Issue): string {
  // Custom messages of the schema are better.
  if (!/^(Too|Invalid)/.test(issue.message)) return issue.message;
  const field = String(issue.path.at(-1));
  const words = (bound: number | bigint) => {
    const n = Number(bound);
    if (field.endsWith('Ms')) return durationText(n);
    if (field.endsWith('Bytes')) return bytesText(n);
    if (field === 'jitter') return `${n * 100}%`;
    return field.endsWith('Percent') ? `${n}%` : fullNumber(n);
  };
  if (issue.code === 'too_small') return `must be at least ${words(issue.minimum)}`;
  if (issue.code === 'too_big') return `must be at most ${words(issue.maximum)}`;
  return issue.code === 'invalid_type' && issue.expected === 'int' ? 'must be a whole number' : issue.message;
}

/** By default a rate allows the claims of one second at once. */
export const defaultBurst = (perSecond: number): number => Math.max(1, Math.ceil(perSecond));

/** The path in the form for a path in the settings: overrides are rows, and `policy` is no level. */
function errorPath(path: readonly string[], draft: SettingsDraft): string {
  const [list = '', name = '', ...rest] = path;
  if (list !== 'tenantLimits' && list !== 'retryByType')
    return path.filter((part) => part !== 'policy').join('.');
  const row = draft[list].find((one) => one.name.trim() === name)?.row;
  return [list, row ?? name, ...rest.filter((part) => part !== 'policy')].filter(Boolean).join('.');
}

/** Adds errors by path: `redact.<row>`. */
function readRules(rows: readonly RuleDraft[], errors: Record<string, string>): string[] {
  const rules: string[] = [];
  for (const { row, rule } of rows) {
    const parsed = redactionRuleSchema.safeParse(rule);
    if (!parsed.success) errors[`redact.${row}`] = parsed.error.issues[0]?.message ?? 'is not a rule';
    else if (rules.includes(parsed.data)) errors[`redact.${row}`] = 'is there twice';
    else rules.push(parsed.data);
  }
  return rules;
}

/** The valid rules, for the sample while others are being typed. */
export const readableRules = (rows: readonly RuleDraft[]): string[] => readRules(rows, {});
