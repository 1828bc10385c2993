/** From the text of the settings form to settings, checked by the same schema as the server's, or what is wrong where. */
import { type QueueConfig, queueConfigSchema } from '@/lib/contract/config';
import { nameSchema } from '@/lib/contract/names';
import { full } from '@/lib/format/number';
import {
  bytesText,
  durationText,
  parseBytes,
  parseDuration,
  parseNumber,
  parseRate,
} from '@/lib/format/parse';
import type { Named, RateDraft, RetryDraft, SettingsDraft, TenantDraft } from './draft';
import { type FieldKind, SCALAR_KEYS, SCALARS } from './field-specs';
import { readRules } from './read-rules';

/** By place in the form: `depthLimit`, `rate.burst`, `tenantLimits.<row>.name`, `retry.baseMs`. */
export type DraftErrors = Readonly<Record<string, string>>;
export type DraftReading = { config: QueueConfig; errors: null } | { config: null; errors: DraftErrors };

const PARSE: Readonly<Record<FieldKind, { read: (text: string) => number | undefined; wrong: string }>> = {
  count: { read: parseNumber, wrong: 'is not a number' },
  percent: { read: (text) => parseNumber(text.replace(/\s*%$/, '')), wrong: 'is not a percentage' },
  duration: { read: parseDuration, wrong: 'is not a duration: write 90s, 15m, 2h or 7d' },
  bytes: { read: parseBytes, wrong: 'is not a size: write 512 KiB, 64 MiB or 2 GiB' },
};

export function readDraft(draft: SettingsDraft): DraftReading {
  const errors: Record<string, string> = {};
  /** Null for an empty field. What cannot be read is noted, and null too. */
  const value = (text: string, kind: FieldKind, place: string): number | null => {
    if (text.trim() === '') return null;
    const { read, wrong } = PARSE[kind];
    const found = read(text);
    if (found === undefined) errors[place] = wrong;
    return found ?? null;
  };
  const rate = ({ perSecond, burst }: RateDraft, place: string) => {
    if (perSecond.trim() === '') {
      if (burst.trim() !== '') errors[`${place}.perSecond`] = 'is missing: a burst needs a rate';
      return null;
    }
    const found = parseRate(perSecond);
    if (found === undefined) {
      errors[`${place}.perSecond`] = 'is not a rate: write 10, 10/s, 90/min or 5/h';
      return null;
    }
    return { perSecond: found, burst: value(burst, 'count', `${place}.burst`) ?? burstFor(found) };
  };
  const tenant = (limit: TenantDraft, place: string) => ({
    rate: rate(limit.rate, `${place}.rate`),
    concurrency: value(limit.concurrency, 'count', `${place}.concurrency`),
  });
  const retry = (rule: RetryDraft, place: string) => {
    const needed = (text: string, kind: FieldKind, field: string): number => {
      if (text.trim() === '') errors[`${place}.${field}`] = 'must not be empty';
      return value(text, kind, `${place}.${field}`) ?? 0;
    };
    return {
      policy:
        rule.curve === 'inherit'
          ? null
          : {
              curve: rule.curve,
              baseMs: needed(rule.base, 'duration', 'baseMs'),
              // Only an exponential curve has a factor; what is hidden must not stop a save.
              factor: rule.curve === 'exponential' ? needed(rule.factor, 'count', 'factor') : 2,
              maxMs: needed(rule.max, 'duration', 'maxMs'),
              jitter: needed(rule.jitter, 'percent', 'jitter') / 100,
            },
      maxAttempts: value(rule.maxAttempts, 'count', `${place}.maxAttempts`),
      classes: rule.classes,
    };
  };
  const named = <D, V>(rows: readonly Named<D>[], list: string, read: (row: D, place: string) => V) => {
    const all = new Map<string, V>();
    for (const row of rows) {
      const place = `${list}.${row.row}`;
      const name = nameSchema.safeParse(row.name.trim());
      if (!name.success)
        errors[`${place}.name`] =
          row.name.trim() === '' ? 'must not be empty' : (name.error.issues[0]?.message ?? 'is not a name');
      else if (all.has(name.data)) errors[`${place}.name`] = 'is there twice';
      const found = read(row, place);
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
  const tenantLimit = tenant(draft.tenantLimit, 'tenantLimit');
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
    errors[placeOf(issue.path.map(String), draft)] ??= issueWords(issue);
  if (!parsed.success || Object.keys(errors).length > 0) return { config: null, errors };
  return { config: parsed.data, errors: null };
}

type Issue = NonNullable<ReturnType<typeof queueConfigSchema.safeParse>['error']>['issues'][number];

/** Bounds in the unit of the field: the schema counts in milliseconds, bytes and shares. */
function issueWords(issue: Issue): string {
  // The schema's own words, where it has some, say more.
  if (!/^(Too|Invalid)/.test(issue.message)) return issue.message;
  const field = String(issue.path.at(-1));
  const words = (bound: number | bigint) => {
    const n = Number(bound);
    if (field.endsWith('Ms')) return durationText(n);
    if (field.endsWith('Bytes')) return bytesText(n);
    if (field === 'jitter') return `${n * 100}%`;
    return field.endsWith('Percent') ? `${n}%` : full(n);
  };
  if (issue.code === 'too_small') return `must be at least ${words(issue.minimum)}`;
  if (issue.code === 'too_big') return `must be at most ${words(issue.maximum)}`;
  return issue.code === 'invalid_type' && issue.expected === 'int' ? 'must be a whole number' : issue.message;
}

/** Without a burst of its own a rate lets one second's worth through at once. */
export const burstFor = (perSecond: number): number => Math.max(1, Math.ceil(perSecond));

/** Where in the form a place in the settings is: exceptions are rows there, not names. `policy` is no level of the form. */
export function placeOf(path: readonly string[], draft: SettingsDraft): string {
  const [list = '', name = '', ...rest] = path;
  if (list !== 'tenantLimits' && list !== 'retryByType')
    return path.filter((part) => part !== 'policy').join('.');
  const row = draft[list].find((one) => one.name.trim() === name)?.row;
  return [list, row ?? name, ...rest.filter((part) => part !== 'policy')].filter(Boolean).join('.');
}
