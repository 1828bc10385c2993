/** How lean and the design talk to Redis: scripts by their hash with declared keys, the jobs of one tick in one call. */
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { BenchJob } from './bench-side';

const CALL_MAX_JOBS = 200;
const WAIT_S = 5;

export type CallScript = (args: readonly (string | number)[]) => Promise<unknown>;

export function createScript(redis: Redis, lua: string, keys: readonly string[]): CallScript {
  const sha = createHash('sha1').update(lua).digest('hex');
  const loaded = redis.script('LOAD', lua);
  return async (args) => {
    await loaded;
    return redis.call('EVALSHA', sha, keys.length, ...keys, ...args);
  };
}

/** Waits on a connection of its own until there is work, or some seconds. */
export function createWaiter(redis: Redis, wakeKey: string, onTrouble: (error: unknown) => void) {
  const blocking = redis.duplicate();
  blocking.on('error', onTrouble);
  return {
    wait: () => blocking.bzpopmin(wakeKey, WAIT_S),
    close: () => blocking.disconnect(),
  };
}

/** Jobs added in one tick travel together. */
export function createTickBatch(
  send: (jobs: readonly BenchJob[]) => Promise<unknown>,
): (job: BenchJob) => Promise<void> {
  let jobs: BenchJob[] = [];
  let settlers: { resolve(): void; reject(error: unknown): void }[] = [];
  function flush(): void {
    const [all, waiting] = [jobs, settlers];
    jobs = [];
    settlers = [];
    for (let i = 0; i < all.length; i += CALL_MAX_JOBS) {
      const part = waiting.slice(i, i + CALL_MAX_JOBS);
      send(all.slice(i, i + CALL_MAX_JOBS)).then(
        () => {
          for (const { resolve } of part) resolve();
        },
        (error: unknown) => {
          for (const { reject } of part) reject(error);
        },
      );
    }
  }
  return (job) =>
    new Promise<void>((resolve, reject) => {
      if (jobs.length === 0) setImmediate(flush);
      jobs.push(job);
      settlers.push({ resolve, reject });
    });
}
