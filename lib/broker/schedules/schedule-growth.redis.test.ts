/** Schedules there is no room for must not leave anything behind: their ids are anyone's choice. */
import { expect, it } from 'vitest';
import { QUOTAS } from '@/lib/contract/access/quotas';
import { BY, setUpWorld } from '@/testing/worlds/world';
import { createSchedule } from '.';

const world = await setUpWorld();

it.each([
  ['a thousand schedules', 'schedulesRecords'],
  ['five thousand fences to forget', 'schedulesDue'],
] as const)('beside %s, a new one is refused without a trace in its queue', async (_, full) => {
  const queue = world.freshQueue();
  const key = world.keys.global(full);
  await world.redis.flushall();
  if (full === 'schedulesRecords')
    for (let i = 0; i <= QUOTAS.schedules.total; i++) await world.redis.hset(key, `s${i}`, 'planted');
  else for (let i = 0; i < 5_000; i++) await world.redis.zadd(key, i, `s${i}@q@1`);
  for (let i = 0; i < 20; i++) {
    const input = { id: `more-${i}`, queue, timing: { everyMs: 60_000 }, job: { jobType: 'demo' } };
    await expect(createSchedule(world.broker, input, BY)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  }
  expect(await world.redis.exists(world.column(queue, 'occurrences'), world.column(queue, 'changes'))).toBe(
    0,
  );
});
