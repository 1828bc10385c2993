/** Many jobs at once: in one call, and in one tick. */
import { describe, expect, it } from 'vitest';
import { claimAll, ids, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const ready = (queue: string) => world.redis.zcard(world.column(queue, 'ready'));

describe('jobs added in one tick', () => {
  it('stand in line in the order they were added, in however many scripts they went', async () => {
    const queue = world.freshQueue();
    const inputs = jobs(500);
    await Promise.all(inputs.map((input) => world.broker.enqueue(queue, input)));
    expect(ids(await claimAll(world.broker, queue))).toEqual(inputs.map(({ jobId }) => jobId));
  });

  it('have the bytes they were called with, whatever their caller writes there next', async () => {
    const queue = world.freshQueue();
    const bytes = Buffer.from('first');
    const first = world.broker.enqueue(queue, { jobType: 'demo', payload: bytes });
    bytes.write('later');
    const later = world.broker.enqueueMany(queue, [{ jobType: 'demo', payload: bytes }]);
    bytes.write('never');
    await Promise.all([first, later]);
    const payloads = (await claimAll(world.broker, queue)).map(({ payload }) => payload.toString());
    expect(payloads.sort()).toEqual(['first', 'later']);
  });
});

describe('a batch that Redis takes in part', () => {
  it('says how many are in, and is whole when it is sent again', async () => {
    const queue = world.freshQueue();
    const inputs = jobs(1_000).map((job) => ({ ...job, payload: 'x'.repeat(4_000) }));
    const used = Number(/used_memory:(\d+)/.exec(await world.redis.info('memory'))?.[1]);
    await world.redis.config('SET', 'maxmemory', used + 2_000_000);
    const refusal = await world.broker.enqueueMany(queue, inputs).catch((error: unknown) => error);
    await world.redis.config('SET', 'maxmemory', 0);
    const inside = await ready(queue);
    expect(inside).toBeGreaterThan(0);
    expect(inside).toBeLessThan(1_000);
    expect(refusal).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      message: expect.stringContaining(`${inside} of 1000 jobs are enqueued; then: `),
    });
    const outcomes = (await world.broker.enqueueMany(queue, inputs)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(inside);
    expect(outcomes.filter((outcome) => outcome === 'ready')).toHaveLength(1_000 - inside);
    expect(await ready(queue)).toBe(1_000);
  });
});
