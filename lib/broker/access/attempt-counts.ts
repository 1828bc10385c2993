/** Counted attempts, such as to sign in: at most so many within a window of time. And one-time codes. */
import { createHash } from 'node:crypto';
import type { BrokerContext } from '../redis/broker-context';
import { replyNumbers } from '../redis/script-reply';
import { checkDigest } from './access-row-fields';

const ATTEMPTS_MAX = 20_000;

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

const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32);

export const attemptVerbs = (ctx: BrokerContext) => {
  const run = async (
    { kind, key }: AttemptLimit,
    { limit, windowMs }: AttemptWindow,
    more: number,
  ): Promise<AttemptResult> => {
    const table = TABLES[kind].number;
    const args = [digestOf(key), limit, windowMs, ATTEMPTS_MAX, table, more];
    const reply = await ctx.run('attempt-take', null, args);
    const [allowed = 0, leftMs = 0] = replyNumbers(reply, 'attempt-take');
    return { allowed: allowed === 1, retryAfterMs: allowed === 1 ? 0 : leftMs };
  };
  return {
    /** Counts one, unless there were `limit` within `windowMs` of the first. Of many at once exactly so many are allowed. */
    take: (counted: AttemptLimit, stretch: AttemptWindow): Promise<AttemptResult> => run(counted, stretch, 1),
    /** Whether another would be allowed. */
    look: (counted: AttemptLimit, stretch: AttemptWindow): Promise<AttemptResult> => run(counted, stretch, 0),
    /** Counts what was done already, also beyond the limit. */
    add: async (counted: AttemptLimit, stretch: AttemptWindow, times: number): Promise<void> => {
      await run(counted, stretch, -times);
    },
    /** One that turned out to be none to count; those before it stay counted. */
    giveBack: async ({ kind, key }: AttemptLimit): Promise<void> => {
      await ctx.run('attempt-give-back', null, [digestOf(key), TABLES[kind].number]);
    },
    /** After a success. */
    forget: async ({ kind, key }: AttemptLimit): Promise<void> => {
      await ctx.plain((redis) => redis.hdel(ctx.keys.global(TABLES[kind].key), digestOf(key)));
    },
  };
};

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
