import { beforeEach, expect, test } from 'vitest';
import { QUOTAS } from '@/lib/contract/access/quotas';
import { createBroker } from '@/testing/create-broker';
import { setUpWorld } from '@/testing/worlds/world';

const { total: WHOLE, perUser: PER_USER } = QUOTAS.searches;
const world = await setUpWorld();
beforeEach(() => world.redis.flushall());

const save = (name: string, owner: string, rest: { q?: string; shared?: boolean } = {}) =>
  world.broker.searches.save({ name, q: 'type:invoice.*', ...rest }, owner);
const names = async (owner: string) => (await world.broker.searches.list(owner)).map(({ name }) => name);

test('a person sees their own searches and those that are shared, by name', async () => {
  await save('zebra', 'ada');
  await save('apple', 'ada');
  await save('mine', 'bob');
  await save('ours', 'bob', { shared: true });
  expect(await names('ada')).toEqual(['apple', 'ours', 'zebra']);
  expect(await names('bob')).toEqual(['mine', 'ours']);
  expect(await world.broker.searches.list('eve')).toMatchObject([
    { name: 'ours', owner: 'bob', shared: true, q: 'type:invoice.*', createdAt: world.clock.now },
  ]);
});

test('saving again under a name replaces it; another person may use the same name', async () => {
  const first = await save('x', 'ada');
  const second = await save('x', 'ada', { q: 'type:other', shared: true });
  expect(second.id).toBe(first.id);
  await save('x', 'bob', { q: 'type:third' });
  expect((await world.broker.searches.list('ada')).map(({ q }) => q)).toEqual(['type:other']);
  expect((await world.broker.searches.list('bob')).map(({ q }) => q)).toEqual(['type:other', 'type:third']);
});

test('only its owner deletes it, and what others keep to themselves does not exist', async () => {
  const shared = await save('ours', 'ada', { shared: true });
  const own = await save('mine', 'ada');
  const remove = (id: string, owner: string) => world.broker.searches.remove(id, owner);
  await expect(remove(shared.id, 'bob')).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: expect.stringContaining('ada'),
  });
  await expect(remove(own.id, 'bob')).rejects.toMatchObject({ code: 'SEARCH_NOT_FOUND' });
  await remove(own.id, 'ada');
  await remove(shared.id, 'ada');
  await expect(remove(own.id, 'ada')).rejects.toMatchObject({ code: 'SEARCH_NOT_FOUND' });
  expect(await names('ada')).toEqual([]);
});

test('a query that cannot be read is not saved', async () => {
  await expect(save('x', 'ada', { q: 'type:(' })).rejects.toMatchObject({
    code: 'BAD_QUERY',
    fields: [{ field: 'q' }],
  });
  await expect(save('', 'ada')).rejects.toMatchObject({ code: 'VALIDATION', fields: [{ field: 'name' }] });
  expect(await names('ada')).toEqual([]);
});

test('there are so many and no more, however many save at once; replacing needs no room', async () => {
  const all = await Promise.allSettled(
    Array.from({ length: WHOLE + 20 }, (_, i) => save(`s${i}`, `person ${i % 20}`)),
  );
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(20);
  expect(await world.redis.hlen(world.keys.global('searchesRecords'))).toBe(WHOLE);
  await expect(save('one more', 'bob')).rejects.toMatchObject({
    code: 'LIMIT_REACHED',
    message: expect.stringContaining(`There are ${WHOLE} saved searches`),
  });
  await save('s0', 'person 0', { q: 'type:new' });
  expect(await world.redis.hlen(world.keys.global('searchesRecords'))).toBe(WHOLE);
});

test('nobody takes the room of all: one person has so many, at once or in turn', async () => {
  await world.redis.hset(world.keys.global('searchesRecords'), 'BROKEN', '{', 'STRANGE', '7');
  const all = await Promise.allSettled(Array.from({ length: PER_USER + 5 }, (_, i) => save(`s${i}`, 'ada')));
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(5);
  expect(await names('ada')).toHaveLength(PER_USER);
  await expect(save('one more', 'ada')).rejects.toMatchObject({
    code: 'LIMIT_REACHED',
    message: expect.stringContaining('You hold 20 saved searches'),
  });
  const [first = ''] = await names('ada');
  await save(first, 'ada', { q: 'type:new' });
  await save('mine', 'bob');
  expect(await names('bob')).toEqual(['mine']);
});

test('nor by saving through two consoles at once', async () => {
  const others = createBroker({ redis: world.redis, clock: () => world.clock.now });
  await Promise.allSettled(
    Array.from({ length: 2 * PER_USER }, (_, i) =>
      (i % 2 === 0 ? world.broker : others).searches.save({ name: `s${i}`, q: '' }, 'ada'),
    ),
  );
  expect(await names('ada')).toHaveLength(PER_USER);
});

test('a record that cannot be read hides only itself, and can be deleted', async () => {
  await save('good', 'ada');
  const key = world.keys.global('searchesRecords');
  await world.redis.hset(key, 'BROKEN', '{', 'STRANGE', '{"id":7}');
  expect(await names('ada')).toEqual(['good']);
  await world.broker.searches.remove('BROKEN', 'bob');
  expect(await world.redis.hexists(key, 'BROKEN')).toBe(0);
});

test('they are kept and deleted even when memory is full: they are few and small', async () => {
  const { id } = await save('x', 'ada');
  const used = Number((await world.redis.info('memory')).match(/used_memory:(\d+)/)?.[1]);
  await world.redis.config('SET', 'maxmemory', String(Math.max(1, used - 100_000)));
  try {
    await expect(world.redis.set('other', 'x')).rejects.toThrow('OOM');
    await save('x', 'ada', { q: 'type:y' });
    await save('new', 'ada');
    await world.broker.searches.remove(id, 'ada');
  } finally {
    await world.redis.config('SET', 'maxmemory', '0');
  }
});
