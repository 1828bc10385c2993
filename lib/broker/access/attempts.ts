/** Counted attempts, such as to sign in: so many in a stretch of time, and no more. */
import { createHash } from 'node:crypto';
import type { BrokerContext } from '../context';
import { numbers } from '../reply';
import { NO_QUEUE } from './ids';

const ATTEMPTS_MAX = 20_000;

/** Tables apart, so that rows of one kind push out none of another: addresses cost nothing, names a little, and users are known. */
const TABLES = {
  name: { key: 'accessAttempts', number: 1 },
  place: { key: 'accessPlaceAttempts', number: 2 },
  user: { key: 'accessUserAttempts', number: 3 },
} as const;

export interface Counted {
  readonly kind: keyof typeof TABLES;
  /** May be a name or an address that somebody sent: only its digest is kept. */
  readonly key: string;
}
export interface Stretch {
  readonly limit: number;
  /** From the first on. */
  readonly windowMs: number;
}
export interface Taken {
  readonly allowed: boolean;
  readonly retryAfterMs: number;
}

const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32);

export const attemptVerbs = (ctx: BrokerContext) => {
  const run = async ({ kind, key }: Counted, { limit, windowMs }: Stretch, more: number): Promise<Taken> => {
    const table = TABLES[kind].number;
    const args = [digestOf(key), limit, windowMs, ATTEMPTS_MAX, table, more];
    const reply = await ctx.run('attempt-take', NO_QUEUE, args);
    const [allowed = 0, leftMs = 0] = numbers(reply, 'attempt-take');
    return { allowed: allowed === 1, retryAfterMs: allowed === 1 ? 0 : leftMs };
  };
  return {
    /** Counts one, unless there were `limit` within `windowMs` of the first. Of many at once exactly so many are allowed. */
    take: (counted: Counted, stretch: Stretch): Promise<Taken> => run(counted, stretch, 1),
    /** Whether another would be allowed. */
    look: (counted: Counted, stretch: Stretch): Promise<Taken> => run(counted, stretch, 0),
    /** Counts what was done already, also beyond the limit. */
    add: async (counted: Counted, stretch: Stretch, times: number): Promise<void> => {
      await run(counted, stretch, -times);
    },
    /** One that turned out to be none to count; those before it stay counted. */
    giveBack: async ({ kind, key }: Counted): Promise<void> => {
      await ctx.run('attempt-give-back', NO_QUEUE, [digestOf(key), TABLES[kind].number]);
    },
    /** After a success. */
    forget: async ({ kind, key }: Counted): Promise<void> => {
      await ctx.plain((redis) => redis.hdel(ctx.keys.global(TABLES[kind].key), digestOf(key)));
    },
  };
};
