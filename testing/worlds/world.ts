/** A real Redis with brokers on it whose clock the test sets, and short words for what tests do over and over. */
import type { Redis } from 'ioredis';
import { afterAll } from 'vitest';
import type { BrokerOptions, ClaimedJob } from '@/lib/broker';
import { randomId } from '@/lib/broker/jobs/job-id';
import { openRedis, type RedisConnection } from '@/lib/broker/redis/redis-connection';
import { type Column, createKeys, type Keys } from '@/lib/broker/redis/redis-keys';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import { type Lab, openLab } from '@/lib/lab/open-lab';
import { type Broker, createBroker } from '@/testing/create-broker';
import { startRedis, type TestRedis } from './redis-server';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const START = Date.UTC(2026, 0, 1);
export const BY = { actor: 'tester', reason: 'a test' };
export const CRASH = { errorCode: 'WORKER_GONE', message: 'The worker process died.' };

export interface World {
  readonly server: TestRedis;
  /** Reads and plants what it likes, past the broker. */
  readonly redis: Redis;
  readonly broker: Broker;
  /** Connected only if a test uses it. */
  readonly lab: Lab;
  readonly keys: Keys;
  /** Scripts use this time; tests move it. */
  readonly clock: { now: number };
  /** Another broker on a connection of its own. */
  another(options?: BrokerOptions): Broker;
  /** A queue name nobody used yet. */
  freshQueue(): string;
  column(queue: string, column: Column): string;
  close(): Promise<void>;
}

export async function openWorld(redisArgs: string[] = []): Promise<World> {
  const server = await startRedis(redisArgs);
  const clock = { now: START };
  const keys = createKeys('rd');
  const brokers: Broker[] = [];
  const another = (options: BrokerOptions = {}) => {
    const where = options.redis ? {} : { url: server.path };
    const broker = createBroker({ clock: () => clock.now, ...where, ...options });
    brokers.push(broker);
    return broker;
  };
  const lab = openLab({ clock: () => clock.now, url: server.path });
  let queues = 0;
  return {
    server,
    redis: server.connect(),
    broker: another(),
    lab,
    keys,
    clock,
    another,
    freshQueue: () => `q${++queues}`,
    column: (queue, column) => keys.column(queue, column),
    async close() {
      for (const broker of brokers) broker.close();
      lab.close();
      await server.stop();
    },
  };
}

/** `openWorld` for the tests of one file, closed after the last of them. */
export async function setUpWorld(redisArgs?: string[]): Promise<World> {
  const world = await openWorld(redisArgs);
  afterAll(() => world.close());
  return world;
}

/** How many commands Redis ran for `work`, those inside of scripts too: what it costs, whatever else the machine does. */
export async function commandsFor(redis: Redis, work: () => Promise<unknown>): Promise<number> {
  await redis.config('RESETSTAT');
  await work();
  const stats = await redis.info('commandstats');
  return [...stats.matchAll(/^cmdstat_(?!config|info)\S+:calls=(\d+)/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
}

/** A connection with a short deadline, for tests that freeze Redis. */
export const impatient = (path: string, commandTimeout: number): RedisConnection =>
  openRedis(path, { commandTimeout });

/** `count` jobs of one shape; the id tells their order. */
export const jobs = (count: number, from = 0, rest: Partial<EnqueueInput> = {}): EnqueueInput[] =>
  Array.from({ length: count }, (_, i) => ({
    jobId: `j${String(from + i).padStart(6, '0')}`,
    jobType: 'demo',
    payload: String(from + i),
    ...rest,
  }));

export async function enqueueAll(
  broker: Pick<Broker, 'enqueueMany'>,
  queue: string,
  inputs: readonly EnqueueInput[],
): Promise<void> {
  for (let i = 0; i < inputs.length; i += 1_000) await broker.enqueueMany(queue, inputs.slice(i, i + 1_000));
}

/** Claims until nothing is left, or `most` are in hand. */
export async function claimAll(
  broker: Broker,
  queue: string,
  { worker = 'w1', leaseMs = 15_000, most = Number.POSITIVE_INFINITY } = {},
): Promise<ClaimedJob[]> {
  const taken: ClaimedJob[] = [];
  while (taken.length < most) {
    const { jobs } = await broker.claim(queue, {
      worker,
      leaseMs,
      count: Math.min(500, most - taken.length),
    });
    if (jobs.length === 0) break;
    taken.push(...jobs);
  }
  return taken;
}

/** Claims one job that the test knows to be there. */
export async function claimOne(broker: Broker, queue: string, worker = 'w1'): Promise<ClaimedJob> {
  const [job] = (await broker.claim(queue, { worker })).jobs;
  if (!job) throw new Error(`There was nothing to claim in ${queue}.`);
  return job;
}

/** An id as `timeOrderedId` would have made it at that time, whatever times this process made ids for before. */
export function idMadeAt(ms: number): string {
  const time = [...ms.toString(32).padStart(10, '0')].map((digit) => CROCKFORD[Number.parseInt(digit, 32)]);
  return `${time.join('')}r${randomId(9)}`;
}

export const ids = (list: readonly { jobId: string }[]): string[] => list.map((job) => job.jobId);

/** A permanent failure, with the code and class a test wants to find again. */
export const failure = (
  errorCode = 'BROKEN',
  errorClass: 'permanent' | 'malformed' | 'retryable' = 'permanent',
) => ({
  errorClass,
  errorCode,
  message: `failed with ${errorCode}`,
});

/** Brings jobs into the dead-letter queue through a claim and a failure. */
export async function killAll(
  broker: Broker,
  queue: string,
  inputs: readonly EnqueueInput[],
  why = failure(),
): Promise<void> {
  await enqueueAll(broker, queue, inputs);
  const taken = await claimAll(broker, queue);
  for (let i = 0; i < taken.length; i += 500)
    await broker.fail(
      queue,
      taken.slice(i, i + 500).map(({ jobId, token }) => ({ jobId, token, failure: why })),
    );
}

export async function stateOf(broker: Broker, queue: string, jobId: string): Promise<string> {
  return broker.inspect.job(queue, jobId).then(
    (job) => job.state,
    (error: { code?: string }) => error.code ?? 'unknown error',
  );
}
