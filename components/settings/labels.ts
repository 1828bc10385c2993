/** Labels of settings and of changes; pure. */

import { pauseScopeLabel } from '@/lib/browser/queues/pause-scope';
import { pauseScopeSchema } from '@/lib/contract/queues/pause-schemas';
import {
  type QueueChange,
  type QueueConfig,
  queueConfigSchema,
  type RateLimit,
  type RetryRule,
  shardingSchema,
  type TenantLimit,
} from '@/lib/contract/queues/queue-config';
import { absoluteLocal } from '@/lib/format/date-time';
import { revealHidden } from '@/lib/format/display-text';
import { asObject, type JsonObject, jsonObject } from '@/lib/format/json-object';
import { fullNumber } from '@/lib/format/number';
import { durationText, rateText } from '@/lib/format/parse-units';
import { SCALARS, type ScalarKey, SETTING_LABELS } from './setting-specs';
import { scalarText } from './settings-draft';

export interface Difference {
  /** The setting, with the tenant or type for overrides. */
  readonly id: string;
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

export function scalarLabel(key: ScalarKey, value: number | null): string {
  const { unit, none } = SCALARS[key];
  if (value === null) return none ?? 'not set';
  return unit ? `${scalarText(key, value)} ${unit}` : scalarText(key, value);
}

const rateLabel = (rate: RateLimit | null): string =>
  rate === null ? 'no limit' : `${rateText(rate.perSecond)}, burst ${fullNumber(rate.burst)}`;

function tenantLimitLabel(limit: TenantLimit | null): string {
  if (limit === null || (limit.rate === null && limit.concurrency === null)) return 'no limit';
  const parts = [
    limit.concurrency === null ? '' : `${fullNumber(limit.concurrency)} at once`,
    limit.rate === null ? '' : rateLabel(limit.rate),
  ];
  return parts.filter(Boolean).join('; ');
}

function retryLabel({ policy, maxAttempts, classes }: RetryRule): string {
  const parts = [
    maxAttempts === null ? '' : `max. ${fullNumber(maxAttempts)} attempts`,
    policy === null ? '' : policyWords(policy),
    classes.length === 0 ? 'no retries' : `retry on ${[...classes].sort().join(', ')}`,
  ];
  return parts.filter(Boolean).join('; ');
}

function policyWords({ curve, baseMs, factor, maxMs, jitter }: NonNullable<RetryRule['policy']>): string {
  const first = durationText(Math.round(baseMs));
  const spread = jitter === 0 ? '' : `, jitter up to ${Math.round(jitter * 100)}%`;
  const cap = durationText(Math.round(maxMs));
  if (curve === 'fixed') return `delay ${first}${spread}`;
  if (curve === 'linear') return `delay ${first} more per attempt, max. ${cap}${spread}`;
  return `delay ${first}, × ${factor} per attempt, max. ${cap}${spread}`;
}

/** One line per changed setting or override. Compares only settings present in both. */
export function settingDifferences(before: Partial<QueueConfig>, after: Partial<QueueConfig>): Difference[] {
  const keys = (Object.keys(SETTING_LABELS) as (keyof QueueConfig)[]).filter(
    (key) => Object.hasOwn(before, key) && Object.hasOwn(after, key),
  );
  return keys.flatMap((key) => {
    const [was, is] = [settingTexts(key, before), settingTexts(key, after)];
    const absent = key === 'redact' ? 'no' : 'default';
    return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((name) => {
      const texts = { before: was.get(name) ?? absent, after: is.get(name) ?? absent };
      if (texts.before === texts.after) return [];
      const [id, label] =
        name === ''
          ? [key, SETTING_LABELS[key]]
          : [`${key}.${name}`, `${SETTING_LABELS[key]} ${revealHidden(name)}`];
      return [{ id, label, ...texts }];
    });
  });
}

/** The text of a setting under '', or of each rule or override under its name. */
function settingTexts(key: keyof QueueConfig, config: Partial<QueueConfig>): ReadonlyMap<string, string> {
  switch (key) {
    case 'redact':
      return new Map(config.redact?.map((rule) => [rule, 'yes']));
    case 'tenantLimits':
      return new Map(
        Object.entries(config[key] ?? {}).map(([name, limit]) => [name, tenantLimitLabel(limit)]),
      );
    case 'retryByType':
      return new Map(Object.entries(config[key] ?? {}).map(([name, rule]) => [name, retryLabel(rule)]));
    default:
      return new Map([['', settingLabel(key, config)]]);
  }
}

function settingLabel(
  key: Exclude<keyof QueueConfig, 'tenantLimits' | 'retryByType' | 'redact'>,
  config: Partial<QueueConfig>,
): string {
  if (key === 'rate') return rateLabel(config.rate ?? null);
  if (key === 'tenantLimit') return tenantLimitLabel(config.tenantLimit ?? null);
  if (key === 'fair') return config.fair === 'tenant' ? 'fair per tenant' : 'FIFO';
  if (key === 'purgeNeedsApproval') return config.purgeNeedsApproval ? 'required' : 'not required';
  if (key === 'retry') return config.retry ? retryLabel(config.retry) : 'not set';
  return scalarLabel(key, config[key] ?? null);
}

export function changeLabel(
  { id, what, before, after }: QueueChange,
  timeZone: string,
): {
  title: string;
  lines: readonly Difference[];
} {
  switch (what) {
    case 'pause':
      return { title: `Paused ${scopeOf(before)}${untilWords(after, timeZone)}`, lines: [] };
    case 'resume':
      return { title: `Resumed ${scopeOf(before)}`, lines: [] };
    case 'drain':
      return { title: 'Started draining', lines: [] };
    case 'undrain':
      return { title: 'Stopped draining', lines: [] };
    case 'operation':
      return { title: operationWords(before, after), lines: [] };
    case 'config': {
      const [was, is] = [jsonObject(before), jsonObject(after)];
      const lines = was && is ? changedSettings(was, is) : raw(id, before, after);
      return { title: 'Changed settings', lines };
    }
    case 'sharding': {
      const [was, is] = [layoutOf(before), layoutOf(after)];
      const lines = was && is ? [{ id, label: 'Shards', before: was, after: is }] : raw(id, before, after);
      return { title: 'Changed the shards', lines };
    }
    default:
      return { title: what, lines: raw(id, before, after) };
  }
}

const raw = (id: string, before: string | null, after: string | null): Difference[] =>
  before === null && after === null ? [] : [{ id, label: 'Was', before: before ?? '–', after: after ?? '–' }];

/** Recorded as `<kind> <operation>[: <scope>]`, and what happened to it. */
function operationWords(before: string | null, after: string | null): string {
  const [, kind = 'operation', id = '', set] = /^(\S+) ([^\s:]+)(?:: (.*))?$/s.exec(before ?? '') ?? [];
  return `Operation ${kind} ${id}${set ? ` (${set})` : ''}: ${after ?? 'changed'}`;
}

function scopeOf(text: string | null): string {
  const scope = pauseScopeSchema.safeParse(text);
  if (!scope.success) return text ?? 'the queue';
  return scope.data === 'queue' ? 'the whole queue' : pauseScopeLabel(scope.data);
}

function untilWords(text: string | null, timeZone: string): string {
  const at = Number(text?.match(/^until (\d+)$/)?.[1] ?? Number.NaN);
  if (!Number.isFinite(at)) return '';
  const [day, time = '', zone] = absoluteLocal(at, timeZone).split(' ');
  return ` until ${day} ${time.slice(0, 5)} ${zone}`;
}

/** One line per recorded setting. A value that was too long for the record shows as the text that is left of it. */
function changedSettings(was: JsonObject, is: JsonObject): Difference[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const whole = names.filter((name) => isWhole(name, was[name]) && isWhole(name, is[name]));
  const pick = (side: JsonObject) =>
    Object.fromEntries(whole.map((name) => [name, membersOf(side[name])])) as Partial<QueueConfig>;
  const cut = names
    .filter((name) => !whole.includes(name))
    .map((name) => ({
      id: name,
      label: SETTING_LABELS[name as keyof QueueConfig] ?? name,
      before: cutText(was[name]),
      after: cutText(is[name]),
    }));
  return [...settingDifferences(pick(was), pick(is)), ...cut];
}

const isWhole = (name: string, value: unknown): boolean =>
  Object.hasOwn(queueConfigSchema.shape, name) &&
  queueConfigSchema.shape[name as keyof QueueConfig].safeParse(membersOf(value)).success;

/** Of a long list the members that differ are recorded, and how many it has. */
function membersOf(value: unknown): unknown {
  const list = asObject(value);
  return list && Array.isArray(list.only) ? list.only : value;
}

/** What was longer is recorded as its beginning and its size. */
function cutText(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  const { cut, bytes } = asObject(value) ?? {};
  if (typeof cut === 'string' && typeof bytes === 'number') return `${cut}… (${fullNumber(bytes)} bytes)`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function layoutOf(text: string | null): string | null {
  const layout = shardingSchema.safeParse(jsonObject(text));
  return layout.success ? shardLabel(layout.data) : null;
}

export const shardLabel = ({ count, by }: { count: number; by: 'id' | 'tenant' }): string =>
  count === 1 ? 'one' : `${count}, by ${by === 'id' ? 'job id' : 'tenant'}`;
