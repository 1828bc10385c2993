import type { BrokerContext } from './broker-context';
import { nodeOf } from './cluster-nodes';
import type { GlobalKey } from './redis-keys';
import { isCluster } from './server-check';

/** The time, by the clock of Redis. The nodes of a Cluster each have one: that of the node that holds `key`. */
export async function serverNow(ctx: BrokerContext, key: GlobalKey = 'workersSeen'): Promise<number> {
  if (ctx.clock) return ctx.clock();
  return toMs(
    await ctx.plain((redis) => ((isCluster(redis) && nodeOf(redis, ctx.keys.global(key))) || redis).time()),
  );
}

/** A reply of TIME, in milliseconds. */
export const toMs = ([seconds, micros]: readonly unknown[]): number =>
  Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);

/** Memory in use, in bytes; of a Cluster that of all masters. NaN when one of them did not say. */
export async function usedMemoryBytes(ctx: BrokerContext): Promise<number> {
  return ctx.plain(async (redis) => {
    const nodes = isCluster(redis) ? redis.nodes('master') : [redis];
    const infos = await Promise.all(nodes.map((node) => node.info('memory').catch(() => '')));
    return infos.reduce(
      (sum, info) => sum + Number(String(info).match(/used_memory:(\d+)/)?.[1] ?? Number.NaN),
      0,
    );
  });
}
