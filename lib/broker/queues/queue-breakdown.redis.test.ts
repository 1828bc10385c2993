/** Ready and completed jobs by tenant, type and priority; and what the queue takes of Redis's memory. */
import { describe, expect, it } from 'vitest';
import { BY, claimAll, commandsFor, enqueueAll, jobs, START, setUpWorld } from '@/testing/worlds/world';
import { SCRIPTS } from '../lua.generated';
import { COLUMNS } from '../redis/redis-keys';

const world = await setUpWorld();
const { broker, clock } = world;

/** Of `acme` and `globex`, interleaved three to one. */
const mixed = (count: number, from = 0) =>
  jobs(count, from).map((job, i) => ({ ...job, tenantId: i % 4 === 3 ? 'globex' : 'acme' }));

describe('the breakdown of a queue', () => {
  it('is exact while all ready jobs can be read, with ages, priorities, rates and run times', async () => {
    const queue = world.freshQueue();
    clock.now = START;
    await enqueueAll(broker, queue, jobs(10, 0, { tenantId: 'acme', jobType: 'mail' }));
    const claimed = await claimAll(broker, queue);
    clock.now += 200;
    await broker.ack(queue, claimed);
    await enqueueAll(broker, queue, jobs(3, 100, { tenantId: 'acme', jobType: 'mail', priority: 5 }));
    clock.now += 4_800;
    await enqueueAll(broker, queue, jobs(1, 200, { tenantId: 'globex', jobType: 'bill', priority: -5 }));
    clock.now += 5_000;
    const { tenants, types, ...rest } = await broker.inspect.breakdown(queue);
    expect(rest).toEqual({
      at: clock.now,
      ready: { total: 4, read: 4, exact: true },
      held: { total: 0, byTenant: 0, byType: 0 },
      completed: { read: 10, windowMs: 9_800 },
      more: { tenants: 0, types: 0 },
      priorities: [
        { priority: 5, ready: 3 },
        { priority: -5, ready: 1 },
      ],
      unavailable: [],
    });
    expect(tenants).toEqual([
      {
        name: 'acme',
        ready: 3,
        held: 0,
        readyShare: 0.75,
        oldestReadyAgeMs: 9_800,
        completedPerSecond: expect.closeTo(10 / 9.8, 5),
        runTimeP95Ms: 200,
      },
      {
        name: 'globex',
        ready: 1,
        held: 0,
        readyShare: 0.25,
        oldestReadyAgeMs: 5_000,
        completedPerSecond: null,
        runTimeP95Ms: null,
      },
    ]);
    expect(types.map(({ name, ready }) => [name, ready])).toEqual([
      ['mail', 3],
      ['bill', 1],
    ]);
  });

  it('has a paused tenant of which all jobs are held', async () => {
    const queue = world.freshQueue();
    await enqueueAll(broker, queue, jobs(3, 0, { tenantId: 'acme', jobType: 'mail' }));
    await broker.pause(queue, { scope: 'tenant:globex', reason: 'why' }, BY);
    await enqueueAll(broker, queue, jobs(7, 100, { tenantId: 'globex', jobType: 'bill' }));
    // A claim puts aside what it must not take.
    await claimAll(broker, queue);
    const { tenants, types } = await broker.inspect.breakdown(queue);
    expect(tenants.map(({ name, held }) => [name, held])).toEqual([['globex', 7]]);
    expect(types.map(({ name, held }) => [name, held])).toEqual([]);
  });

  it('B7: held jobs add up: each counts for what holds it', async () => {
    const queue = world.freshQueue();
    await broker.config.change(
      queue,
      { tenantLimits: { initech: { concurrency: 1 } } },
      { ...BY, reason: 'why' },
    );
    await broker.pause(queue, { scope: 'tenant:acme', reason: 'why' }, BY);
    await broker.pause(queue, { scope: 'type:mail', reason: 'why' }, BY);
    await enqueueAll(broker, queue, jobs(5, 0, { tenantId: 'acme', jobType: 'bill' }));
    await enqueueAll(broker, queue, jobs(7, 100, { tenantId: 'globex', jobType: 'mail' }));
    await enqueueAll(broker, queue, jobs(4, 200, { tenantId: 'initech', jobType: 'bill' }));
    await claimAll(broker, queue);
    const { held, tenants, types } = await broker.inspect.breakdown(queue);
    const sum = (shares: typeof tenants) => shares.reduce((all, share) => all + share.held, 0);
    expect(held).toEqual({ total: 15, byTenant: 8, byType: 7 });
    expect([sum(tenants) + held.byType, sum(types) + held.byTenant]).toEqual([15, 15]);
    expect(tenants.find(({ name }) => name === 'initech')?.held).toBe(3);
    const [reading] = await broker.inspect.snapshot([queue]);
    expect(reading?.counts.held).toBe(held.total);
  });

  it('B7: what ended over a minute ago is no rate of now', async () => {
    const queue = world.freshQueue();
    clock.now = START;
    await enqueueAll(broker, queue, jobs(10));
    await broker.ack(queue, await claimAll(broker, queue));
    clock.now += 120_000;
    const { completed, tenants } = await broker.inspect.breakdown(queue);
    expect(completed).toEqual({ read: 0, windowMs: 60_000 });
    expect(tenants[0]?.completedPerSecond).toBe(0);
  });

  it('estimates from a sample of a long backlog, which costs no more than a shorter one', async () => {
    const [short, long] = [world.freshQueue(), world.freshQueue()];
    await enqueueAll(broker, short, mixed(1_000));
    await enqueueAll(broker, long, mixed(4_000));
    const { ready, tenants, priorities } = await broker.inspect.breakdown(long);
    expect(ready).toMatchObject({ total: 4_000, exact: false });
    // Random calls hit some jobs twice.
    expect(ready.read).toBeGreaterThan(300);
    expect(ready.read).toBeLessThanOrEqual(500);
    expect(priorities).toEqual([{ priority: 0, ready: 4_000 }]);
    const [acme, globex] = tenants;
    expect((acme?.ready ?? 0) + (globex?.ready ?? 0)).toBe(4_000);
    // Eight standard deviations of the sample.
    expect(acme?.readyShare).toBeGreaterThan(0.55);
    expect(acme?.readyShare).toBeLessThan(0.95);
    const cost = (queue: string) => commandsFor(world.redis, () => broker.inspect.breakdown(queue));
    expect(await cost(long)).toBe(await cost(short));
  });

  it('adds up the shards', async () => {
    const queue = world.freshQueue();
    await broker.sharding.set(queue, { count: 4, by: 'id' }, BY);
    await enqueueAll(broker, queue, mixed(80));
    const { ready, tenants, priorities } = await broker.inspect.breakdown(queue);
    expect(ready).toEqual({ total: 80, read: 80, exact: true });
    expect(tenants.map(({ name, ready }) => [name, ready])).toEqual([
      ['acme', 60],
      ['globex', 20],
    ]);
    expect(priorities).toEqual([{ priority: 0, ready: 80 }]);
  });

  it('is empty for a queue without jobs, and lists an unreadable row as unknown', async () => {
    const queue = world.freshQueue();
    expect(await broker.inspect.breakdown(queue)).toMatchObject({
      ready: { total: 0, read: 0, exact: true },
      completed: null,
      tenants: [],
      priorities: [],
    });
    await world.redis.zadd(world.column(queue, 'ready'), 1_000 * 2 ** 41, 'stray');
    const { tenants } = await broker.inspect.breakdown(queue);
    expect(tenants).toMatchObject([{ name: 'unknown', ready: 1, oldestReadyAgeMs: null }]);
  });
});

describe('the memory of a queue', () => {
  it('counts every key there is', async () => {
    expect(new Set<string>(SCRIPTS['queue-memory'].keys)).toEqual(new Set(Object.keys(COLUMNS)));
    const queue = world.freshQueue();
    await enqueueAll(broker, queue, jobs(50, 0, { payload: 'x'.repeat(1_000) }));
    const { bytes, keys } = await broker.inspect.queueMemory(queue);
    expect(keys[0]?.name).toBe('jobs');
    expect(keys[0]?.bytes).toBeGreaterThan(50_000);
    expect(bytes).toBe(keys.reduce((sum, key) => sum + key.bytes, 0));
    const live = await world.redis.keys(`rd:{${queue}}:*`);
    expect(keys).toHaveLength(live.length);
  });
});
