/** What the library says about a payload it cannot read: the place, and nothing of what stands there. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createWorker, defineHandler } from '@/lib/worker';
import { until } from '@/testing/poll';
import { enqueueAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

it('M3: a worker that cannot read a payload names the place, and quotes nothing', async () => {
  const queue = world.freshQueue();
  const payloads = ['{"password":"hunter2"x}', `{"password":'hunter2'}`, 'note=hunter2', '{"note":hunter2}'];
  await enqueueAll(
    world.broker,
    queue,
    payloads.map((payload, i) => ({ jobId: `j${i}`, jobType: 'demo', payload })),
  );
  const handler = defineHandler({ type: 'demo', schema: z.unknown(), run: () => Promise.resolve(1) });
  const worker = createWorker(world.another(), {
    queues: { [queue]: 1 },
    concurrency: 1,
    handlers: [handler],
    schedules: false,
  });
  worker.start();
  try {
    const dead = await until(
      async () => {
        const { jobs } = await world.broker.inspect.search({ state: 'dead', q: '', queue });
        return jobs.length === payloads.length ? jobs : null;
      },
      { what: 'four dead letters' },
    );
    for (const { jobId } of dead) {
      const { history } = await world.broker.inspect.unmasked(queue, jobId);
      expect(history.at(-1)?.message).toMatch(
        /^The payload is not JSON: it goes wrong at line 1, character \d+\.$/,
      );
      for (const secret of ['hunter2', 'token', 'note'])
        expect(JSON.stringify(history)).not.toContain(secret);
    }
  } finally {
    await worker.stop({ hurry: true });
  }
});
