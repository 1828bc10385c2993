/** The retry rules of queues, as last read: a failure must not cost a second round trip, nor wait for one. */
import { retryRuleSchema } from '@/lib/contract/config';
import { NO_RETRY_RULES, type RetryRuleFields, type RetryRules } from '@/lib/contract/retry';
import type { BrokerContext } from './context';

/** A change reaches every process within this time and one read. */
export const RULES_FRESH_MS = 3_000;
const QUEUES_MAX = 10_000;

interface Entry {
  /** Null: not known yet. */
  rules: RetryRules | null;
  readAtMs: number;
  reading: Promise<RetryRules> | null;
}
const caches = new WeakMap<BrokerContext, Map<string, Entry>>();

/**
 * The rules of a queue: at once when they are known, however old; then a read in the background brings the next caller newer
 * ones. While Redis is away the last ones known stay in force.
 *
 * @throws RedriveError when they were never read and cannot be
 */
export function retryRules(ctx: BrokerContext, queue: string): Promise<RetryRules> {
  ctx.checkQueue(queue);
  const entry = entryOf(ctx, queue);
  if (entry.rules && performance.now() - entry.readAtMs < RULES_FRESH_MS) return Promise.resolve(entry.rules);
  entry.reading ??= read(ctx, queue)
    .then((rules) => {
      entry.rules = rules;
      return rules;
    })
    .finally(() => {
      entry.reading = null;
      // After a failure, too: a Redis that is away is not asked with every job that fails.
      entry.readAtMs = performance.now();
    });
  if (!entry.rules) return entry.reading;
  entry.reading.catch(() => undefined);
  return Promise.resolve(entry.rules);
}

/** When the data of this Redis are gone. */
export const forgetRetryRules = (ctx: BrokerContext): void => {
  caches.delete(ctx);
};

function entryOf(ctx: BrokerContext, queue: string): Entry {
  const cache = caches.get(ctx) ?? new Map<string, Entry>();
  caches.set(ctx, cache);
  const known = cache.get(queue);
  if (known) return known;
  const entry: Entry = { rules: null, readAtMs: Number.NEGATIVE_INFINITY, reading: null };
  for (const oldest of cache.keys()) {
    if (cache.size < QUEUES_MAX) break;
    cache.delete(oldest);
  }
  cache.set(queue, entry);
  return entry;
}

async function read(ctx: BrokerContext, queue: string): Promise<RetryRules> {
  const [retry, byType] = await ctx.plain((redis) =>
    redis.hmget(ctx.keys.column(queue, 'config'), 'retry', 'retryByType'),
  );
  const all = parsed(byType ?? null);
  const retryByType: Record<string, RetryRuleFields> = {};
  if (typeof all === 'object' && all !== null)
    for (const [jobType, value] of Object.entries(all)) {
      const rule = ruleFrom(value);
      if (rule) retryByType[jobType] = rule;
    }
  const queueRule = ruleFrom(parsed(retry ?? null));
  return queueRule === null && Object.keys(retryByType).length === 0
    ? NO_RETRY_RULES
    : { retry: queueRule, retryByType };
}

/** Settings are checked when they are written; what somebody planted past the broker counts as no rule. */
function ruleFrom(value: unknown): RetryRuleFields | null {
  const rule = retryRuleSchema.safeParse(value);
  return rule.success ? rule.data : null;
}

function parsed(json: string | null): unknown {
  try {
    return json === null ? null : JSON.parse(json);
  } catch {
    return null;
  }
}
