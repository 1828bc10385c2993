import { expect, test } from 'vitest';
import { BY, setUpWorld } from '@/testing/worlds/world';
import { createSchedule, pauseSchedule, tickSchedules } from '.';

const world = await setUpWorld();
const MINUTE = 60_000;
const overdue = async () =>
  (await world.broker.schedules.overdue(MINUTE)).map(({ id, dueAt }) => `${id} ${world.clock.now - dueAt}`);
const create = (id: string, everyMs: number) =>
  createSchedule(world.broker, { id, queue: 'mail', timing: { everyMs }, job: { jobType: 'demo' } }, BY);

test('schedules whose run is late by a minute, the latest first; without paused ones', async () => {
  for (const [id, every] of [
    ['fast', 1],
    ['slow', 5],
    ['paused', 1],
  ] as const)
    await create(id, every * MINUTE);
  await pauseSchedule(world.broker, 'paused', BY);
  expect(await overdue()).toEqual([]);
  world.clock.now += 2 * MINUTE - 1;
  expect(await overdue()).toEqual([]);
  world.clock.now += 1;
  expect(await overdue()).toEqual([`fast ${MINUTE}`]);
  world.clock.now += 4 * MINUTE;
  expect(await overdue()).toEqual([`fast ${5 * MINUTE}`, `slow ${MINUTE}`]);
  await tickSchedules(world.broker);
  expect(await overdue()).toEqual([]);
});

test('one that cannot be enqueued is late, however often it is tried again', async () => {
  await world.redis.flushall();
  await create('broken', MINUTE);
  await world.redis.set(world.column('mail', 'occurrences'), 'somebody wrote here');
  world.clock.now += MINUTE;
  for (let i = 0; i < 3; i++) {
    expect((await tickSchedules(world.broker)).failures).toMatchObject([{ id: 'broken' }]);
    world.clock.now += MINUTE;
  }
  expect(await overdue()).toEqual([`broken ${3 * MINUTE}`]);
});
