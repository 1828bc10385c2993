/** Counted attempts, such as to sign in: so many in a stretch of time, and no more. */
import { createHash } from 'node:crypto';
import type { BrokerContext } from '../context';
import { numbers } from '../reply';
import { NO_QUEUE } from './ids';

const ATTEMPTS_MAX = 20_000;

/** What is counted may be a name or an address that somebody sent: only its digest is kept. */
const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32);

export const attemptVerbs = (ctx: BrokerContext) => ({
  /** Counts one, unless there were `limit` within `windowMs` of the first. Of many at once exactly so many are allowed. */
  take: async (
    key: string,
    { limit, windowMs }: { limit: number; windowMs: number },
  ): Promise<{ allowed: boolean; retryAfterMs: number }> => {
    const reply = await ctx.run('attempt-take', NO_QUEUE, [digestOf(key), limit, windowMs, ATTEMPTS_MAX]);
    const [allowed = 0, leftMs = 0] = numbers(reply, 'attempt-take');
    return { allowed: allowed === 1, retryAfterMs: allowed === 1 ? 0 : leftMs };
  },
  /** One that turned out to be none to count; those before it stay counted. */
  giveBack: async (key: string): Promise<void> => {
    await ctx.run('attempt-give-back', NO_QUEUE, [digestOf(key)]);
  },
  /** After a success. */
  forget: async (key: string): Promise<void> => {
    await ctx.plain((redis) => redis.hdel(ctx.keys.global('accessAttempts'), digestOf(key)));
  },
});
