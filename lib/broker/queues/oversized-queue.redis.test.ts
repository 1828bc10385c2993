/** What a producer's Redis user writes into the keys of its own queue that a snapshot reads: the queue is left out, others are read. */
import { beforeEach, describe, expect, it } from 'vitest';
import { jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
let [queue, other] = ['', ''];
beforeEach(async () => {
  [queue, other] = [world.freshQueue(), world.freshQueue()];
  for (const name of [queue, other]) await world.broker.enqueueMany(name, jobs(1));
});
const sent = async () => Number(/total_net_output_bytes:(\d+)/.exec(await world.redis.info('stats'))?.[1]);
const many = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`tenant:t${i}`, value]));
const BIG = 'x'.repeat(2_000_000);
const minute = () => Math.floor(world.clock.now / 60_000);

describe('a queue whose keys are larger than Redrive writes', () => {
  it.each([
    ['pauses', () => many(20_000, '1795850015818 0 {"actor":"x"}')],
    ['pauses', () => ({ 'tenant:a': `1795850015818 0 {"actor":"${BIG}"}` })],
    ['counters', () => many(20_000, '1')],
    ['counters', () => ({ completed: BIG })],
    ['config', () => ({ depthLimit: BIG })],
    ['minutes', () => ({ [`${minute()}:completed`]: BIG })],
  ] as const)('in %s is left out of a reading (%#)', async (column, fields) => {
    await world.redis.hset(world.column(queue, column), fields());
    const before = await sent();
    const readings = await world.broker.inspect.snapshot([queue, other]);
    expect((await sent()) - before).toBeLessThan(100_000);
    expect(readings.map((reading) => reading.queue)).toEqual([other]);
    expect(readings[0]?.counts.ready).toBe(1);
    // Alone it is no outage of Redis either.
    expect(await world.broker.inspect.snapshot([queue])).toEqual([]);
  });

  it('is read with as many pauses and counters as Redrive writes', async () => {
    const json = JSON.stringify({ actor: 'é'.repeat(100), reason: 'é'.repeat(300), address: 'x'.repeat(60) });
    await world.redis.hset(world.column(queue, 'pauses'), many(100, `1795850015818 0 ${json}`));
    const [reading] = await world.broker.inspect.snapshot([queue]);
    expect(reading?.pauses).toHaveLength(100);
  });
});
