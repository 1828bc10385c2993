/** Schedules in real processes: workers are killed and frozen all the time, and every second has its one job. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { Processes, type Spawned } from '@/testing/worlds/processes';
import { setUpRedis } from '@/testing/worlds/set-up-redis';
import { createSchedule, deleteSchedule } from '.';

const SECONDS = 12;
const QUEUE = 'clockwork';
const processes = new Processes();
const redis = await setUpRedis();
let broker: Broker;

beforeAll(async () => {
  broker = createBroker({ redis: redis.connect({ commandTimeout: 5_000 }) });
});
afterAll(async () => {
  await processes.stopAll(5_000);
});

/** An application with a worker in it. It runs nothing of this queue: its part is to tick. */
const SCRIPT = `
  import { createBroker } from './lib/broker/index.ts';
  import { createWorker, defineHandler } from './lib/worker/index.ts';
  import { z } from 'zod';
  const broker = createBroker({ url: process.env.REDIS_URL });
  const handler = defineHandler({ type: 'nothing', schema: z.unknown(), run: () => null });
  createWorker(broker, { queues: { other: 1 }, concurrency: 1, handlers: [handler] }).start();
  console.log('ticking');
`;
const start = () =>
  processes.node(['--import', 'tsx', '--input-type=module', '--eval', SCRIPT], {
    name: 'a ticking worker',
    env: { REDIS_URL: redis.path },
  });

it(`one job a second for ${SECONDS} seconds, while three workers are killed, frozen and woken`, async () => {
  const workers: Spawned[] = [start(), start(), start()];
  await Promise.all(workers.map((worker) => worker.prints(/ticking/, 30_000)));
  const made = await createSchedule(
    broker,
    { id: 'every-second', queue: QUEUE, timing: { everyMs: 1_000 }, missed: 'all', job: { jobType: 'demo' } },
    { actor: 'a test' },
  );
  const first = made.nextAt ?? 0;
  // Nothing remembers a job that is done: only the fence can tell that a slot was dealt with.
  await redis.connect().hset(`rd:{${QUEUE}}:config`, 'completedKeep', 0);
  const seen: string[] = [];
  const collect = async () => {
    const { jobs } = await broker.claim(QUEUE, { worker: 'collector', count: 100 });
    if (jobs.length > 0) await broker.ack(QUEUE, jobs);
    seen.push(...jobs.map(({ jobId }) => jobId));
    return seen.length;
  };

  // Each round: one is killed and replaced, one freezes with whatever it has read, and the one frozen before wakes up.
  let frozen: Spawned | undefined;
  let [kills, freezes] = [0, 0];
  for (let round = 0; seen.length < SECONDS; round++) {
    const enough = Math.min(SECONDS, seen.length + 1);
    await until(async () => (await collect()) >= enough, { what: `job ${enough}`, timeoutMs: 20_000 });
    const at = round % 3;
    const victim = workers[at];
    if (!victim) throw new Error('three workers run');
    if (round % 2 === 0) {
      victim.kill('SIGKILL');
      kills += 1;
      workers[at] = start();
      if (frozen === victim) frozen = undefined;
    } else {
      frozen?.kill('SIGCONT');
      victim.kill('SIGSTOP');
      freezes += 1;
      frozen = victim;
    }
  }
  frozen?.kill('SIGCONT');
  await deleteSchedule(broker, made.id, { actor: 'a test' });
  // Deleted: whatever wakes up now enters nothing more.
  await collect();
  const count = seen.length;
  const deletedAt = await broker.now();
  const awake = async () =>
    (await broker.workers.list()).workers.filter(({ lastSeenAt }) => lastSeenAt > deletedAt + 1_000).length;
  await until(async () => (await awake()) >= 3, { what: 'all three to have had a turn', timeoutMs: 20_000 });
  expect(await collect()).toBe(count);

  const slots = seen.map((jobId) => Number(jobId.split('.').at(-2)));
  expect(slots).toEqual(slots.map((_, i) => first + i * 1_000));
  expect(kills).toBeGreaterThanOrEqual(2);
  expect(freezes).toBeGreaterThanOrEqual(2);
  expect(await broker.inspect.ledger(QUEUE)).toMatchObject({ difference: 0, enqueued: count });
});
