/** The memory of Redis, key by key. */
import type { Redis } from 'ioredis';

export interface KeyFound {
  name: string;
  type: string;
  /** Rows, members, entries or bytes, whatever it has. */
  size: number;
  bytes: number;
}

/** All keys with their exact sizes: no sampling. */
export async function surveyKeys(redis: Redis): Promise<KeyFound[]> {
  const found: KeyFound[] = [];
  let cursor = '0';
  do {
    const [next, names] = await redis.scan(cursor, 'COUNT', 500);
    for (const name of names) {
      const type = await redis.type(name);
      const bytes = Number(await redis.call('MEMORY', 'USAGE', name, 'SAMPLES', 0));
      const size = Number(await redis.call(SIZE_COMMANDS[type] ?? 'STRLEN', name));
      found.push({ name, type, size, bytes });
    }
    cursor = next;
  } while (cursor !== '0');
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const SIZE_COMMANDS: Record<string, string> = {
  hash: 'HLEN',
  zset: 'ZCARD',
  stream: 'XLEN',
  list: 'LLEN',
  string: 'STRLEN',
};

export const bytesOf = (keys: readonly KeyFound[]): number => keys.reduce((sum, { bytes }) => sum + bytes, 0);

/** The size of the same keys in a new Redis: shows memory that stays inside a key after its table has shrunk. */
export async function bytesAfresh(from: Redis, keys: readonly KeyFound[], into: Redis): Promise<number> {
  let total = 0;
  for (const { name } of keys) {
    const dump = await from.dumpBuffer(name);
    if (!dump) continue;
    await into.restore(name, 0, dump);
    total += Number(await into.call('MEMORY', 'USAGE', name, 'SAMPLES', 0));
  }
  return total;
}
