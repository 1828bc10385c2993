import { beforeEach, expect, test } from 'vitest';
import type { TableSettings } from '@/lib/format/column-settings';
import { setUpWorld } from '@/testing/worlds/world';
import { TABLE_ROWS_MAX } from './table-records';

const world = await setUpWorld();
beforeEach(() => world.redis.flushall());

const { tables } = world.broker.access;
const key = () => world.keys.global('accessTables');
const COMPACT: TableSettings = {
  density: 'compact',
  tables: { dead: { shown: { tenant: false }, widths: { type: 240 } } },
};

test('each has their own, and the last one saved counts', async () => {
  expect(await tables.get('local:ann')).toBeNull();
  await tables.save('local:ann', COMPACT);
  await tables.save('local:bob', { density: 'compact', tables: {} });
  await tables.save('local:bob', { density: 'comfortable', tables: {} });
  expect(await tables.get('local:ann')).toEqual(COMPACT);
  expect(await tables.get('local:bob')).toEqual({ density: 'comfortable', tables: {} });
});

test('what does not fit is refused, and a damaged row is as if nothing was chosen', async () => {
  const width = (px: number): TableSettings => ({
    density: 'compact',
    tables: { dead: { shown: {}, widths: { type: px } } },
  });
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`t${i}`, { shown: {}, widths: {} }]));
  const large = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [
      `t${i}`,
      { shown: Object.fromEntries(Array.from({ length: 50 }, (_, j) => [`column ${j}`, true])), widths: {} },
    ]),
  );
  for (const settings of [
    width(47),
    width(901),
    width(100.5),
    { density: 'compact', tables: many },
    { density: 'compact', tables: large },
  ] as const)
    await expect(tables.save('local:ann', settings)).rejects.toMatchObject({ code: 'VALIDATION' });
  expect(await tables.get('local:ann')).toBeNull();
  for (const row of ['', '{', '{"density":"huge","tables":{}}', JSON.stringify(width(1))]) {
    await world.redis.hset(key(), 'local:ann', row);
    expect(await tables.get('local:ann')).toBeNull();
  }
});

test('of more users than are kept, those of another one are forgotten', async () => {
  const rows = Array.from({ length: TABLE_ROWS_MAX + 3 }, (_, i) => [`local:${i}`, JSON.stringify(COMPACT)]);
  await world.redis.hset(key(), Object.fromEntries(rows));
  await tables.save('local:ann', COMPACT);
  expect(await world.redis.hlen(key())).toBe(TABLE_ROWS_MAX);
  await tables.save('local:ann', { density: 'comfortable', tables: {} });
  expect(await world.redis.hlen(key())).toBe(TABLE_ROWS_MAX);
  expect(await tables.get('local:ann')).toEqual({ density: 'comfortable', tables: {} });
});
