/** Consoles of different age on one Redis: each reads with a sampler of its own. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { setUpRedisOnPort } from '@/testing/worlds/set-up-redis';
import { claimAll, enqueueAll, jobs, killAll } from '@/testing/worlds/world';
import type { FullOverview } from './page-of-queues';
import type { Sampler } from './sampler';

const redis = await setUpRedisOnPort();
const samplers: Sampler[] = [];
const broker = createBroker({ url: redis.url });
beforeAll(() => {
  process.env.REDIS_URL = redis.url;
  process.env.AUTH = 'none';
  process.env.LOG_LEVEL = 'silent';
});
afterAll(async () => {
  const { getBroker } = await import('../console-broker');
  for (const sampler of samplers) sampler.stop();
  getBroker().close();
  broker.close();
});

const mailOf = ({ queues }: FullOverview) => queues.find(({ queue }) => queue === 'mail');

test('B1: a console started a second ago says what an old one says', async () => {
  const { Sampler } = await import('./sampler');
  const old = new Sampler();
  samplers.push(old);
  await enqueueAll(broker, 'other', jobs(1, 1_000));
  await old.current();
  await killAll(broker, 'mail', jobs(40));
  await enqueueAll(broker, 'mail', jobs(60, 100));
  const taken = await claimAll(broker, 'mail', { most: 40 });
  await broker.ack(
    'mail',
    taken.map(({ jobId, token }) => ({ jobId, token })),
  );
  // Both read within a moment of each other: the old one only reads when its last numbers are a second old.
  const [before, after] = await until(
    async () => {
      const young = new Sampler();
      samplers.push(young);
      const both = await Promise.all([old.current(), young.current()]);
      const [a, b] = both.map(({ frame }) => frame.overview);
      return a && b && Math.abs(a.at - b.at) < 500 && mailOf(a)?.totals.completed === 40 ? [a, b] : undefined;
    },
    { what: 'two readings of one moment' },
  );
  if (!before || !after) throw new Error('no readings');
  expect(after.verdict).toEqual(before.verdict);
  expect(after.verdict.findings.length).toBeGreaterThan(0);
  expect(mailOf(after)?.lastFiveMinutes.died).toBe(40);
  const ratio = mailOf(after)?.rates.failureRatio ?? 0;
  expect(ratio).toBeCloseTo(0.5, 2);
  expect(mailOf(before)?.rates.failureRatio).toBeCloseTo(ratio, 2);
  // Within half a second a sixtieth of the minute before slides out at most.
  expect((before.sums.completedPerSecond ?? 0) / (after.sums.completedPerSecond ?? 0)).toBeCloseTo(1, 1);
});
