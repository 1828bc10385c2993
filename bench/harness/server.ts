/** A Redis of its own for each side of each round, as a careful owner would run it: what was acknowledged is on disk within a second. */
import { rmSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { until } from '../../testing/poll';
import { startRedis, type TestRedis } from '../../testing/redis';

/** The log is not rewritten meanwhile: a rewrite would hit one side of a round and spare another. */
const AOF = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--auto-aof-rewrite-percentage', '0'];

/** Logs of up to a hundred megabytes: whoever interrupts a bench must not have to look for them. */
const folders = new Set<string>();
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export interface BenchServer {
  readonly path: string;
  /** For readings, outside of what is measured. */
  readonly redis: Redis;
  /** Processor time of the server so far, in µs. */
  cpuUs(): Promise<number>;
  /** Bytes its data takes, once it has come to rest. */
  dataBytes(): Promise<number>;
  stop(): Promise<void>;
}

export async function startServer(): Promise<BenchServer> {
  const server: TestRedis = await startRedis(AOF);
  folders.add(server.dir);
  const redis = server.connect();
  const info = async (section: string) => {
    const text = await redis.info(section);
    return (field: string) => Number(new RegExp(`^${field}:([\\d.]+)`, 'm').exec(text)?.[1] ?? 0);
  };
  const dataBytes = async () => {
    const field = await info('memory');
    return field('used_memory') - field('mem_clients_normal') - field('mem_aof_buffer');
  };
  return {
    path: server.path,
    redis,
    async cpuUs() {
      const field = await info('cpu');
      return (field('used_cpu_sys') + field('used_cpu_user')) * 1e6;
    },
    /** Tables that grew are rehashed a millisecond at a time, and hold both sizes until then. */
    async dataBytes() {
      let last = await dataBytes();
      let calm = 0;
      await until(
        async () => {
          const bytes = await dataBytes();
          calm = Math.abs(bytes - last) < 4_096 ? calm + 1 : 0;
          last = bytes;
          return calm >= 3;
        },
        { timeoutMs: 30_000, everyMs: 150, what: 'the memory of Redis to come to rest' },
      );
      return last;
    },
    async stop() {
      await server.stop();
      folders.delete(server.dir);
    },
  };
}
