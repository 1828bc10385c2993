/** Scripts that a server does not know, or does not know any more. */
import { expect, it } from 'vitest';
import { setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const QUEUES = Array.from({ length: 50 }, (_, i) => `q${i}`);

it('sends the text of a script once to a server that lost it, however many calls are under way', async () => {
  const { broker, redis } = world;
  const claimAll = () => Promise.all(QUEUES.map((queue) => broker.claim(queue, { worker: 'w' })));
  for (const queue of QUEUES) await broker.enqueue(queue, { jobType: 'a', payload: '{}' });
  await claimAll();
  for (const queue of QUEUES) await broker.enqueue(queue, { jobType: 'a', payload: '{}' });
  await redis.script('FLUSH');
  await redis.config('RESETSTAT');
  const claimed = await claimAll();
  expect(claimed.map(({ jobs }) => jobs.length)).toEqual(QUEUES.map(() => 1));
  expect(await redis.info('commandstats')).toMatch(/cmdstat_eval:calls=1,/);
});
