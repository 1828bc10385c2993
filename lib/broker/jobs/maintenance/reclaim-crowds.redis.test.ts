/** Numbers at which other brokers broke: thousands due or lost at once, and many promoters and reclaimers at work. */
import { describe, expect, it } from 'vitest';
import { readRaw, violations } from '@/testing/model/invariants';
import { CRASH, claimAll, enqueueAll, ids, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const findings = async (queue: string) => violations(await readRaw(world.redis, world.keys, queue));
const counts = async (queue: string) => (await world.broker.inspect.snapshot([queue]))[0]?.counts;

describe('B8: reclaim', () => {
  it.each([7_999, 8_000, 20_000])('takes back %i leases that ran out together', async (count) => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(count));
    expect(await claimAll(world.broker, queue)).toHaveLength(count);
    world.clock.now += 15_000;
    const brokers = [world.another(), world.another()];
    const results = await Promise.all(brokers.map((broker) => broker.reclaim(queue, 20_000)));
    expect(results.reduce((sum, result) => sum + result.returned, 0)).toBe(count);
    expect(await counts(queue)).toMatchObject({ ready: count, 'in-flight': 0 });
    expect(await findings(queue)).toEqual([]);
  });

  it('of a dead worker takes all of its thousands and none of another', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(3_000));
    await claimAll(world.broker, queue, { worker: 'dead', most: 2_500 });
    await claimAll(world.broker, queue, { worker: 'alive' });
    const { returned, jobIds } = await world.broker.reclaimWorker(queue, 'dead', CRASH);
    expect([returned, new Set(jobIds).size]).toEqual([2_500, 2_500]);
    expect(await counts(queue)).toMatchObject({ ready: 2_500, 'in-flight': 500 });
    expect(await findings(queue)).toEqual([]);
  });
});

describe('promotion', () => {
  it('B12: of 5,000 jobs due in one millisecond by several promoters makes each ready once', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(5_000, 0, { delayMs: 1_000 }));
    world.clock.now += 1_000;
    const brokers = Array.from({ length: 4 }, () => world.another());
    const claimed = await Promise.all(
      brokers.map(async (broker, i) => {
        const promoted = await broker.maintain(queue);
        return {
          promoted: promoted.promoted,
          taken: ids(await claimAll(broker, queue, { worker: `w${i}` })),
        };
      }),
    );
    const taken = claimed.flatMap((part) => part.taken);
    expect(taken).toHaveLength(5_000);
    expect(new Set(taken).size).toBe(5_000);
    const { claimed: total } = (await world.broker.inspect.snapshot([queue]))[0]?.totals ?? {};
    expect(total).toBe(5_000);
    expect(await findings(queue)).toEqual([]);
  });

  it('B10: of 10,000 due jobs goes by their time, though a backlog is being claimed', async () => {
    const queue = world.freshQueue();
    // Enqueued in another order than they fall due.
    const late = jobs(10_000).map((job, i) => ({ ...job, delayMs: 1 + ((i * 7_919) % 10_000) }));
    await enqueueAll(world.broker, queue, late);
    await enqueueAll(world.broker, queue, jobs(500, 20_000));
    world.clock.now += 10_000;
    const order = ids(await claimAll(world.broker, queue));
    expect(order.slice(0, 500)).toEqual(jobs(500, 20_000).map((job) => job.jobId));
    const byTime = [...late].sort((a, b) => a.delayMs - b.delayMs).map((job) => job.jobId);
    expect(order.slice(500)).toEqual(byTime);
  });

  it('B10: of an idle queue with one late job needs nothing but the tick', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1, 0, { delayMs: 60_000 }));
    expect(await world.broker.maintain(queue)).toMatchObject({
      promoted: 0,
      nextAt: world.clock.now + 60_000,
    });
    world.clock.now += 60_000;
    expect(await world.broker.maintain(queue)).toMatchObject({ promoted: 1, nextAt: null });
    expect(await world.redis.zcard(world.column(queue, 'wake'))).toBe(1);
  });
});
