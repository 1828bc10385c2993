/** What Redis holds: in all, and key by key. */
import type { Redis } from 'ioredis';
import { until } from '../../testing/poll';

export interface RedisMemory {
  /** For data: without the buffers of connections and of the append-only file, and without scripts. */
  bytes: number;
  /** As INFO says it: `used_memory`, and `used_memory_dataset`. */
  usedBytes: number;
  datasetBytes: number;
  keys: number;
}

export async function readMemory(redis: Redis): Promise<RedisMemory> {
  const [text, keys] = await Promise.all([redis.info('memory'), redis.dbsize()]);
  const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const usedBytes = field('used_memory');
  return {
    bytes:
      usedBytes - field('mem_clients_normal') - field('mem_aof_buffer') - field('used_memory_scripts_eval'),
    usedBytes,
    datasetBytes: field('used_memory_dataset'),
    keys,
  };
}

/** The same once it stands still: tables that grew or shrank are moved over a little at a time. */
export async function memoryAtRest(redis: Redis): Promise<RedisMemory> {
  await redis.call('MEMORY', 'PURGE');
  let last = await readMemory(redis);
  let calm = 0;
  await until(
    async () => {
      const now = await readMemory(redis);
      calm = Math.abs(now.bytes - last.bytes) < 8_192 ? calm + 1 : 0;
      last = now;
      return calm >= 3;
    },
    { timeoutMs: 30_000, everyMs: 150, what: 'the memory of Redis to come to rest' },
  );
  return last;
}

export interface KeyFound {
  name: string;
  type: string;
  /** Rows, members, entries or bytes, whatever it has. */
  size: number;
  bytes: number;
}

/** All keys there are, with all of what each takes: no sampling. */
export async function surveyKeys(redis: Redis): Promise<KeyFound[]> {
  const found: KeyFound[] = [];
  let cursor = '0';
  do {
    const [next, names] = await redis.scan(cursor, 'COUNT', 500);
    for (const name of names) {
      const type = await redis.type(name);
      const bytes = Number(await redis.call('MEMORY', 'USAGE', name, 'SAMPLES', 0));
      found.push({ name, type, size: await sizeOf(redis, name, type), bytes });
    }
    cursor = next;
  } while (cursor !== '0');
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function sizeOf(redis: Redis, name: string, type: string): Promise<number> {
  switch (type) {
    case 'hash':
      return redis.hlen(name);
    case 'zset':
      return redis.zcard(name);
    case 'stream':
      return redis.xlen(name);
    case 'list':
      return redis.llen(name);
    default:
      return redis.strlen(name);
  }
}

export const bytesOf = (keys: readonly KeyFound[]): number => keys.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * What the same keys take when they are written afresh, in a Redis that never held more: memory that stays behind inside a key
 * (a table that grew and was not given back) shows here.
 */
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
