/** Run and wait times of each minute, counted by the scripts that claim and complete. */
import { describe, expect, it } from 'vitest';
import { enqueueAll, jobs, START, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const MINUTE = START / 60_000;

const histogramOf = async (queue: string, column: 'counters' | 'minutes') => {
  const fields = Object.entries(await world.redis.hgetall(world.column(queue, column)));
  return Object.fromEntries(fields.filter(([field]) => /(run|wait):(\d+|inf)$/.test(field)));
};

describe('run and wait times by minute', () => {
  it('a claim counts the wait of its first job for all, a completion each run, short ones left to the total', async () => {
    const queue = world.freshQueue();
    world.clock.now = START;
    await enqueueAll(world.broker, queue, jobs(2));
    world.clock.now += 30;
    const { jobs: claimed } = await world.broker.claim(queue, { worker: 'w', count: 5 });
    world.clock.now += 60_000;
    await enqueueAll(world.broker, queue, jobs(1, 2));
    const { jobs: atOnce } = await world.broker.claim(queue, { worker: 'w', count: 5 });
    world.clock.now += 5;
    await world.broker.ack(
      queue,
      [...claimed, ...atOnce].map(({ jobId, token }) => ({ jobId, token })),
    );
    expect(await histogramOf(queue, 'counters')).toEqual({ 'wait:50': '2', 'run:inf': '2' });
    expect(await histogramOf(queue, 'minutes')).toEqual({
      [`${MINUTE}:wait:50`]: '2',
      [`${MINUTE + 1}:run:inf`]: '2',
    });
  });

  it('nothing of them is left after three hours', async () => {
    const queue = world.freshQueue();
    world.clock.now = START;
    await enqueueAll(world.broker, queue, jobs(1));
    world.clock.now += 300;
    await world.broker.maintain(queue);
    const { jobs: claimed } = await world.broker.claim(queue, { worker: 'w', count: 5 });
    world.clock.now += 700;
    await world.broker.ack(
      queue,
      claimed.map(({ jobId, token }) => ({ jobId, token })),
    );
    world.clock.now += 181 * 60_000;
    for (let call = 0; call < 5; call++) await world.broker.maintain(queue);
    expect(await world.redis.hgetall(world.column(queue, 'minutes'))).toEqual({});
  });

  it('each bucket ends with its bound', async () => {
    const queue = world.freshQueue();
    const bounds = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000];
    for (const [i, ms] of [...bounds, ...bounds.map((bound) => bound + 1)].entries()) {
      world.clock.now = START;
      await enqueueAll(world.broker, queue, jobs(1, i));
      world.clock.now += ms;
      await world.broker.claim(queue, { worker: 'w', count: 1 });
    }
    const names = [...bounds.slice(1), 'inf'];
    expect(await histogramOf(queue, 'counters')).toEqual({
      'wait:10': '1',
      ...Object.fromEntries(names.map((name) => [`wait:${name}`, name === 'inf' ? '1' : '2'])),
    });
  });
});
