/** Idle workers, whose claims stand behind their waits in Redis, are killed in the moment that a job arrives: none is lost. */
import { afterAll, expect, it } from 'vitest';
import { createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { Processes, type Spawned } from '@/testing/worlds/processes';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const ROUNDS = 10;
const QUEUE = 'idle';
/** A wait takes 5 s, and a claim stands behind it only where that is at most a third of the lease. */
const LEASE_MS = 15_000;
const processes = new Processes();
const redis = await setUpRedis();
const broker = createBroker({ redis: redis.connect({ commandTimeout: 5_000 }) });
afterAll(() => processes.stopAll(5_000));

const start = () =>
  processes.node(
    ['--import', 'tsx', 'lib/worker/fixture-worker.ts', redis.path, QUEUE, 'finish', String(LEASE_MS)],
    { name: 'an idle worker' },
  );
const counts = async () => (await broker.inspect.snapshot([QUEUE]))[0]?.counts;

it(`completes each of ${ROUNDS} jobs while the worker that waits for it is killed`, async () => {
  const plain = redis.connect();
  const isBlocked = async () => Number(/blocked_clients:(\d+)/.exec(await plain.info('clients'))?.[1]);
  const workers: Spawned[] = [start(), start()];
  for (let round = 0; round < ROUNDS; round++) {
    await until(async () => (await isBlocked()) === workers.length, {
      what: 'both workers to wait',
      timeoutMs: 60_000,
    });
    const arrives = broker.enqueue(QUEUE, { jobId: `job-${round}`, jobType: 'demo.run', payload: '{}' });
    // Before the job, behind it, or while the worker has it.
    if (round % 3 === 1) await arrives;
    if (round % 3 === 2) await workers[round % 2]?.prints(/started/, 1_000).catch(() => undefined);
    workers[round % 2]?.kill('SIGKILL');
    await arrives;
    workers[round % 2] = start();
  }
  await until(async () => (await counts())?.completed === ROUNDS, {
    what: 'every job to complete',
    timeoutMs: 90_000,
    everyMs: 200,
  });
  const [reading] = await broker.inspect.snapshot([QUEUE]);
  expect(reading?.totals).toMatchObject({ enqueued: ROUNDS, completed: ROUNDS, dead: 0, duplicates: 0 });
  expect(await broker.inspect.ledger(QUEUE)).toMatchObject({ difference: 0, strayRows: 0 });
});
