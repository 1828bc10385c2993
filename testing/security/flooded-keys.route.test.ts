/**
 * A producer's and a worker's Redis user of one queue fill each key that they may write: with many small entries, and with entries of
 * megabytes. The console goes on for everybody else, and takes no more out of Redis than Redrive could have written.
 */
import type { Redis } from 'ioredis';
import { beforeAll, expect, test } from 'vitest';
import { COLUMNS, type Column, createKeys, GLOBAL_KEYS, type GlobalKey } from '@/lib/broker/redis/redis-keys';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { setUpConsole } from '@/testing/worlds/console-server';
import { documentedUsers, makeDocumentedUsers } from '@/testing/worlds/redis-server';
import { callApi } from '@/testing/worlds/route-caller';
import { BY, claimOne, failure, jobs, killAll } from '@/testing/worlds/world';

const KEYS = createKeys('rd');
const LARGE = 'x'.repeat(8_000_000);
const MANY = 20_000;
/** Less than one large value. */
const READ_MAX_BYTES = 6_000_000;
const WORKER_KEYS = [
  'workersSeen',
  'workersInfo',
  'workersSchemas',
  'workersRequests',
] as const satisfies GlobalKey[];

const world = await setUpConsole();
let redis: Redis;
let [producer, worker] = [] as unknown as [Redis, Redis];
beforeAll(async () => {
  redis = world.redis.connect();
  process.env.REDRIVE_RATE_FACTOR = '1000';
  await makeDocumentedUsers(redis);
  const as = (user: string) =>
    world.redis.connect({
      username: user,
      password: documentedUsers().find((one) => one.user === user)?.password ?? '',
    });
  [producer, worker] = [as('email-producer'), as('email-worker')];
});

/** Both queues with jobs in several states, pauses and settings. */
beforeAll(async () => {
  for (const queue of ['email', 'other']) {
    await killAll(world.broker, queue, jobs(3, 100), failure());
    await world.broker.enqueueMany(queue, [...jobs(3), ...jobs(1, 50, { delayMs: 60_000 })]);
    await world.broker.ack(queue, [await claimOne(world.broker, queue)]);
    await world.broker.pause(queue, { scope: 'tenant:slow', reason: 'a test' }, BY);
    await world.broker.config.change(queue, { depthLimit: 1_000 }, BY);
  }
});

/** Floods a key while `work` goes on, and puts it back. */
async function whileFlooded(by: Redis, key: string, type: string, work: () => Promise<void>): Promise<void> {
  const before = await redis.dumpBuffer(key);
  await flood(by, key, type);
  try {
    await work();
  } finally {
    await redis.del(key);
    if (before) await redis.restore(key, 0, before);
  }
}

async function flood(by: Redis, key: string, type: string): Promise<void> {
  const names = Array.from({ length: MANY }, (_, i) => `junk${i}`);
  if (type === 'hash') {
    const own = await redis.hkeys(key);
    await by.hset(key, ...names.flatMap((name) => [name, '1']));
    for (const field of [...own.slice(0, 4), 'large']) await by.hset(key, field, LARGE);
  } else if (type === 'zset') {
    await by.zadd(key, ...names.flatMap((name, i) => [i % 2 === 0 ? 0 : Date.now(), name]));
    for (const score of [0, Date.now(), 9e15]) await by.zadd(key, score, `${score}${LARGE}`);
  } else if (type === 'stream') {
    for (let i = 0; i < 3; i++) await by.xadd(key, '*', 'e', LARGE);
  } else throw new Error(`no test floods a ${type}`);
}

const sent = async () => Number(/total_net_output_bytes:(\d+)/.exec(await redis.info('stats'))?.[1]);

async function staysUp(own: boolean): Promise<void> {
  const before = await sent();
  const startedAtMs = performance.now();
  const { getSampler } = await import('@/lib/server/live/sampler');
  // A reading of now, not one from before the flood.
  getSampler().forget();
  await getSampler().current();
  for (const path of [
    '/api/v1/me',
    '/api/v1/queues',
    '/api/v1/queues/other',
    '/api/v1/workers',
    '/api/v1/dead',
  ])
    expect((await callApi('GET', path)).status, path).toBe(200);
  await expectWithin(performance.now() - startedAtMs, 5_000);
  expect((await callApi('GET', '/api/v1/queues')).body).toMatchObject({
    queues: expect.arrayContaining([expect.objectContaining({ queue: 'other' })]),
  });
  // The page of the flooded queue answers, or says what is wrong with it.
  if (own)
    for (const path of [
      '/api/v1/queues/email',
      '/api/v1/queues/email/breakdown',
      '/api/v1/queues/email/config',
    ])
      await callApi('GET', path);
  expect((await sent()) - before).toBeLessThan(READ_MAX_BYTES);
}

test.each(Object.keys(COLUMNS) as Column[])('%s of a queue', async (column) => {
  await whileFlooded(producer, KEYS.column('email', column), COLUMNS[column], () => staysUp(true));
});

test.each(WORKER_KEYS)('%s', async (key) => {
  // A worker that lives: the console reads its rows.
  await worker.zadd(KEYS.global('workersSeen'), Date.now(), 'w1');
  for (const row of ['workersInfo', 'workersSchemas', 'workersRequests'] as const)
    await worker.hset(KEYS.global(row), 'w1', '{}');
  await whileFlooded(worker, KEYS.global(key), GLOBAL_KEYS[key].type, () => staysUp(false));
});

test('a queue that a snapshot cannot read is named in the overview, and by its page', async () => {
  const { getSampler } = await import('@/lib/server/live/sampler');
  await whileFlooded(producer, KEYS.column('email', 'pauses'), 'hash', async () => {
    const { frame } = await until(
      async () => {
        const sample = await getSampler().current();
        return sample.unreadable.includes('email') ? sample : null;
      },
      { what: 'email to be unreadable' },
    );
    const found = frame.overview.verdict.findings.find(({ code }) => code === 'UNREADABLE');
    expect(found).toMatchObject({ queue: 'email', sentence: expect.stringContaining('or is larger') });
    expect(frame.overview.queues.map(({ queue }) => queue)).toContain('other');
  });
});
