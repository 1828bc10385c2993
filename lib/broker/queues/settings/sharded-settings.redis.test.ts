/** Settings of a sharded queue hold for the queue: its shards together keep to the limits, and agree on the rest. */
import { describe, expect, it } from 'vitest';
import { shardedQueue } from '@/testing/worlds/sharded-queues';
import { BY, claimAll, enqueueAll, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const fields = (names: readonly string[], field: string) =>
  Promise.all(names.map((name) => world.redis.hget(world.column(name, 'config'), field)));

describe('a limit', () => {
  it('on what runs at once is kept by all shards together', async () => {
    const { queue, sound } = await shardedQueue(world);
    await world.broker.config.change(queue, { concurrency: 7 }, BY);
    await enqueueAll(world.broker, queue, jobs(90));
    const held = await claimAll(world.broker, queue);
    expect(held).toHaveLength(7);
    await world.broker.ack(queue, held.slice(0, 4));
    expect(await claimAll(world.broker, queue)).toHaveLength(4);
    await world.broker.config.change(queue, { concurrency: null }, BY);
    expect(await claimAll(world.broker, queue)).toHaveLength(79);
    await sound();
  });

  it('on how fast is kept by all shards together', async () => {
    const { queue } = await shardedQueue(world);
    await world.broker.config.change(queue, { rate: { perSecond: 30, burst: 6 } }, BY);
    await enqueueAll(world.broker, queue, jobs(200));
    expect(await claimAll(world.broker, queue)).toHaveLength(6);
    world.clock.now += 200;
    expect(await claimAll(world.broker, queue)).toHaveLength(6);
    const { jobs: none, nextAt } = await world.broker.claim(queue, { worker: 'w', count: 10 });
    expect(none).toEqual([]);
    expect(nextAt).toBeGreaterThan(world.clock.now);
    expect(nextAt).toBeLessThanOrEqual(world.clock.now + 100);
  });

  it('on how many wait is shown whole, and kept', async () => {
    const { queue } = await shardedQueue(world);
    await world.broker.config.change(queue, { depthLimit: 31 }, BY);
    const outcomes = (await world.broker.enqueueMany(queue, jobs(300))).map((one) => one.outcome);
    expect(outcomes.filter((one) => one === 'ready')).toHaveLength(31);
    expect(outcomes.filter((one) => one === 'queue-full')).toHaveLength(269);
    const [reading] = await world.broker.inspect.snapshot([queue]);
    expect(reading?.depth).toEqual({ jobs: 31, limit: 31 });
    await expect(world.broker.enqueue(queue, { jobType: 'demo' })).rejects.toMatchObject({
      code: 'QUEUE_FULL',
    });
  });

  it('on a tenant holds where the queue is sharded by tenant, and is refused where it is not', async () => {
    const tenantLimit = { rate: null, concurrency: 2 };
    const { queue: byId } = await shardedQueue(world);
    await expect(world.broker.config.change(byId, { tenantLimit }, BY)).rejects.toMatchObject({
      code: 'VALIDATION',
      fields: [{ field: 'tenantLimit' }],
    });
    const { queue } = await shardedQueue(world, { by: 'tenant' });
    await world.broker.config.change(queue, { tenantLimit }, BY);
    for (const tenantId of ['a', 'b', 'c', 'd', 'e'])
      await enqueueAll(
        world.broker,
        queue,
        jobs(10).map((job) => ({ ...job, jobId: `${tenantId}${job.jobId}`, tenantId })),
      );
    const held = await claimAll(world.broker, queue);
    const perTenant = new Map<string, number>();
    for (const { envelope } of held)
      perTenant.set(envelope.tenantId, (perTenant.get(envelope.tenantId) ?? 0) + 1);
    expect([...perTenant.values()]).toEqual([2, 2, 2, 2, 2]);
    expect((await world.broker.inspect.snapshot([queue]))[0]?.throttledTenants).toBe(5);
    await expect(world.broker.sharding.set(queue, { count: 3, by: 'id' }, BY)).rejects.toMatchObject({
      code: 'VALIDATION',
      fields: [{ field: 'tenantLimit' }],
    });
  });
});

describe('settings', () => {
  it('are one set with one revision, whole as they were asked for', async () => {
    const { queue, layout } = await shardedQueue(world, { count: 4 });
    const start = await world.broker.config.get(queue);
    const patch = { concurrency: 10, rate: { perSecond: 1.5, burst: 9 }, completedKeep: 5, maxDeliveries: 3 };
    const after = await world.broker.config.change(queue, { ...patch, ifRevision: start.revision }, BY);
    expect(after).toMatchObject({
      config: patch,
      revision: start.revision + 1,
      shards: { count: 4, by: 'id' },
    });
    expect(await world.another().config.get(queue)).toEqual(after);
    expect(await fields(layout.names, 'concurrency')).toEqual(['3', '3', '2', '2']);
    expect(await fields(layout.names, 'completedKeep')).toEqual(['2', '1', '1', '1']);
    expect(await fields(layout.names, 'maxDeliveries')).toEqual(['3', '3', '3', '3']);
    await expect(
      world.broker.config.change(queue, { concurrency: 5, ifRevision: start.revision }, BY),
    ).rejects.toMatchObject({ code: 'CONFIG_CHANGED' });
    await expect(world.broker.config.change(queue, { concurrency: 3 }, BY)).rejects.toMatchObject({
      code: 'VALIDATION',
      fields: [{ field: 'concurrency' }],
    });
    expect(await world.broker.config.get(queue)).toEqual(after);
    const [change] = await world.broker.inspect.changes(queue, 1);
    expect(change).toMatchObject({ what: 'config', actor: BY.actor, reason: BY.reason });
    expect(JSON.parse(change?.after ?? '')).toEqual(patch);
    await world.broker.config.change(queue, { concurrency: null, rate: null }, BY);
    expect(await fields(layout.names, 'concurrency')).toEqual([null, null, null, null]);
    expect((await world.broker.config.get(queue)).config).toMatchObject({
      concurrency: null,
      completedKeep: 5,
    });
  });

  it('end up the same in every shard when many people change them at once', async () => {
    const { queue, layout } = await shardedQueue(world, { count: 3 });
    await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        world.another().config.change(queue, { concurrency: 30 + i, maxDeliveries: 10 + i }, BY),
      ),
    );
    const { config } = await world.broker.config.get(queue);
    expect(config.concurrency).toBe(20 + config.maxDeliveries);
    const parts = (await fields(layout.names, 'concurrency')).map(Number);
    expect(parts.reduce((sum, one) => sum + one, 0)).toBe(config.concurrency);
    expect(new Set(await fields(layout.names, 'maxDeliveries'))).toEqual(
      new Set([String(config.maxDeliveries)]),
    );
    expect(new Set(await fields(layout.names, 'whole')).size).toBe(1);
  });
});
