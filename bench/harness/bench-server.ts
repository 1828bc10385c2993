/** A new Redis for each side of each round. Acknowledged writes are on disk within a second. */
import { rmSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { startRedis } from '@/testing/worlds/redis-server';
import { memoryAtRest } from './redis-memory';

/** No rewrite of the log: it would hit one side of a round and spare another. */
export const AOF_ARGS = [
  '--appendonly',
  'yes',
  '--appendfsync',
  'everysec',
  '--auto-aof-rewrite-percentage',
  '0',
];

/** Logs of up to a hundred megabytes each: removed even when the bench is interrupted. */
const folders = new Set<string>();
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** @returns what to call once the folder is removed */
export function removeAtExit(folder: string): () => void {
  folders.add(folder);
  return () => void folders.delete(folder);
}

/** Processor time of a server so far, in µs. */
export async function cpuUsOf(redis: Redis): Promise<number> {
  const text = await redis.info('cpu');
  const seconds = text.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm);
  return [...seconds].reduce((sum, [, part]) => sum + Number(part), 0) * 1e6;
}

/** Bytes written to a server's append-only file so far, with those about to be written. */
export async function logBytesOf(redis: Redis): Promise<number> {
  const text = await redis.info('persistence');
  const parts = text.matchAll(/^aof_(?:current_size|buffer_length):(\d+)/gm);
  return [...parts].reduce((sum, [, part]) => sum + Number(part), 0);
}

export interface BenchServer {
  readonly path: string;
  /** For readings, outside of what is measured. */
  readonly redis: Redis;
  /** Processor time of the server so far, in µs. */
  cpuUs(): Promise<number>;
  /** Bytes written to its append-only file so far, with those about to be written. */
  logBytes(): Promise<number>;
  /** Bytes of its data, once they stay the same. */
  dataBytes(): Promise<number>;
  stop(): Promise<void>;
}

export async function startServer(): Promise<BenchServer> {
  const server = await startRedis(AOF_ARGS);
  const forget = removeAtExit(server.dir);
  const redis = server.connect();
  return {
    path: server.path,
    redis,
    cpuUs: () => cpuUsOf(redis),
    logBytes: () => logBytesOf(redis),
    dataBytes: async () => (await memoryAtRest(redis)).bytes,
    async stop() {
      await server.stop();
      forget();
    },
  };
}
