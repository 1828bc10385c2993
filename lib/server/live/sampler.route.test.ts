/** The one reader of Redis on a Redis that goes away. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '@/testing/poll';
import { setUpRedisOnPort } from '@/testing/worlds/set-up-redis';

const redis = await setUpRedisOnPort();
beforeAll(async () => {
  process.env.REDIS_URL = redis.url;
  process.env.AUTH = 'none';
  process.env.LOG_LEVEL = 'silent';
});
afterAll(async () => {
  const { getSampler } = await import('./sampler');
  const { getBroker } = await import('../console-broker');
  getSampler().stop();
  getBroker().close();
});

test('while Redis is away the last frame stays, says so, and not where Redis is', async () => {
  const { getSampler } = await import('./sampler');
  const { frame } = await getSampler().current();
  expect(frame.overview).toMatchObject({ fresh: true, redis: { error: null } });
  await redis.kill('SIGKILL');
  const away = await until(
    async () => {
      const { overview } = (await getSampler().current()).frame;
      return overview.redis.error === null ? undefined : overview;
    },
    { what: 'a reading to fail', timeoutMs: 20_000 },
  );
  expect(away).toMatchObject({ fresh: false, at: frame.overview.at, verdict: { level: 'bad' } });
  expect(away.redis.error).toMatch(/^Redis cannot be reached\. Nothing was changed/);
  expect(JSON.stringify(away)).not.toContain(new URL(redis.url).port);
});
