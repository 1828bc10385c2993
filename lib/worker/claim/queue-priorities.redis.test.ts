/** Whose turn it is when several queues have jobs: by weight, or in strict order. */
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '@/testing/poll';
import { setUpWorkshop } from '@/testing/worlds/workers';

const shop = await setUpWorkshop();
afterEach(() => shop.next());

const JOBS = 40;
const names = () => ({ low: `a-low-${shop.queue}`, high: `z-high-${shop.queue}` });
const fill = (queue: string, count = JOBS) =>
  shop.broker.enqueueMany(
    queue,
    Array.from({ length: count }, () => ({ jobType: 'demo.run', payload: '{}' })),
  );

/** Which queue each claim was from, in order. */
async function orderOf(queues: Record<string, number>, priority: 'weighted' | 'strict', jobs: number) {
  const { events, worker } = shop.work(() => undefined, { queues, priority, concurrency: 1 });
  await until(() => worker.state().completed === jobs, {
    what: `${jobs} jobs to complete`,
    timeoutMs: 20_000,
  });
  return events.flatMap((event) => (event.type === 'claimed' ? [event.queue] : []));
}

describe('two busy queues', () => {
  it('share by weight: neither waits longer than the bound says', async () => {
    const { low, high } = names();
    await fill(low);
    await fill(high);
    const order = await orderOf({ [low]: 1, [high]: 3 }, 'weighted', 2 * JOBS);
    const both = order.slice(0, order.lastIndexOf(high) + 1);
    // While both have jobs, three of four are high; the light one has a turn within any W/w = 4.
    expect(both.filter((queue) => queue === high)).toHaveLength(JOBS);
    expect(Math.abs(both.length - (JOBS * 4) / 3)).toBeLessThanOrEqual(4);
    for (let i = 0; i + 5 <= both.length; i++) expect(both.slice(i, i + 5)).toContain(low);
    for (let i = 0; i + 3 <= both.length; i++) expect(both.slice(i, i + 3)).toContain(high);
  });

  it('in strict order: the lower one gets nothing while the upper one has jobs, whatever the weights', async () => {
    const { low, high } = names();
    await fill(low);
    await fill(high);
    const order = await orderOf({ [high]: 1, [low]: 100 }, 'strict', 2 * JOBS);
    expect(order).toEqual([...Array(JOBS).fill(high), ...Array(JOBS).fill(low)]);
  });

  it('in strict order: the lower one uses what is left, and steps back when the upper one has jobs again', async () => {
    const { low, high } = names();
    await fill(low, 30);
    const { events, worker } = shop.work(() => new Promise((resolve) => setTimeout(resolve, 5)), {
      queues: { [high]: 1, [low]: 1 },
      priority: 'strict',
      concurrency: 1,
    });
    await until(() => worker.state().completed >= 5, { what: 'some of the lower queue' });
    await fill(high, 10);
    await until(() => worker.state().completed === 40, { what: 'all to complete', timeoutMs: 20_000 });
    const order = events.flatMap((event) => (event.type === 'claimed' ? [event.queue] : []));
    const firstHigh = order.indexOf(high);
    expect(order.slice(firstHigh, firstHigh + 10)).toEqual(Array(10).fill(high));
  });
});

describe('strict order', () => {
  it('cannot be told for names that are whole numbers, and says so', () => {
    expect(() => shop.work(() => 1, { queues: { urgent: 1, 2024: 1 }, priority: 'strict' })).toThrow(
      /queues: .*whole numbers/,
    );
    expect(() => shop.work(() => 1, { queues: { urgent: 1 }, priority: 'fair' as 'strict' })).toThrow(
      /priority/,
    );
  });
});
