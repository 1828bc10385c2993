/** One-time codes, known by their digest only: each is good once, and not for long. */
import type { BrokerContext } from '../context';
import { checkDigest, NO_QUEUE } from './ids';

const CODES_MAX = 100;

export const codeVerbs = (ctx: BrokerContext) => ({
  put: async (digest: string, ttlMs: number): Promise<void> => {
    await ctx.run('code-put', NO_QUEUE, [checkDigest(digest), ttlMs, CODES_MAX]);
  },
  /** Whether it was good; it is not any more. Of many at once one has it. */
  take: async (digest: string): Promise<boolean> =>
    (await ctx.run('code-take', NO_QUEUE, [checkDigest(digest)])) === 1,
});
