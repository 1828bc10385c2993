/** Scripts that a server does not know, or does not know any more. */
import { expect, it } from 'vitest';
import { claimAll, ids, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const QUEUES = Array.from({ length: 50 }, (_, i) => `q${i}`);

it('sends the text of a script once to a server that lost it, however many calls are under way', async () => {
  const { broker, redis } = world;
  const claimEach = () => Promise.all(QUEUES.map((queue) => broker.claim(queue, { worker: 'w' })));
  for (const queue of QUEUES) await broker.enqueue(queue, { jobType: 'a', payload: '{}' });
  await claimEach();
  for (const queue of QUEUES) await broker.enqueue(queue, { jobType: 'a', payload: '{}' });
  await redis.script('FLUSH');
  await redis.config('RESETSTAT');
  const claimed = await claimEach();
  expect(claimed.map(({ jobs }) => jobs.length)).toEqual(QUEUES.map(() => 1));
  expect(await redis.info('commandstats')).toMatch(/cmdstat_eval:calls=1,/);
});

it('keeps the order of calls that meet such a server', async () => {
  const { broker, redis } = world;
  for (let round = 0; round < 20; round++) {
    const queue = world.freshQueue();
    const inputs = jobs(600);
    await redis.script('FLUSH');
    const early = inputs.slice(0, 300).map((input) => broker.enqueue(queue, input));
    // The first ones are refused when the others leave.
    await new Promise((resolve) => redis.ping(resolve));
    await Promise.all([...early, ...inputs.slice(300).map((input) => broker.enqueue(queue, input))]);
    expect(ids(await claimAll(broker, queue))).toEqual(ids(inputs as { jobId: string }[]));
  }
});
