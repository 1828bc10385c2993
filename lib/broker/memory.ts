import type { BrokerContext } from './context';
import { isCluster } from './server-check';

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
