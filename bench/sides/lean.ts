/**
 * The practical limit: none of our features, one script a transition, adds of one tick in one call, acknowledgements fused
 * with the next claim. It renews no lease, retries nothing and survives no lost connection: a bound, not a product.
 */
import { Redis } from 'ioredis';
import { bodyOf } from './bench-payload';
import { type BenchJob, JOB_TYPE, MAX_ATTEMPTS, type OpenSide, TENANT } from './bench-side';
import { LEAN_ADD, LEAN_TURN } from './lean-scripts';
import { createScript, createTickBatch, createWaiter } from './side-calls';
import { createTurnWorker } from './turn-worker';

const LEASE_MS = 30_000;
const COLUMNS = ['rows', 'ready', 'wake', 'claims', 'leases'] as const;

export const openLean: OpenSide = async ({ path, queue, onTrouble }) => {
  const redis = new Redis({ path, maxRetriesPerRequest: null });
  redis.on('error', onTrouble);
  const keys = COLUMNS.map((column) => `lean:{${queue}}:${column}`);
  const prefix = Math.floor(process.pid * 1_679_616 + Math.random() * 1_679_616).toString(36);
  let made = 0;
  const addScript = createScript(redis, LEAN_ADD, keys.slice(0, 3));
  const turnScript = createScript(redis, LEAN_TURN, keys);

  const newId = () => `${prefix}-${(made++).toString(36)}`;
  const rowOf = ({ n, at, tenant = TENANT }: BenchJob) =>
    `${JOB_TYPE} ${tenant} ${MAX_ATTEMPTS} ${Date.now()}\n${JSON.stringify(bodyOf(n, at))}`;
  const addBulk = (jobs: readonly BenchJob[]) => addScript(jobs.flatMap((job) => [newId(), rowOf(job)]));

  await redis.ping();
  return {
    add: createTickBatch(addBulk),
    addBulk,
    async worker({ concurrency, handle, onDone }) {
      const calls = {
        async turn(want: number, token: string, done: readonly string[]) {
          const reply = (await turnScript([want, token, LEASE_MS, ...done])) as [
            number,
            string[]?,
            string[]?,
          ];
          return { acknowledged: reply[0], ids: reply[1] ?? [], rows: reply[2] ?? [] };
        },
        waiter: () => createWaiter(redis, keys[2] ?? '', onTrouble),
        run(row: string) {
          const { n, at } = JSON.parse(row.slice(row.indexOf('\n') + 1)) as { n: number; at: string };
          return handle(n, at);
        },
      };
      return createTurnWorker(calls, { concurrency, onDone, prefix, onTrouble });
    },
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
