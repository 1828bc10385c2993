/** The retry rules of queues, as last read: a failure must not cost a second round trip, nor wait for one. */
import { LRUCache } from 'lru-cache';
import { readFields } from '@/lib/broker/redis/bounded-reads';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { perContext } from '@/lib/broker/redis/context-cache';
import { parseJson, parseJsonObject } from '@/lib/broker/redis/parse-json';
import { NO_RETRY_RULES, type RetryRuleFields, type RetryRules } from '@/lib/contract/jobs/retry-policy';
import { retryRuleSchema } from '@/lib/contract/queues/queue-config';

/** A change reaches every process within this time and one read. */
export const RULES_FRESH_MS = 3_000;
const QUEUES_MAX = 10_000;

interface Entry {
  /** Null: not known yet. */
  rules: RetryRules | null;
  readAtMs: number;
  reading: Promise<RetryRules> | null;
}
const cached = perContext(() => new LRUCache<string, Entry>({ max: QUEUES_MAX }));

/** The rules as last read, even if old; an old reading is refreshed in the background. @throws RedriveError when they were never read */
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
export const forgetRetryRules = cached.forget;

function entryOf(ctx: BrokerContext, queue: string): Entry {
  const cache = cached.of(ctx);
  const entry = cache.get(queue) ?? { rules: null, readAtMs: Number.NEGATIVE_INFINITY, reading: null };
  cache.set(queue, entry);
  return entry;
}

/** Larger rules than Redrive writes count as none. */
const RULES_BOUND = { eachBytes: 262_144, allBytes: 524_288 };

async function read(ctx: BrokerContext, queue: string): Promise<RetryRules> {
  const key = { queue, index: 'config' } as const;
  const [retry, byType] = await readFields(ctx, key, ['retry', 'retryByType'], RULES_BOUND);
  const retryByType: Record<string, RetryRuleFields> = {};
  for (const [jobType, value] of Object.entries(parseJsonObject(byType) ?? {})) {
    const rule = ruleFrom(value);
    if (rule) retryByType[jobType] = rule;
  }
  const queueRule = ruleFrom(parseJson(retry));
  return queueRule === null && Object.keys(retryByType).length === 0
    ? NO_RETRY_RULES
    : { retry: queueRule, retryByType };
}

/** Settings are checked when they are written; what somebody planted past the broker counts as no rule. */
const ruleFrom = (value: unknown): RetryRuleFields | null => retryRuleSchema.safeParse(value).data ?? null;
