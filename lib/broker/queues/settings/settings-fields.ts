/**
 * Settings as fields of the hash `config`, which scripts read one by one: a missing field is the default, numbers are decimal text,
 * a rate is "<per second> <burst>", `fair` is the score in the ready list from which fairness holds.
 */

import { parseHistoryFields } from '@/lib/broker/access/actor';
import { readHash } from '@/lib/broker/redis/bounded-reads';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { parseJson } from '@/lib/broker/redis/parse-json';
import {
  type ConfigReply,
  type QueueConfig,
  queueConfigSchema,
  type RateLimit,
  type TenantLimit,
} from '@/lib/contract/queues/queue-config';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';

/** Kept in the same hash, and not for `configure` to clear: `sharding` is its generation, `whole` what the shards share. */
const NOT_SETTINGS = new Set(['revision', 'draining', 'sharding', 'whole']);

type Fields = Map<string, string>;
/** `null` clears a field. */
type FieldChanges = Map<string, string | null>;

/** How each setting is stored. A `document` is JSON, which only the library reads; `own` has code of its own below. */
const STORED_AS = {
  depthLimit: 'number',
  shedAtPercent: 'number',
  rate: 'own',
  concurrency: 'number',
  tenantLimit: 'own',
  tenantLimits: 'own',
  fair: 'own',
  objectiveAgeMs: 'number',
  objectiveFailurePercent: 'number',
  objectiveDepth: 'number',
  maxDeliveries: 'number',
  retry: 'document',
  retryByType: 'document',
  completedKeep: 'number',
  completedKeepMs: 'number',
  completedKeepBytes: 'number',
  resendWindowMs: 'number',
  deadKeepMs: 'number',
  trashGraceMs: 'number',
  purgeNeedsApproval: 'own',
  redact: 'document',
} as const satisfies Record<keyof QueueConfig, 'number' | 'document' | 'own'>;
type StoredAs<Form> = {
  [Name in keyof QueueConfig]: (typeof STORED_AS)[Name] extends Form ? Name : never;
}[keyof QueueConfig];
const settingsStoredAs = <Form extends 'number' | 'document'>(form: Form) =>
  (Object.keys(STORED_AS) as (keyof QueueConfig)[]).filter(
    (name): name is StoredAs<Form> => STORED_AS[name] === form,
  );
const NUMBERS = settingsStoredAs('number');
const DOCUMENTS = settingsStoredAs('document');
/** An exception for a tenant that lifts a default limit. */
const LIFTED = '-';

const rateText = (rate: RateLimit): string => `${rate.perSecond} ${rate.burst}`;
function rateOf(text: string | undefined): RateLimit | null {
  if (!text || text === LIFTED) return null;
  const [perSecond, burst] = text.split(' ').map(Number);
  return perSecond && burst ? { perSecond, burst } : null;
}
const numberOf = (text: string | undefined): number | null => (text && text !== LIFTED ? Number(text) : null);

/** Which fields have to change for the settings `after`, where `present` is there now. */
export function changedFields(after: QueueConfig, present: Fields): FieldChanges {
  const wanted = new Map<string, string>();
  for (const name of NUMBERS) {
    const value = after[name];
    if (value !== null && value !== QUEUE_CONFIG_DEFAULT[name]) wanted.set(name, String(value));
  }
  for (const name of DOCUMENTS) {
    const text = JSON.stringify(after[name]);
    if (text !== JSON.stringify(QUEUE_CONFIG_DEFAULT[name])) wanted.set(name, text);
  }
  if (after.purgeNeedsApproval) wanted.set('purgeNeedsApproval', '1');
  if (after.rate) wanted.set('rate', rateText(after.rate));
  if (after.fair === 'tenant') wanted.set('fair', present.get('fair') ?? 'tenant');
  const { tenantLimit, tenantLimits } = after;
  if (tenantLimit?.rate) wanted.set('tenantRate', rateText(tenantLimit.rate));
  if (tenantLimit?.concurrency) wanted.set('tenantConcurrency', String(tenantLimit.concurrency));
  for (const [tenant, limit] of Object.entries(tenantLimits)) {
    wanted.set(`tenantRate:${tenant}`, limit.rate ? rateText(limit.rate) : LIFTED);
    wanted.set(`tenantConcurrency:${tenant}`, limit.concurrency ? String(limit.concurrency) : LIFTED);
  }
  // One flag for the scripts: whether tenants have to be looked at at all.
  if (tenantLimit?.rate || tenantLimit?.concurrency || Object.keys(tenantLimits).length > 0)
    wanted.set('tenantLimits', '1');
  const changes: FieldChanges = new Map();
  for (const [field, value] of wanted) if (present.get(field) !== value) changes.set(field, value);
  for (const field of present.keys())
    if (!wanted.has(field) && !NOT_SETTINGS.has(field)) changes.set(field, null);
  return changes;
}

/** The settings that a hash of fields says. What cannot be read counts as not set. */
function parseConfig(fields: Fields): QueueConfig {
  const config: Record<string, unknown> = { ...QUEUE_CONFIG_DEFAULT };
  for (const name of NUMBERS) config[name] = numberOf(fields.get(name)) ?? QUEUE_CONFIG_DEFAULT[name];
  for (const name of DOCUMENTS) config[name] = parseJson(fields.get(name)) ?? QUEUE_CONFIG_DEFAULT[name];
  const [rate, concurrency] = [rateOf(fields.get('tenantRate')), numberOf(fields.get('tenantConcurrency'))];
  const exceptions = new Map<string, TenantLimit>();
  for (const field of fields.keys()) {
    const tenant = field.match(/^tenant(?:Rate|Concurrency):(.+)$/)?.[1];
    if (tenant !== undefined)
      exceptions.set(tenant, {
        rate: rateOf(fields.get(`tenantRate:${tenant}`)),
        concurrency: numberOf(fields.get(`tenantConcurrency:${tenant}`)),
      });
  }
  // Typed, so that a new setting of this form does not compile until it is read; `changedFields` writes it.
  const own: Pick<QueueConfig, StoredAs<'own'>> = {
    purgeNeedsApproval: fields.get('purgeNeedsApproval') === '1',
    rate: rateOf(fields.get('rate')),
    fair: fields.has('fair') ? 'tenant' : 'none',
    tenantLimit: rate || concurrency ? { rate, concurrency } : null,
    tenantLimits: Object.fromEntries(exceptions),
  };
  return queueConfigSchema.safeParse({ ...config, ...own }).data ?? QUEUE_CONFIG_DEFAULT;
}

/** Settings, limits of tenants and their rules: far more than Redrive writes. */
const SETTINGS_BOUND = { fields: 5_000, bytes: 2_097_152 };

/** The live settings of one shard, as stored. */
export interface QueueSettings {
  readonly config: QueueConfig;
  readonly revision: number;
  readonly draining: ConfigReply['draining'];
  readonly fields: Map<string, string>;
}

export async function readQueueSettings(ctx: BrokerContext, queue: string): Promise<QueueSettings> {
  const fields = await readHash(ctx, { queue, index: 'config' }, SETTINGS_BOUND);
  return {
    config: parseConfig(fields),
    revision: Number(fields.get('revision') ?? 0),
    draining: drainingOf(fields.get('draining')),
    fields,
  };
}

/** "<since> <json>" as the drain script writes it. */
function drainingOf(row: string | null | undefined): ConfigReply['draining'] {
  const match = row?.match(/^(\d+) (.*)$/s);
  if (!match) return null;
  const note = parseHistoryFields(match[2] ?? '');
  return { since: Number(match[1]), actor: note.actor ?? 'unknown', reason: note.reason ?? '' };
}
