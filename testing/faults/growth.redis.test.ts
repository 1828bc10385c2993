/**
 * What grows when somebody names more and more tenants or keys, each only once: nothing that maintenance does not
 * bring down again, and nothing without a bound.
 */
import { describe, expect, it } from 'vitest';
import type { Column } from '@/lib/broker/redis/redis-keys';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import { readRaw, violations } from '@/testing/model/invariants';
import { BY, claimAll, enqueueAll, ids, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

/** Every job of another tenant, another type and with another uniqueness key. */
const strangers = (count: number, rest: (i: number) => Partial<EnqueueInput> = () => ({})): EnqueueInput[] =>
  Array.from({ length: count }, (_, i) => ({
    jobId: `j${String(i).padStart(6, '0')}`,
    jobType: `type-${i}`,
    tenantId: `tenant-${i}`,
    ...rest(i),
  }));
const sizes = async (queue: string, ...columns: Column[]) => {
  const raw = await readRaw(world.redis, world.keys, queue);
  return columns.map((column) => raw.hash(column).size);
};
const finish = async (queue: string): Promise<string[]> => {
  const taken = await claimAll(world.broker, queue);
  for (let i = 0; i < taken.length; i += 500) await world.broker.ack(queue, taken.slice(i, i + 500));
  return ids(taken);
};

describe('a crowd of tenants', () => {
  it('leaves no slots and no buckets behind once their buckets are full again', async () => {
    const queue = world.freshQueue();
    const limits = { concurrency: 1, rate: { perSecond: 10, burst: 5 } };
    await world.broker.config.change(queue, { tenantLimit: limits }, BY);
    await enqueueAll(world.broker, queue, strangers(3_000));
    expect(await finish(queue)).toHaveLength(3_000);
    expect(await sizes(queue, 'running', 'throttled')).toEqual([0, 0]);
    world.clock.now += 501;
    await world.broker.maintain(queue);
    await world.broker.maintain(queue);
    await world.broker.maintain(queue);
    const [left = 0] = await sizes(queue, 'limits');
    expect(left).toBeLessThanOrEqual(101);
  });

  it('is remembered by fairness for 10,000 of them, and each tenant keeps its order', async () => {
    const queue = world.freshQueue();
    await world.broker.config.change(queue, { fair: 'tenant' }, BY);
    // One job each: none of them moves the virtual time on.
    await enqueueAll(world.broker, queue, strangers(12_500));
    const twice = strangers(2, (i) => ({ jobId: `second-${i}` }));
    await enqueueAll(world.broker, queue, twice);
    await world.broker.claim(queue, { worker: 'w1', count: 1 });
    expect(await sizes(queue, 'fair')).toEqual([12_500]);
    await world.broker.maintain(queue);
    await world.broker.maintain(queue);
    const [remembered = 0] = await sizes(queue, 'fair');
    expect(remembered).toBeLessThanOrEqual(10_000);
    // Who comes now stands behind those who were there, and nobody's second job comes before the first.
    await enqueueAll(world.broker, queue, [{ jobId: 'late', jobType: 'demo', tenantId: 'newcomer' }]);
    const order = await finish(queue);
    for (const i of [0, 1]) expect(order.indexOf(`second-${i}`)).toBeGreaterThan(order.indexOf(`j00000${i}`));
    expect(order.indexOf('late')).toBeGreaterThanOrEqual(12_499);
    expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
    await world.broker.config.change(queue, { fair: 'none' }, BY);
    for (let i = 0; i < 6; i++) await world.broker.maintain(queue);
    expect(await sizes(queue, 'fair')).toEqual([0]);
  });
});

it('is swept past what somebody else wrote there', async () => {
  const queue = world.freshQueue();
  const limits = { fair: 'tenant', tenantLimit: { rate: { perSecond: 10, burst: 5 } } } as const;
  await world.broker.config.change(queue, limits, BY);
  await enqueueAll(world.broker, queue, strangers(200));
  await finish(queue);
  await world.redis.del(world.column(queue, 'fair'));
  await world.redis.zadd(world.column(queue, 'fair'), 1, 'not ours');
  await world.redis.hset(world.column(queue, 'limits'), 'rate:planted', 'full of nonsense');
  world.clock.now += 60_000;
  await world.broker.maintain(queue);
  await world.broker.maintain(queue);
  expect(await sizes(queue, 'fair')).toEqual([0]);
  expect(await world.redis.hexists(world.column(queue, 'limits'), 'rate:planted')).toBe(0);
});

describe('a crowd of uniqueness keys', () => {
  it('is gone with one turn of maintenance once they ran out, by the thousand', async () => {
    const queue = world.freshQueue();
    const unique = (i: number) => ({ unique: { key: `k${i}`, scope: 'window' as const, ttlMs: 1_000 } });
    await enqueueAll(world.broker, queue, strangers(1_900, unique));
    await finish(queue);
    expect(await sizes(queue, 'unique', 'uniqueUntil')).toEqual([1_900, 1_900]);
    world.clock.now += 1_001;
    await world.broker.maintain(queue);
    expect(await sizes(queue, 'unique', 'uniqueUntil')).toEqual([0, 0]);
  });
});

describe('a crowd of idempotency keys', () => {
  it('is forgotten soon after its jobs are gone, and kept for those that stay', async () => {
    const queue = world.freshQueue();
    await world.broker.config.change(queue, { completedKeep: 0 }, BY);
    await enqueueAll(
      world.broker,
      queue,
      strangers(1_900, (i) => ({ idempotencyKey: `k${i}` })),
    );
    expect(await finish(queue)).toHaveLength(1_900);
    const stays = { jobType: 'demo', idempotencyKey: 'stays', delayMs: 86_400_000 };
    const { jobId } = await world.broker.enqueue(queue, stays);
    expect(await sizes(queue, 'idempotency', 'idempotencyDue')).toEqual([1_901, 1_901]);
    world.clock.now += 60_001;
    await world.broker.maintain(queue);
    expect(await sizes(queue, 'idempotency', 'idempotencyDue')).toEqual([1, 1]);
    world.clock.now += 900_001;
    await world.broker.maintain(queue);
    const found = await world.broker.inspect.find('stays', { within: [{ queue, tenants: null }] });
    expect(found.jobs).toMatchObject([{ jobId, by: 'key' }]);
    expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
  });
});

describe('L7: counts by minute, when the clock of Redis was ahead', () => {
  const MINUTE = 60_000;
  const outside = async (queue: string) => {
    const minute = Math.floor(world.clock.now / MINUTE);
    const fields = await world.redis.hkeys(world.column(queue, 'minutes'));
    return fields.filter((field) => Math.abs(Number(field.split(':')[0]) - minute) > 182);
  };
  const work = async (queue: string, minutes: number, every: number) => {
    for (let past = 0; past < minutes; past += every) {
      world.clock.now += every * MINUTE;
      await world.broker.enqueue(queue, { jobType: 'demo' });
      await world.broker.maintain(queue);
    }
  };

  it('L7: nothing older than three hours stays after a day ahead and back', async () => {
    const queue = world.freshQueue();
    await work(queue, 2, 2);
    world.clock.now += 1_440 * MINUTE;
    for (let i = 0; i < 60; i++) await world.broker.maintain(queue);
    world.clock.now -= 1_440 * MINUTE;
    await work(queue, 1_440, 2);
    await work(queue, 720, 4);
    expect(await outside(queue)).toEqual([]);
  });

  it('L7: what was left behind before, and what was counted a day ahead, goes by steps', async () => {
    const queue = world.freshQueue();
    await work(queue, 2, 2);
    const minute = Math.floor(world.clock.now / MINUTE);
    const strays = Array.from({ length: 3_000 }, (_, i) => `${minute + (i % 2 ? 500 : -500) + i}:enqueued`);
    const far = strays.filter((field) => Math.abs(Number(field.split(':')[0]) - minute) > 400);
    await world.redis.hset(
      world.column(queue, 'minutes'),
      Object.fromEntries(far.map((field) => [field, 1])),
    );
    await world.redis.hset(
      world.column(queue, 'limits'),
      Object.fromEntries(
        strays.slice(0, 150).map((_, i) => [`rate:t${i}`, `1 ${world.clock.now + 1_440 * MINUTE}`]),
      ),
    );
    await world.broker.config.change(queue, { tenantLimit: { rate: { perSecond: 10, burst: 5 } } }, BY);
    await work(queue, 90, 1);
    expect(await outside(queue)).toEqual([]);
    // Buckets of tenants count from such a time, too: they are forgotten like full ones.
    expect((await sizes(queue, 'limits'))[0]).toBeLessThanOrEqual(101);
  });
});
