/**
 * The design of Redrive written as plainly as possible: its columns in Redis, one script that enqueues, one that acknowledges
 * and claims, one promise a job, two calls under way. Pieces of the product can be added. It renews no lease, retries
 * nothing and survives no lost connection.
 */
import { Redis } from 'ioredis';
import { randomId, timeOrderedId } from '@/lib/broker/jobs/job-id';
import { bodyOf } from '../sides/bench-payload';
import {
  type BenchJob,
  JOB_TYPE,
  MAX_ATTEMPTS,
  type Side,
  type SideOptions,
  TENANT,
} from '../sides/bench-side';
import { createScript, createTickBatch, createWaiter } from '../sides/side-calls';
import { createTurnWorker, type TurnReply } from '../sides/turn-worker';
import { composeScript } from './compose-script';
import type { PieceChoice } from './pieces';
import { PLAIN_ENQUEUE } from './plain-enqueue';
import { PLAIN_TURN } from './plain-turn';
import { composeRun } from './run-pieces';

const LEASE_MS = 30_000;
const UNIQUE_MS = 600_000;
/** Limits that no bench reaches: what they cost is what is measured. */
const LIMITS = {
  concurrency: 10_000,
  rate: '1000000000 1000000000',
  tenantLimits: 1,
  depthLimit: 100_000_000,
};
type Reply = [acknowledged: number, ids: string[], rows: string[], tries?: number[]];

export async function openPlain({ path, queue, onTrouble }: SideOptions, choice: PieceChoice): Promise<Side> {
  const { pieces, inUse } = choice;
  const redis = new Redis({ path, maxRetriesPerRequest: null });
  redis.on('error', onTrouble);
  const keyOf = (column: string) => `plain:{${queue}}:${column}`;
  const scriptOf = (source: string) => {
    const { lua, columns } = composeScript(source, pieces);
    return createScript(redis, lua, columns.map(keyOf));
  };
  const addScript = scriptOf(PLAIN_ENQUEUE);
  const turnScript = scriptOf(PLAIN_TURN);
  // Ids and tokens are as long as the product's: each stands in a dozen places.
  const prefix = randomId(13);
  const hasResults = pieces.includes('history');
  const isUnique = inUse.includes('unique');

  function entryOf({ n, at, tenant = TENANT }: BenchJob): [id: string, row: string, extra: string] {
    const id = timeOrderedId();
    const unique = isUnique ? `d:${UNIQUE_MS}:key-${id}` : '';
    const head = `1 0 ${MAX_ATTEMPTS} 0 0 ${JOB_TYPE} 1 ${tenant}${isUnique ? ` u=${unique}` : ''}`;
    const row = `${head}\n{"at":${Date.now()}}\n${JSON.stringify(bodyOf(n, at))}`;
    return [id, row, isUnique ? `0 ${unique}` : ''];
  }
  const addBulk = async (jobs: readonly BenchJob[]) => {
    const came = await addScript(jobs.flatMap(entryOf));
    if (came !== jobs.length) throw new Error(`Of ${jobs.length} jobs only ${came} came in.`);
  };

  const settings = {
    ...(inUse.includes('limits') && LIMITS),
    ...(inUse.includes('fairness') && { fair: 0 }),
    ...(isUnique && { unique: 1 }),
  };
  if (Object.keys(settings).length > 0) await redis.hset(keyOf('config'), settings);
  await redis.ping();
  return {
    add: createTickBatch(addBulk),
    addBulk,
    async worker({ id, concurrency, handle, onDone }) {
      const calls = {
        async turn(want: number, nonce: string, done: readonly string[]): Promise<TurnReply> {
          const acks = hasResults ? withResults(done) : done;
          const [acknowledged, ids, rows, tries] = (await turnScript([
            want,
            nonce,
            LEASE_MS,
            id,
            ...acks,
          ])) as Reply;
          const tokens = tries && ids.map((_, i) => `${tries[3 * i]}-${nonce}`);
          return { acknowledged, ids, rows, tokens };
        },
        waiter: () => createWaiter(redis, keyOf('wake'), onTrouble),
        run: composeRun(handle, choice),
      };
      return createTurnWorker(calls, { concurrency, onDone, prefix, onTrouble });
    },
    async left() {
      const [waiting, inFlight, [enqueued, completed]] = await Promise.all([
        redis.zcard(keyOf('ready')),
        redis.zcard(keyOf('inflight')),
        redis.hmget(keyOf('counters'), 'enqueued', 'completed'),
      ]);
      const difference = Number(enqueued ?? 0) - Number(completed ?? 0) - waiting - inFlight;
      const wrong = difference === 0 ? undefined : `The counts are off by ${difference}.`;
      return { waiting, inFlight, wrong };
    },
    async close() {
      redis.disconnect();
    },
  };
}

/** Id, token and result of each job; the bench's handlers give none. */
function withResults(done: readonly string[]): string[] {
  const acks: string[] = [];
  for (let i = 0; i < done.length; i += 2) acks.push(done[i] ?? '', done[i + 1] ?? '', '');
  return acks;
}
