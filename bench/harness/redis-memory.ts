/** The memory that Redis uses for data. */
import type { Redis } from 'ioredis';
import { until } from '@/testing/poll';

export interface RedisMemory {
  /** For data: without the buffers of connections and of the append-only file, and without scripts. */
  bytes: number;
  /** `used_memory_dataset` of INFO. */
  datasetBytes: number;
}

export async function readMemory(redis: Redis): Promise<RedisMemory> {
  const text = await redis.info('memory');
  const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const buffers = field('mem_clients_normal') + field('mem_aof_buffer');
  return {
    bytes: field('used_memory') - buffers - field('used_memory_scripts_eval'),
    datasetBytes: field('used_memory_dataset'),
  };
}

/** Waits until it stays the same: Redis resizes its tables a little at a time, and holds both sizes until then. */
export async function memoryAtRest(redis: Redis): Promise<RedisMemory> {
  await redis.call('MEMORY', 'PURGE');
  let last = await readMemory(redis);
  let equal = 0;
  await until(
    async () => {
      const now = await readMemory(redis);
      equal = Math.abs(now.bytes - last.bytes) < 4_096 ? equal + 1 : 0;
      last = now;
      return equal >= 3;
    },
    { timeoutMs: 30_000, everyMs: 150, what: 'the memory of Redis to come to rest' },
  );
  return last;
}
