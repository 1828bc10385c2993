/** What is kept, and for how long: by number, age and size; nothing else grows. */
import { describe, expect, it } from 'vitest';
import { BY, claimAll, enqueueAll, ids, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const completeAll = async (queue: string, count: number, payload = 'x', from = 0) => {
  await enqueueAll(world.broker, queue, jobs(count, from, { payload }));
  const taken = await claimAll(world.broker, queue);
  for (let i = 0; i < taken.length; i += 500)
    await world.broker.ack(
      queue,
      taken.slice(i, i + 500).map((job) => ({ ...job, result: '"ok"' })),
    );
};
const card = (queue: string, column: 'completed' | 'dead' | 'jobs') =>
  column === 'jobs'
    ? world.redis.hlen(world.column(queue, column))
    : world.redis.zcard(world.column(queue, column));
const balanced = async (queue: string) =>
  expect((await world.broker.inspect.ledger(queue)).difference).toBe(0);

describe('completed jobs', () => {
  it('by number: the newest are kept', async () => {
    const queue = world.freshQueue();
    await world.broker.config.change(queue, { completedKeep: 10 }, BY);
    await completeAll(queue, 250);
    await completeAll(queue, 30, 'x', 250);
    await world.broker.maintain(queue);
    expect(await card(queue, 'completed')).toBe(10);
    await world.broker.config.change(queue, { completedKeep: 0 }, BY);
    await completeAll(queue, 5, 'x', 900);
    expect(await card(queue, 'jobs')).toBe(0);
    await balanced(queue);
  });

  it('by number, also when their results were lost', async () => {
    const queue = world.freshQueue();
    await completeAll(queue, 5);
    await world.redis.del(world.column(queue, 'results'));
    await world.broker.config.change(queue, { completedKeep: 0 }, BY);
    await world.broker.maintain(queue);
    expect(await card(queue, 'completed')).toBe(0);
    await balanced(queue);
  });

  it('by age: by the next ack, and by maintenance where no ack comes', async () => {
    const queue = world.freshQueue();
    await world.broker.config.change(queue, { completedKeepMs: 60_000 }, BY);
    await completeAll(queue, 50);
    world.clock.now += 61_000;
    await completeAll(queue, 1, 'x', 50);
    expect(await card(queue, 'completed')).toBe(1);
    world.clock.now += 61_000;
    await world.broker.maintain(queue);
    expect(await card(queue, 'completed')).toBe(0);
    await balanced(queue);
  });

  it('by size: what is on the books is what is there', async () => {
    const queue = world.freshQueue();
    await world.broker.config.change(queue, { completedKeepBytes: 100_000 }, BY);
    await completeAll(queue, 200, 'y'.repeat(2_000));
    await completeAll(queue, 60, 'y'.repeat(5_000), 200);
    const rows = await world.redis.hgetall(world.column(queue, 'jobs'));
    const results = await world.redis.hgetall(world.column(queue, 'results'));
    const size = [...Object.values(rows), ...Object.values(results)].reduce(
      (sum, row) => sum + row.length,
      0,
    );
    const booked = Number(await world.redis.hget(world.column(queue, 'counters'), 'completedBytes'));
    expect(Object.keys(results).sort()).toEqual(Object.keys(rows).sort());
    expect(booked).toBe(size);
    expect(size).toBeLessThanOrEqual(100_000);
    const [one] = Object.keys(rows);
    await world.broker.remove(queue, [one ?? '']);
    const after = Number(await world.redis.hget(world.column(queue, 'counters'), 'completedBytes'));
    expect(after).toBeLessThan(booked);
    await balanced(queue);
  });
});

describe('dead jobs', () => {
  it('stay for ever unless an age is set; then they go, oldest first, with all their rows, and it is foreseen', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(120));
    world.clock.now += 400 * 86_400_000;
    await world.broker.maintain(queue);
    expect(await card(queue, 'dead')).toBe(120);
    await killAll(world.broker, queue, jobs(7, 500));
    await world.broker.config.change(queue, { deadKeepMs: 86_400_000 }, BY);
    await world.broker.maintain(queue);
    expect(await card(queue, 'dead')).toBe(7);
    expect(await world.redis.zcard(world.column(queue, 'deadBy'))).toBe(7 * 5);
    expect(await card(queue, 'jobs')).toBe(7);
    await balanced(queue);
    const [snapshot] = await world.broker.inspect.snapshot([queue]);
    expect(snapshot?.deadExpireAt).toBe(world.clock.now + 86_400_000);
  });
});

describe('trash', () => {
  it('goes when its grace ends, as set', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(3));
    await world.broker.config.change(queue, { trashGraceMs: 5_000 }, BY);
    await world.broker.purge(queue, ids(jobs(3) as { jobId: string }[]), BY);
    world.clock.now += 4_999;
    await world.broker.maintain(queue);
    expect(await card(queue, 'jobs')).toBe(3);
    world.clock.now += 1;
    await world.broker.maintain(queue);
    expect(await card(queue, 'jobs')).toBe(0);
    await balanced(queue);
  });
});

describe('B26: nothing else grows', () => {
  it('buckets that are full again are forgotten, events and changes are bounded', async () => {
    const queue = world.freshQueue();
    await world.broker.config.change(queue, { tenantLimit: { rate: { perSecond: 1, burst: 2 } } }, BY);
    for (let i = 0; i < 300; i++) await world.broker.enqueue(queue, { jobType: 'demo', tenantId: `t${i}` });
    await claimAll(world.broker, queue);
    expect(await world.redis.hlen(world.column(queue, 'limits'))).toBeGreaterThanOrEqual(300);
    world.clock.now += 3_000;
    for (let i = 0; i < 30; i++) await world.broker.maintain(queue);
    expect(await world.redis.hlen(world.column(queue, 'limits'))).toBeLessThanOrEqual(102);
    for (let i = 0; i < 1_500; i++) await world.broker.config.change(queue, { depthLimit: 1 + (i % 2) }, BY);
    expect(await world.redis.xlen(world.column(queue, 'changes'))).toBeLessThan(1_200);
    expect(await world.redis.xlen(world.column(queue, 'events'))).toBeLessThan(1_200);
  });
});
