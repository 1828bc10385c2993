import { expect, test } from 'vitest';
import { claimAll, enqueueAll, failure, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const { inspect } = world.broker;

test('D9: failed runs are counted by job type until the ten minutes are in the history', async () => {
  const queue = world.freshQueue();
  expect(await inspect.typeRuns(queue)).toEqual([]);
  await enqueueAll(world.broker, queue, [
    ...jobs(3, 0, { jobType: 'webhook.deliver' }),
    ...jobs(2, 10, { jobType: 'email.send' }),
  ]);
  for (let i = 0; i < 5; i++) {
    const [job] = await claimAll(world.broker, queue, { most: 1 });
    if (!job) throw new Error('no job was claimed');
    const { jobId, token } = job;
    if (job.jobType === 'email.send' && i < 4) await world.broker.ack(queue, [{ jobId, token }]);
    else await world.broker.fail(queue, [{ jobId, token, failure: failure() }]);
  }
  const runs = (await inspect.typeRuns(queue)).toSorted((a, b) => b.failed - a.failed);
  expect(runs).toEqual([
    { jobType: 'webhook.deliver', failed: 3, claimed: 3 },
    { jobType: 'email.send', failed: 1, claimed: 2 },
  ]);
  world.clock.now += 11 * 60_000;
  await world.broker.maintain(queue);
  await world.broker.maintain(queue);
  expect(await inspect.typeRuns(queue)).toEqual([]);
});
