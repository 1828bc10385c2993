/** Where in a Cluster a key lives. */
import { type Cluster, Command, type Redis } from 'ioredis';
import { duplicateOf } from './connection/fresh-connect';

/** The slot of a key, by ioredis's own reckoning. */
export const slotOf = (key: string): number => new Command('get', [key]).getSlot() ?? 0;

/** `host:port` of the master that holds a key, as last heard; undefined when it is unknown. */
export const ownerOf = (cluster: Cluster, key: string): string | undefined => cluster.slots[slotOf(key)]?.[0];

export function nodeOf(cluster: Cluster, key: string): Redis | undefined {
  const owner = ownerOf(cluster, key);
  return cluster.nodes('master').find((node) => addressOf(node) === owner);
}

export const addressOf = (node: Redis): string => `${node.options.host}:${node.options.port}`;

/** Why a node of a Cluster cannot be reached. ioredis says only that a connection was closed, so another one is opened for its error. */
export async function whyUnreachable(node: Redis): Promise<string | null> {
  const redis = duplicateOf(node, { lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 });
  let words: string | null = null;
  redis.on('error', (error) => {
    words = error.message;
  });
  await redis.connect().catch(() => undefined);
  redis.disconnect();
  return words;
}
