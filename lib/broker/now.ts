import type { BrokerContext } from './context';

/** What time it is: Redis's, as for everything else. */
export async function serverNow(ctx: BrokerContext): Promise<number> {
  if (ctx.clock) return ctx.clock();
  const [seconds = 0, micros = 0] = await ctx.plain((redis) => redis.time());
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}
