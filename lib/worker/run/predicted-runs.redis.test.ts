/** B2: a preview predicts what real workers do with jobs of a type or version that they do not know. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createWorker, defineHandler } from '@/lib/worker';
import { until } from '@/testing/poll';
import { operate, previewOf } from '@/testing/worlds/operation-runs';
import { BY, claimAll, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

it('B2: says that jobs of an unknown version will die again at once, and they do', async () => {
  const queue = world.freshQueue();
  const handler = defineHandler({ type: 'hook', version: 1, schema: z.unknown(), run: () => 1 });
  // None has an attempt to spare.
  await killAll(world.broker, queue, [
    ...jobs(13, 0, { jobType: 'hook', jobVersion: 99, maxAttempts: 1 }),
    ...jobs(2, 20, { jobType: 'nobody', maxAttempts: 1 }),
    ...jobs(4, 30, { jobType: 'hook', jobVersion: 1 }),
  ]);
  const worker = createWorker(world.another(), {
    queues: { [queue]: 1 },
    concurrency: 2,
    handlers: [handler],
    schedules: false,
  });
  worker.start();
  try {
    await until(
      async () => {
        const { workers } = await world.broker.workers.list();
        return workers.some(({ queues, handlers }) => queue in queues && handlers.length > 0);
      },
      { what: 'the report of the worker' },
    );
    const wanted = { kind: 'redrive', q: `queue:${queue}` } as const;
    const { unsupported, blocked } = await previewOf(world.broker, wanted);
    const known = { queue, workers: 1, takeVersion: 0, retried: false };
    expect(unsupported).toEqual([
      { ...known, jobType: 'hook', jobVersion: 99, count: 13, takeType: 1 },
      { ...known, jobType: 'nobody', jobVersion: 1, count: 2, takeType: 0 },
    ]);
    expect(blocked).toEqual([]);
    const { id } = await operate(world.broker, wanted);
    const outcome = await until(
      async () => {
        const { outcome: now } = await world.broker.operations.get(id);
        return now && now.completed + now.diedAgain === 19 ? now : null;
      },
      { what: 'all jobs to end', timeoutMs: 45_000 },
    );
    expect(outcome).toMatchObject({ completed: 4, diedAgain: 15 });
  } finally {
    await worker.stop({ hurry: true });
  }
});

it('B2: says which jobs a pause will hold back, and no others are claimed', async () => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, [
    ...jobs(3, 0, { jobType: 'hook', tenantId: 'acme' }),
    ...jobs(2, 10, { jobType: 'slow', tenantId: 'acme' }),
    ...jobs(4, 20, { jobType: 'slow', tenantId: 'beta' }),
    ...jobs(5, 30, { jobType: 'hook', tenantId: 'beta' }),
  ]);
  for (const scope of ['tenant:acme', 'type:slow'] as const)
    await world.broker.pause(queue, { scope, reason: 'a test' }, BY);
  // One that ran out holds nothing.
  await world.broker.pause(queue, { scope: 'type:hook', reason: 'a test', forMs: 1_000 }, BY);
  world.clock.now += 2_000;
  const wanted = { kind: 'redrive', q: `queue:${queue}` } as const;
  const { blocked } = await previewOf(world.broker, wanted);
  expect(blocked).toEqual([
    { reason: 'no-worker', scope: queue, count: 14 },
    { reason: 'paused', scope: `type slow of ${queue}`, count: 4 },
    { reason: 'paused', scope: `tenant acme of ${queue}`, count: 3 },
    { reason: 'paused', scope: `tenant acme of ${queue} and type slow of ${queue}`, count: 2, pauses: 2 },
  ]);
  await operate(world.broker, wanted);
  const ids = (await claimAll(world.broker, queue)).map(({ jobId }) => jobId);
  expect(ids.sort()).toEqual(jobs(5, 30).map(({ jobId }) => jobId));
  // The two that both pauses hold wait after the end of one.
  await world.broker.resume(queue, 'tenant:acme');
  const freed = (await claimAll(world.broker, queue)).map(({ jobId }) => jobId);
  expect(freed.sort()).toEqual(jobs(3, 0).map(({ jobId }) => jobId));
});
