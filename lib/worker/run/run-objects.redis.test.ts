/** What a job that goes well leaves to the garbage collector, counted by Node: promises and timers are made by batch, not by job. */
import { createHook } from 'node:async_hooks';
import { afterEach, expect, it } from 'vitest';
import { setUpWorkshop } from '@/testing/worlds/workers';

const JOBS = 5_000;
const shop = await setUpWorkshop();
afterEach(() => shop.next());

async function madePerJob(run: () => unknown): Promise<{ promises: number; timers: number }> {
  const made = new Map<string, number>();
  const hook = createHook({ init: (_, type) => void made.set(type, (made.get(type) ?? 0) + 1) });
  const jobs = Array.from({ length: 1_000 }, () => ({ jobType: 'demo.run', payload: '{}' }));
  for (let i = 0; i < JOBS; i += jobs.length) await shop.broker.enqueueMany(shop.queue, jobs);
  hook.enable();
  const { saw } = shop.work(run, { concurrency: 100 });
  await saw('completed', JOBS);
  hook.disable();
  return {
    promises: (made.get('PROMISE') ?? 0) / JOBS,
    timers: ((made.get('Timeout') ?? 0) + (made.get('Immediate') ?? 0)) / JOBS,
  };
}

it.each<[string, () => unknown, number]>([
  ['a handler that is no async function', () => null, 0],
  // Its own, and the one that waits for it.
  ['an async handler', async () => null, 2],
])('%s: no timer for a job, and its own promises alone', async (_, run, promises) => {
  const made = await madePerJob(run);
  console.log(`a job: ${made.promises.toFixed(2)} promises, ${made.timers.toFixed(2)} timers`);
  expect(made.promises).toBeGreaterThanOrEqual(promises);
  expect(made.promises).toBeLessThan(promises + 0.75);
  expect(made.timers).toBeLessThan(0.25);
});
