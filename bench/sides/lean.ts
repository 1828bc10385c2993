/**
 * The practical limit: none of our features, one script a transition, adds of one tick in one call, acknowledgements fused
 * with the next claim. It renews no lease, retries nothing and survives no lost connection: a bound, not a product.
 */
import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { bodyOf } from './bench-payload';
import { type BenchJob, JOB_TYPE, MAX_ATTEMPTS, type OpenSide, TENANT } from './bench-side';
import { LEAN_ADD, LEAN_TURN } from './lean-scripts';
import { createLeanWorker, type LeanCalls } from './lean-worker';

const ADD_MAX_JOBS = 200;
const LEASE_MS = 30_000;
const COLUMNS = ['rows', 'ready', 'wake', 'claims', 'leases'] as const;

interface Waiting {
  id: string;
  row: string;
  resolve(): void;
  reject(error: unknown): void;
}

export const openLean: OpenSide = async ({ path, queue, onTrouble }) => {
  const redis = new Redis({ path, maxRetriesPerRequest: null });
  redis.on('error', onTrouble);
  const keys = COLUMNS.map((column) => `lean:{${queue}}:${column}`);
  const run = Math.floor(process.pid * 1_679_616 + Math.random() * 1_679_616).toString(36);
  let made = 0;
  let buffer: Waiting[] = [];

  const script = (lua: string, keyCount: number) => {
    const sha = createHash('sha1').update(lua).digest('hex');
    const loaded = redis.script('LOAD', lua);
    return async (args: (string | number)[]): Promise<unknown> => {
      await loaded;
      return redis.call('EVALSHA', sha, keyCount, ...keys.slice(0, keyCount), ...args);
    };
  };
  const addScript = script(LEAN_ADD, 3);
  const turnScript = script(LEAN_TURN, 5);

  const newId = () => `${run}-${(made++).toString(36)}`;
  const rowOf = ({ n, at, tenant = TENANT }: BenchJob) =>
    `${JOB_TYPE} ${tenant} ${MAX_ATTEMPTS} ${Date.now()}\n${JSON.stringify(bodyOf(n, at))}`;

  function flush(): void {
    const all = buffer;
    buffer = [];
    for (let i = 0; i < all.length; i += ADD_MAX_JOBS) {
      const part = all.slice(i, i + ADD_MAX_JOBS);
      addScript(part.flatMap(({ id, row }) => [id, row])).then(
        () => {
          for (const one of part) one.resolve();
        },
        (error: unknown) => {
          for (const one of part) one.reject(error);
        },
      );
    }
  }

  const calls: LeanCalls = {
    async turn(want, token, done) {
      const reply = (await turnScript([want, token, LEASE_MS, ...done])) as [number, string[]?, string[]?];
      return { acknowledged: reply[0], ids: reply[1] ?? [], rows: reply[2] ?? [] };
    },
    async waiter() {
      const blocking = redis.duplicate();
      blocking.on('error', onTrouble);
      return {
        wait: () => blocking.bzpopmin(keys[2] ?? '', 5),
        close: () => blocking.disconnect(),
      };
    },
  };

  await redis.ping();
  return {
    add: (job) =>
      new Promise<void>((resolve, reject) => {
        if (buffer.length === 0) setImmediate(flush);
        buffer.push({ id: newId(), row: rowOf(job), resolve, reject });
      }),
    addBulk: (jobs) => addScript(jobs.flatMap((job) => [newId(), rowOf(job)])),
    worker: (options) => createLeanWorker(calls, { ...options, run, onTrouble }),
    async left() {
      const [waiting = 0, inFlight = 0, rows = 0] = await Promise.all([
        redis.llen(keys[1] ?? ''),
        redis.zcard(keys[4] ?? ''),
        redis.hlen(keys[0] ?? ''),
      ]);
      const stray = rows - waiting - inFlight;
      return { waiting, inFlight, wrong: stray === 0 ? undefined : `${stray} rows belong to no job.` };
    },
    async close() {
      redis.disconnect();
    },
  };
};
