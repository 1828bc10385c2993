/** Shares of queues: taken before the queue is there, given back when it is gone. */
import { expect, it } from 'vitest';
import { QUOTAS } from '@/lib/contract/access/quotas';
import { setUpWorld } from '@/testing/worlds/world';
import { createContext } from '../redis/broker-context';
import { takeQueueQuota, takeShardQuota } from './queue-quotas';

const world = await setUpWorld();

const quotaOwner = { id: 'local:lou', name: 'lou', tenants: [], isAdmin: false, seesAll: false };
const by = { actor: 'lou', quotaOwner };

it('M6: a queue that is gone gives its share back before anybody is refused', async () => {
  const ctx = createContext({ redis: world.redis, clock: () => world.clock.now });
  const take = (n: number) => takeQueueQuota(ctx, `lou-${n}`, by);
  const shares = world.keys.global('queuesShares');
  await take(0);
  await take(1);
  await world.redis.zadd(world.keys.global('queues'), world.clock.now, 'lou-1');
  await world.redis.hset(shares, 'queues user local:lou', QUOTAS.queues.perUser);
  // It may be one that is being made just now.
  await expect(take(2)).rejects.toMatchObject({ code: 'LIMIT_REACHED', fields: [{ field: 'queue' }] });
  world.clock.now += 61_000;
  await take(2);
  await expect(take(3)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  const left = await world.redis.hmget(shares, 'queues of lou-0', 'queues of lou-1', 'queues of lou-2');
  expect(left).toEqual([null, expect.any(String), expect.any(String)]);
});

it('M6: of many taken at once not one is too many, and a call of the library takes none', async () => {
  const shares = world.keys.global('queuesShares');
  await world.redis.del(shares);
  await world.redis.hset(shares, 'shardings user local:lou', QUOTAS.shardings.perUser - 10);
  const ctx = createContext({ redis: world.redis, clock: () => world.clock.now });
  const all = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => takeShardQuota(ctx, `some-${n}`, 2, by)),
  );
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  await takeShardQuota(ctx, 'own', 2, { actor: 'a program' });
  expect(await world.redis.hexists(shares, 'shardings of own')).toBe(0);
});

it('M6: a queue counts with all its shards, more of them count more, and a change that fails counts nothing', async () => {
  const shares = world.keys.global('queuesShares');
  await world.redis.del(shares);
  const held = async (name = 'lou') => Number(await world.redis.hget(shares, `shardings user local:${name}`));
  const shard = (queue: string, count: number, who = by) => world.broker.sharding.set(queue, { count }, who);
  await shard('wide', 4);
  expect(await held()).toBe(4);
  await shard('wide', 64);
  expect([await held(), await world.redis.hget(shares, 'shardings all')]).toEqual([64, '64']);
  await shard('grown', 2);
  await world.broker.enqueue('grown', { jobType: 'x' });
  await expect(shard('grown', 8)).rejects.toMatchObject({ code: 'WRONG_STATE' });
  expect(await held()).toBe(66);
  // Who widens a queue of another user takes it over.
  const max = { ...by, actor: 'max', quotaOwner: { ...quotaOwner, id: 'local:max', name: 'max' } };
  await shard('small', 2);
  await shard('small', 3, max);
  expect([await held(), await held('max')]).toEqual([66, 3]);
  await world.redis.hset(shares, 'shardings user local:lou', QUOTAS.shardings.perUser - 3);
  await expect(shard('more', 4)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  await shard('more', 3);
});
