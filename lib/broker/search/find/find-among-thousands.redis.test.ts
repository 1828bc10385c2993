/** A reference among thousands of shards: found wherever it is, at a cost that does not grow with what is empty. */
import { Redis } from 'ioredis';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Broker } from '@/testing/create-broker';
import { BY, commandsFor, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const QUEUES = 1_200;
const name = (i: number) => `q-${String(i).padStart(4, '0')}`;
const SPREAD = 64;
/** Before any other name, and by their shards more than a search looked at once. */
const SHARDED = Array.from({ length: 79 }, (_, i) => `a-${String(i).padStart(2, '0')}`);

beforeAll(async () => {
  const { broker } = world;
  // All are registered at one time: a page of the registry ends among equals.
  for (let i = 0; i < QUEUES; i += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, k) =>
        broker.enqueue(name(i + k), {
          jobId: `job-${i + k}`,
          jobType: 'demo',
          ...((i + k) % 100 === 0
            ? { unique: { key: `order:${i + k}`, ttlMs: 60_000 }, idempotencyKey: `pay"${i + k}` }
            : {}),
        }),
      ),
    );
  for (const queue of SHARDED) await broker.sharding.set(queue, { count: SPREAD, by: 'id' }, BY);
  await broker.enqueueMany(
    'a-07',
    Array.from({ length: 200 }, (_, i) => ({ jobId: `spread-${i}`, jobType: 'demo' })),
  );
  await broker.enqueue('zz-orders', { jobId: 'order-4711', jobType: 'demo' });
}, 120_000);

async function findsAll(broker: Broker): Promise<void> {
  const find = async (reference: string) => {
    const { jobs, ...rest } = await broker.inspect.find(reference);
    expect([rest.unasked, rest.unavailable]).toEqual([undefined, undefined]);
    return jobs.map(({ queue, jobId, by }) => `${queue}/${jobId} ${by}`);
  };
  expect(await find('order-4711')).toEqual(['zz-orders/order-4711 id']);
  for (const n of [0, 499, 500, 501, 999, 1_000, QUEUES - 1])
    expect(await find(`job-${n}`)).toEqual([`${name(n)}/job-${n} id`]);
  expect(await find('order:700')).toEqual([`${name(700)}/job-700 unique`]);
  expect(await find('pay"1100')).toEqual([`${name(1_100)}/job-1100 key`]);
  for (const n of [0, 77, 199]) expect(await find(`spread-${n}`)).toEqual([`a-07/spread-${n} id`]);
  expect(await find('none')).toEqual([]);
}

it('finds it, whatever shards there are without jobs', () => findsAll(world.broker));

it('finds it for a user of Redis that may not read by patterns', async () => {
  await world.redis.call(
    ...('ACL SETUSER redrive on >pw resetkeys ~rd:* resetchannels -@all +@read +@write +@connection -@admin -@dangerous -@scripting +eval +evalsha +time +info +client|info'.split(
      ' ',
    ) as [string, ...string[]]),
  );
  const limited = new Redis({ path: world.server.path, username: 'redrive', password: 'pw' });
  await findsAll(world.another({ redis: limited }));
  limited.disconnect();
});

it('asks Redis for little, in scripts that are short', async () => {
  const { broker, redis } = world;
  await broker.inspect.find('none-of-them');
  const commands = await commandsFor(redis, () => broker.inspect.find('none-at-all'));
  // 6,257 shards; their names in parts, and none of them one by one.
  expect(commands).toBeLessThan(600);
});

it('looks into each queue once for the first find of a console', async () => {
  const commands = await commandsFor(world.redis, () => world.another().inspect.find('none-at-all'));
  // One read of the ids a queue, and its keys asked for in tens.
  expect(commands).toBeLessThan(1.5 * (QUEUES + SHARDED.length));
});

it('looks only into the queues that a user of few of them may see', async () => {
  const within = ['zz-orders', name(7)].map((queue) => ({ queue, tenants: null }));
  const broker = world.another();
  expect((await broker.inspect.find('job-8', { within })).jobs).toEqual([]);
  const find = async () => expect((await broker.inspect.find('order-4711', { within })).jobs).toHaveLength(1);
  await commandsFor(world.redis, find);
  expect(await world.redis.info('commandstats')).not.toContain('cmdstat_sort_ro');
});

it('finds the first key of a queue at once, though it knew that the queue had none', async () => {
  world.clock.now += 600_000;
  const broker = world.another();
  await findsAll(broker);
  const unique = { key: 'first-ever', ttlMs: 60_000 };
  await broker.enqueue(name(5), { jobId: 'keyed', jobType: 'demo', unique, idempotencyKey: 'first/key' });
  for (const [reference, by] of [
    ['first-ever', 'unique'],
    ['first/key', 'key'],
  ] as const)
    expect((await broker.inspect.find(reference)).jobs).toMatchObject([
      { queue: name(5), jobId: 'keyed', by },
    ]);
});

describe('a queue that cannot be read', () => {
  it('is named, at the latest after a minute', async () => {
    await world.redis.rename(world.column(name(3), 'jobs'), 'aside');
    await world.redis.set(world.column(name(3), 'jobs'), 'text');
    const found = await world.another().inspect.find('order-4711');
    expect(found.jobs).toMatchObject([{ queue: 'zz-orders' }]);
    expect(found.unavailable).toEqual([{ queue: name(3), shard: 0 }]);
    await world.redis.rename('aside', world.column(name(3), 'jobs'));
  });
});
