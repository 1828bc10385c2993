/** Workers tick schedules: that is all it takes for these to run. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createSchedule } from '@/lib/broker/schedules';
import { createWorker, defineHandler } from '@/lib/worker';
import { until } from '@/testing/poll';
import { BY, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

it('a worker enters the jobs of all schedules, and one that shall not leaves them alone', async () => {
  const broker = world.another({ clock: undefined });
  const [mine, others] = [world.freshQueue(), world.freshQueue()];
  const ran: string[] = [];
  const handler = defineHandler({
    type: 'tick.tock',
    schema: z.unknown(),
    run: (_, { job }) => {
      ran.push(job.jobId);
    },
  });
  const options = { queues: { [mine]: 1 }, concurrency: 1, handlers: [handler] };
  for (const [id, queue] of [
    ['mine', mine],
    ['others', others],
  ] as const)
    await createSchedule(
      broker,
      { id, queue, timing: { everyMs: 1_000 }, job: { jobType: 'tick.tock', payload: '1' } },
      BY,
    );

  const idle = createWorker(broker, { ...options, schedules: false });
  idle.start();
  const [seconds] = await world.redis.time();
  await until(async () => Number((await world.redis.time())[0]) > Number(seconds) + 2, {
    what: 'two slots to pass',
  });
  await idle.stop();
  const entered = async (id: string) => (await broker.schedules.get(id)).schedule.entered;
  expect([await entered('mine'), await entered('others')]).toEqual([0, 0]);

  const worker = createWorker(broker, options);
  worker.start();
  await until(async () => ran.length >= 3 && (await entered('others')) >= 3, { what: 'three of each' });
  await worker.stop();
  expect(new Set(ran).size).toBe(ran.length);
  expect(ran.every((jobId) => /^mine\.\d+\.\d+000\.\w+$/.test(jobId))).toBe(true);
});
