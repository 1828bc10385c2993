/** Counted attempts, such as to sign in: at most so many within a window of time. And one-time codes. */
import { createHash } from 'node:crypto';
import type { BrokerContext } from '../redis/broker-context';
import { replyNumbers } from '../redis/script-reply';
import { checkDigest } from './access-row-fields';

export const ATTEMPTS_MAX = 20_000;

/** A table each, so that cheap rows (addresses) push out none of the others. */
const TABLES = {
  name: { key: 'accessAttempts', number: 1 },
  place: { key: 'accessNetworkAttempts', number: 2 },
  user: { key: 'accessUserAttempts', number: 3 },
} as const;

export interface AttemptLimit {
  readonly kind: keyof typeof TABLES;
  /** A name or an address that a client sent; Redis gets only its digest. */
  readonly key: string;
}
export interface AttemptWindow {
  readonly limit: number;
  /** From the first on. */
  readonly windowMs: number;
}
export interface AttemptResult {
  readonly allowed: boolean;
  readonly retryAfterMs: number;
}

export const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32);

export const attemptVerbs = (ctx: BrokerContext) => ({
  /** Counts `times`, unless there would be more than `limit` within `windowMs` of the first. Of many at once exactly so many are allowed. */
  take: async (
    { kind, key }: AttemptLimit,
    { limit, windowMs }: AttemptWindow,
    times = 1,
  ): Promise<AttemptResult> => {
    const args = [digestOf(key), limit, windowMs, ATTEMPTS_MAX, TABLES[kind].number, times];
    const reply = await ctx.run('attempt-take', null, args);
    const [allowed = 0, leftMs = 0] = replyNumbers(reply, 'attempt-take');
    return { allowed: allowed === 1, retryAfterMs: allowed === 1 ? 0 : leftMs };
  },
  /** Takes back the count of this attempt. Earlier attempts stay counted. */
  giveBack: async ({ kind, key }: AttemptLimit): Promise<void> => {
    await ctx.run('attempt-give-back', null, [digestOf(key), TABLES[kind].number]);
  },
  /** After a success. */
  forget: async ({ kind, key }: AttemptLimit): Promise<void> => {
    await ctx.plain((redis) => redis.hdel(ctx.keys.global(TABLES[kind].key), digestOf(key)));
  },
});

const CODES_MAX = 100;

/** One-time codes, known by their digest only: each is good once, and not for long. */
export const codeVerbs = (ctx: BrokerContext) => ({
  put: async (digest: string, ttlMs: number): Promise<void> => {
    await ctx.run('code-put', null, [checkDigest(digest), ttlMs, CODES_MAX]);
  },
  /** Uses the code up. Of several calls at once one gets true. */
  take: async (digest: string): Promise<boolean> =>
    (await ctx.run('code-take', null, [checkDigest(digest)])) === 1,
});
