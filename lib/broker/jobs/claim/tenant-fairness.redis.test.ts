/** `fair: tenant`: start-time fair queuing. Nobody waits for another tenant's line, only for one round of all. */
import { describe, expect, it } from 'vitest';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import { BY, claimAll, claimOne, enqueueAll, ids, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const of = (tenantId: string, count: number, rest: Partial<EnqueueInput> = {}) =>
  jobs(count, 0, { tenantId, ...rest }).map((job) => ({ ...job, jobId: `${tenantId}-${job.jobId}` }));
const fairQueue = async () => {
  const queue = world.freshQueue();
  await world.broker.config.change(queue, { fair: 'tenant' }, BY);
  return queue;
};
const next = async (queue: string) => (await claimOne(world.broker, queue)).jobId;
const tenantOf = (id: string) => id.split('-', 1)[0] ?? '';

describe('fair: tenant', () => {
  it('a single job does not wait behind the 100,000 of another tenant', { timeout: 60_000 }, async () => {
    for (const fair of ['tenant', 'none'] as const) {
      const queue = world.freshQueue();
      await world.broker.config.change(queue, { fair }, BY);
      await enqueueAll(world.broker, queue, of('noisy', 100_000));
      for (let i = 0; i < 10; i++) await next(queue);
      await enqueueAll(world.broker, queue, of('quiet', 1));
      const order = ids((await world.broker.claim(queue, { worker: 'w1', count: 5 })).jobs).map(tenantOf);
      // At most one job of every other tenant goes first. Without fairness it would be the 99,991st.
      if (fair === 'tenant') expect(order.indexOf('quiet')).toBeLessThanOrEqual(1);
      else expect(order).not.toContain('quiet');
    }
  });

  it('serves tenants in rounds, each in its own order', async () => {
    const queue = await fairQueue();
    await enqueueAll(world.broker, queue, [...of('a', 40), ...of('b', 20), ...of('c', 10)]);
    const order = ids(await claimAll(world.broker, queue));
    const rounds = Array.from({ length: 10 }, (_, i) =>
      order
        .slice(3 * i, 3 * i + 3)
        .map(tenantOf)
        .sort(),
    );
    expect(rounds).toEqual(Array.from({ length: 10 }, () => ['a', 'b', 'c']));
    expect(
      order
        .slice(30, 50)
        .map(tenantOf)
        .filter((t) => t === 'b'),
    ).toHaveLength(10);
    for (const tenant of ['a', 'b', 'c']) {
      const own = order.filter((id) => tenantOf(id) === tenant);
      expect(own).toEqual([...own].sort());
    }
  });

  it('bound: a tenant that joins is served within one round of those that wait, at any moment', async () => {
    const queue = await fairQueue();
    const crowd = ['t1', 't2', 't3', 't4', 't5'];
    for (const tenant of crowd) await enqueueAll(world.broker, queue, of(tenant, 200));
    for (let joined = 0; joined < 12; joined++) {
      for (let i = 0; i < joined * 3; i++) await next(queue);
      const tenant = `new${joined}`;
      await enqueueAll(world.broker, queue, of(tenant, 1));
      let waited = 0;
      while (tenantOf(await next(queue)) !== tenant) waited += 1;
      expect(waited).toBeLessThanOrEqual(crowd.length);
    }
  });

  it('saves nobody up for later: an idle tenant gets no more than its share when it comes back', async () => {
    const queue = await fairQueue();
    await enqueueAll(world.broker, queue, of('busy', 300));
    for (let i = 0; i < 200; i++) await next(queue);
    await enqueueAll(world.broker, queue, of('late', 50));
    const order: string[] = [];
    for (let i = 0; i < 40; i++) order.push(tenantOf(await next(queue)));
    expect(Math.abs(order.filter((t) => t === 'late').length - 20)).toBeLessThanOrEqual(1);
  });

  it('keeps priorities above fairness, and fairness within each', async () => {
    const queue = await fairQueue();
    await enqueueAll(world.broker, queue, of('a', 30));
    await enqueueAll(world.broker, queue, of('high', 5, { priority: 10 }));
    await enqueueAll(world.broker, queue, of('b', 1));
    const order = ids(await claimAll(world.broker, queue)).map(tenantOf);
    expect(order.slice(0, 5)).toEqual(['high', 'high', 'high', 'high', 'high']);
    expect(order.slice(5, 7).sort()).toEqual(['a', 'b']);
  });

  it('a tenant’s own order survives switching it on and off with a line standing', async () => {
    const queue = world.freshQueue();
    const a = of('a', 90);
    await enqueueAll(world.broker, queue, a.slice(0, 30));
    await world.broker.config.change(queue, { fair: 'tenant' }, BY);
    await enqueueAll(world.broker, queue, a.slice(30, 60));
    for (let i = 0; i < 10; i++) await next(queue);
    await world.broker.config.change(queue, { fair: 'none' }, BY);
    await enqueueAll(world.broker, queue, a.slice(60, 90));
    await world.broker.config.change(queue, { fair: 'tenant' }, BY);
    const order = ids(await claimAll(world.broker, queue));
    expect(order).toEqual(ids(a.slice(10) as { jobId: string }[]));
  });

  it('the first fair job does not share the place of the last one before it, whatever their ids', async () => {
    const queue = world.freshQueue();
    await world.broker.enqueue(queue, { jobId: 'j99', jobType: 'demo', tenantId: 'a' });
    await world.broker.config.change(queue, { fair: 'tenant' }, BY);
    await world.broker.enqueue(queue, { jobId: 'j100', jobType: 'demo', tenantId: 'a' });
    await world.broker.config.change(queue, { fair: 'none' }, BY);
    await world.broker.enqueue(queue, { jobId: 'j000', jobType: 'demo', tenantId: 'a' });
    expect(ids(await claimAll(world.broker, queue))).toEqual(['j99', 'j100', 'j000']);
  });

  it('returned, retried and re-driven jobs take no other tenant’s turn', async () => {
    const queue = await fairQueue();
    await enqueueAll(world.broker, queue, [...of('a', 50), ...of('b', 50)]);
    const first = await claimOne(world.broker, queue);
    await world.broker.release(queue, [first]);
    expect(await next(queue), 'released: back in its old place').toBe(first.jobId);
    const failed = await claimOne(world.broker, queue);
    await world.broker.fail(queue, [
      { ...failed, failure: { errorClass: 'retryable', errorCode: 'X', message: 'x', retryInMs: 10 } },
    ]);
    world.clock.now += 10;
    const order: string[] = [];
    for (let i = 0; i < 30; i++) order.push(tenantOf(await next(queue)));
    expect(Math.abs(order.filter((t) => t === 'a').length - 15)).toBeLessThanOrEqual(1);
  });

  it('forgets tenants that wait for nothing', async () => {
    const queue = await fairQueue();
    for (let i = 0; i < 300; i++) await world.broker.enqueue(queue, { jobType: 'demo', tenantId: `t${i}` });
    await claimAll(world.broker, queue);
    await enqueueAll(world.broker, queue, of('x', 20));
    await claimAll(world.broker, queue);
    expect(await world.redis.zcard(world.column(queue, 'fair'))).toBeLessThan(300);
    for (let i = 0; i < 10; i++) {
      await enqueueAll(world.broker, queue, of(`y${i}`, 3));
      await claimAll(world.broker, queue);
    }
    expect(await world.redis.zcard(world.column(queue, 'fair'))).toBeLessThanOrEqual(3);
  });
});
