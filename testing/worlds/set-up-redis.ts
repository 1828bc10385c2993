/** A real Redis for the tests of one file, ended after the last of them. Benches start theirs without the test runner. */
import { afterAll } from 'vitest';
import { startRedis, startRedisOnPort, type TestRedis } from './redis-server';

export async function setUpRedis(extraArgs?: string[]): Promise<TestRedis> {
  const redis = await startRedis(extraArgs);
  afterAll(() => redis.stop());
  return redis;
}

export async function setUpRedisOnPort(extraArgs?: string[]): ReturnType<typeof startRedisOnPort> {
  const redis = await startRedisOnPort(extraArgs);
  afterAll(() => redis.stop());
  return redis;
}
