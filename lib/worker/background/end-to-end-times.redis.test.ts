/** What workers report of the time from enqueue to completion, on a real Redis. */
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '@/testing/poll';
import { setUpWorkshop } from '@/testing/worlds/workers';
import { SILENT } from '../worker-types';
import { startEndToEndTimes } from './end-to-end-times';

const shop = await setUpWorkshop();
afterEach(() => shop.next());

const timesOf = async (queue: string) => {
  const [reading] = await shop.broker.inspect.snapshot([queue]);
  if (!reading) throw new Error(`${queue} cannot be read`);
  const { buckets, sumMs } = reading.endToEndTimes;
  return { jobs: [...buckets.values()].reduce((sum, count) => sum + count, 0), buckets, sumMs };
};
const sender = (broker = shop.broker, onTrouble: () => void = () => undefined) =>
  startEndToEndTimes({ broker, random: () => 0.5, logger: SILENT, onTrouble, everyMs: 60_000 });

describe('a worker', () => {
  it('adds its completed jobs to the totals of their queue when it stops at the latest', async () => {
    const { queue } = shop;
    await shop.enqueue();
    await shop.enqueue();
    const at = shop.work(() => undefined);
    await at.saw('completed', 2);
    await at.worker.stop();
    await until(async () => (await timesOf(queue)).jobs === 2, {
      what: 'both jobs in the totals',
      timeoutMs: 10_000,
    });
  });

  it('adds those of a sharded queue, whichever shard they are in', async () => {
    const { queue } = shop;
    await shop.broker.sharding.set(queue, { count: 3, by: 'tenant' }, { actor: 'tester', reason: 'a test' });
    for (const tenantId of ['a', 'b', 'c', 'd']) await shop.enqueue({ tenantId });
    const at = shop.work(() => undefined);
    await at.saw('completed', 4);
    await at.worker.stop();
    await until(async () => (await timesOf(queue)).jobs === 4, {
      what: 'all in the totals',
      timeoutMs: 10_000,
    });
    expect(at.events.filter(({ type }) => type === 'trouble')).toEqual([]);
  });

  it('does not count a job that failed', async () => {
    const { queue } = shop;
    const times = sender();
    await shop.enqueue({ maxAttempts: 1 });
    const at = shop.work(() => {
      throw new Error('no');
    });
    await at.saw('failed');
    await at.worker.stop();
    await times.stop();
    expect(await timesOf(queue)).toMatchObject({ jobs: 0, sumMs: 0 });
  });
});

describe('the times', () => {
  it('are sent together, in buckets that end with their bound, and never below 0 when the clock of a producer is ahead', async () => {
    const { queue } = shop;
    await shop.enqueue();
    const times = sender();
    for (const ms of [-40, 3, 5, 5.1, 700, 900, 60_000, 60_001]) times.add(queue, ms);
    await times.stop();
    const { buckets, sumMs } = await timesOf(queue);
    expect([...buckets].filter(([, count]) => count > 0)).toEqual([
      ['5', 3],
      ['10', 1],
      ['1000', 2],
      ['60000', 1],
      ['inf', 1],
    ]);
    expect(sumMs).toBe(3 + 5 + 5 + 700 + 900 + 60_000 + 60_001);
  });

  it('wait while Redis refuses them, and are sent with the next ones', async () => {
    const { queue } = shop;
    await shop.enqueue();
    let troubles = 0;
    const broker = {
      ...shop.broker,
      addTimes: async () => {
        throw new Error('away');
      },
    };
    const times = sender(broker, () => {
      troubles += 1;
    });
    times.add(queue, 1);
    await times.stop();
    expect(troubles).toBe(1);
    broker.addTimes = shop.broker.addTimes as never;
    await times.stop();
    expect((await timesOf(queue)).jobs).toBe(1);
  });

  it('make no queue of one that is gone', async () => {
    const times = sender();
    times.add('never-entered', 1);
    await times.stop();
    expect(await shop.redis.connect().keys('*never-entered*')).toEqual([]);
  });
});
