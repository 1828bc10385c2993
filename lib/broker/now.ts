import { nodeOf } from './cluster';
import type { BrokerContext } from './context';
import type { GlobalKey } from './keys';
import { isCluster } from './server-check';

/** What time it is: Redis's, as for everything else. The nodes of a Cluster each have a clock; asked is the one that holds `key`. */
export async function serverNow(ctx: BrokerContext, key: GlobalKey = 'workersSeen'): Promise<number> {
  if (ctx.clock) return ctx.clock();
  const [seconds = 0, micros = 0] = await ctx.plain((redis) =>
    ((isCluster(redis) && nodeOf(redis, ctx.keys.global(key))) || redis).time(),
  );
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}
