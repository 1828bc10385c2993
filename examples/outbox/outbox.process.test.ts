/** Workers are killed at random points, again and again. Jobs run twice; what they do is done once. */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { Processes, type Spawned } from '@/testing/worlds/processes';
import { setUpRedisOnPort } from '@/testing/worlds/set-up-redis';
import { BY } from '@/testing/worlds/world';
import { bookTransfer, QUEUE } from './src/ledger-jobs';

const TRANSFERS = 600;
const KILLS = 20;
const WORKERS = 3;
const processes = new Processes();
const redis = await setUpRedisOnPort();
let broker: Broker;
let store: Redis;
beforeAll(async () => {
  broker = createBroker({ url: redis.url });
  store = redis.connect();
});
afterAll(async () => {
  await processes.stopAll();
  broker.close();
});

const start = () =>
  processes.node(['--import', 'tsx', 'examples/outbox/src/ledger-worker.ts'], {
    name: 'a worker that books transfers',
    env: { REDIS_URL: redis.url, LEASE_MS: '1000', AFTER_MS: '150' },
  });
const counts = async () => {
  const [reading] = await broker.inspect.snapshot([QUEUE]);
  if (!reading) throw new Error('no reading');
  return reading;
};
/** Amounts that no other sum of transfers can make up for: one that is booked twice shows. */
const centsOf = (nth: number) => 1_000 + nth;
const enqueue = (first: number, count: number) =>
  broker.enqueueMany(
    QUEUE,
    Array.from({ length: count }, (_, i) => ({
      jobId: `transfer-${first + i}`,
      jobType: bookTransfer.type,
      maxAttempts: 100,
      payload: JSON.stringify({ from: 'alice', to: 'bob', cents: centsOf(first + i) }),
    })),
  );
const booked = () => store.hlen('bank:{ledger}:booked');

it(`books each of ${TRANSFERS} transfers exactly once while workers are killed ${KILLS} times`, async () => {
  const change = { maxDeliveries: 100, completedKeep: TRANSFERS, reason: 'room for many crashes' };
  await broker.config.change(QUEUE, change, BY);
  const running: Spawned[] = Array.from({ length: WORKERS }, start);
  for (let kill = 0; kill < KILLS; kill++) {
    const slot = kill % WORKERS;
    await running[slot]?.prints(/up/, 30_000);
    const before = await booked();
    await enqueue(kill * (TRANSFERS / KILLS), TRANSFERS / KILLS);
    // Whenever some of these are booked, and their runs, mostly, not yet over.
    const more = 1 + Math.floor(Math.random() * 10);
    await until(async () => (await booked()) >= before + more, {
      what: 'more transfers',
      timeoutMs: 30_000,
      everyMs: 2,
    });
    running[slot]?.kill('SIGKILL');
    running[slot] = start();
  }
  await until(async () => (await counts()).counts.completed === TRANSFERS, {
    what: 'all to complete',
    timeoutMs: 120_000,
    everyMs: 100,
  });

  const sum = Array.from({ length: TRANSFERS }, (_, i) => centsOf(i)).reduce((a, b) => a + b, 0);
  expect(await store.hgetall('bank:{ledger}:accounts')).toEqual({ alice: `-${sum}`, bob: `${sum}` });
  expect(await booked()).toBe(TRANSFERS);
  // The test would prove nothing if no run had found what an earlier one had booked.
  const results: (string | null)[] = [];
  for (let i = 0; i < TRANSFERS; i++)
    results.push((await broker.inspect.job(QUEUE, `transfer-${i}`)).result?.result ?? null);
  const twice = results.filter((result) => result === '{"booked":"by an earlier run"}').length;
  const { totals } = await counts();
  expect(totals.reclaimed).toBeGreaterThan(0);
  expect(twice).toBeGreaterThan(0);
  expect(await broker.inspect.ledger(QUEUE)).toMatchObject({ difference: 0, strayRows: 0 });
  console.log(
    `${KILLS} kills: ${totals.reclaimed} runs lost, ${twice} jobs found their transfer booked by an earlier run, ${TRANSFERS} booked once.`,
  );
});
