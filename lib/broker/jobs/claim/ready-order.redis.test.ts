import { describe, expect, it } from 'vitest';
import { PRIORITY_MAX, PRIORITY_MIN } from '@/lib/contract/jobs/job-limits';
import { claimAll, claimOne, enqueueAll, ids, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

describe('the line', () => {
  it('is first in, first out for 1,000 jobs of one priority, whatever their ids', async () => {
    const queue = world.freshQueue();
    // 2, 9, 10 and 100 sort as text in another order than they came in.
    const inputs = jobs(1_000).map((job, i) => ({ ...job, jobId: `${(i * 7919) % 1_000}` }));
    await enqueueAll(world.broker, queue, inputs);
    expect(ids(await claimAll(world.broker, queue))).toEqual(inputs.map((job) => job.jobId));
  });

  it('goes by priority over the whole range, and by arrival within each', async () => {
    const queue = world.freshQueue();
    const inputs = jobs(4_002).map((job, i) => ({
      ...job,
      priority: PRIORITY_MIN + ((i * 733) % (PRIORITY_MAX - PRIORITY_MIN + 1)),
    }));
    await enqueueAll(world.broker, queue, inputs);
    const expected = inputs
      .map((job, i) => ({ ...job, i }))
      .sort((a, b) => b.priority - a.priority || a.i - b.i)
      .map((job) => job.jobId);
    expect(ids(await claimAll(world.broker, queue))).toEqual(expected);
  });

  it('has the old place for what is released or reclaimed, and the end for what is retried', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(4));
    const [first, second, third] = await claimAll(world.broker, queue, { most: 3, leaseMs: 1_000 });
    if (!first || !second || !third) throw new Error('three jobs were there');
    await world.broker.release(queue, [second]);
    await world.broker.fail(queue, [
      { ...first, failure: { errorClass: 'retryable', errorCode: 'X', message: '', retryInMs: 0 } },
    ]);
    world.clock.now += 1_001;
    await world.broker.reclaim(queue);
    const order = ids(await claimAll(world.broker, queue));
    expect(order).toEqual(['j000001', 'j000002', 'j000003', 'j000000']);
  });

  it('gives a released job its attempt back, and counts the delivery', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1));
    for (let delivery = 1; delivery <= 30; delivery++) {
      const job = await claimOne(world.broker, queue);
      expect([job.attempt, job.delivery]).toEqual([1, delivery]);
      expect(await world.broker.release(queue, [job])).toEqual(['released']);
    }
    expect((await world.broker.inspect.job(queue, 'j000000')).history.length).toBeLessThanOrEqual(20);
  });
});
