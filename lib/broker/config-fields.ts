/**
 * Settings as fields of the hash `config`, where scripts read them one by one: a missing field is the default, numbers are
 * decimal text, a rate is "<per second> <burst>", `fair` is the place in line from which fairness holds.
 */
import {
  QUEUE_CONFIG_DEFAULT,
  type QueueConfig,
  queueConfigSchema,
  type RateLimit,
} from '@/lib/contract/config';

/** Kept in the same hash, and not for `configure` to clear: `sharding` is its generation, `whole` what the shards share. */
const NOT_SETTINGS = new Set(['revision', 'draining', 'sharding', 'whole']);

type Fields = Map<string, string>;
/** `null` clears a field. */
type FieldChanges = Map<string, string | null>;

const NUMBERS = [
  'depthLimit',
  'shedAtPercent',
  'concurrency',
  'maxDeliveries',
  'completedKeep',
  'completedKeepMs',
  'completedKeepBytes',
  'resendWindowMs',
  'deadKeepMs',
  'trashGraceMs',
] as const satisfies readonly (keyof QueueConfig)[];
/** Only the library reads these. */
const DOCUMENTS = ['retry', 'retryByType', 'redact'] as const satisfies readonly (keyof QueueConfig)[];
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
export function changesTo(after: QueueConfig, present: Fields): FieldChanges {
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
export function configOf(fields: Fields): QueueConfig {
  const config: Record<string, unknown> = { ...QUEUE_CONFIG_DEFAULT };
  for (const name of NUMBERS) config[name] = numberOf(fields.get(name)) ?? QUEUE_CONFIG_DEFAULT[name];
  for (const name of DOCUMENTS) config[name] = documentOf(fields.get(name)) ?? QUEUE_CONFIG_DEFAULT[name];
  config.purgeNeedsApproval = fields.get('purgeNeedsApproval') === '1';
  config.rate = rateOf(fields.get('rate'));
  config.fair = fields.has('fair') ? 'tenant' : 'none';
  const [rate, concurrency] = [rateOf(fields.get('tenantRate')), numberOf(fields.get('tenantConcurrency'))];
  config.tenantLimit = rate || concurrency ? { rate, concurrency } : null;
  const exceptions = new Map<string, unknown>();
  for (const field of fields.keys()) {
    const tenant = field.match(/^tenant(?:Rate|Concurrency):(.+)$/)?.[1];
    if (tenant !== undefined)
      exceptions.set(tenant, {
        rate: rateOf(fields.get(`tenantRate:${tenant}`)),
        concurrency: numberOf(fields.get(`tenantConcurrency:${tenant}`)),
      });
  }
  config.tenantLimits = Object.fromEntries(exceptions);
  const parsed = queueConfigSchema.safeParse(config);
  return parsed.success ? parsed.data : QUEUE_CONFIG_DEFAULT;
}

function documentOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
