import { existsSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../poll';
import { startRedis, startRedisOnPort, type TestRedis } from './redis-server';

describe('the Redis of a test file', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
  });
  afterAll(() => redis.stop());

  it('is private to its file', () => {
    expect(statSync(redis.dir).mode & 0o777).toBe(0o700);
    expect(redis.url).toBeUndefined();
  });

  it('comes back on the same socket after a crash, and clients find it again', async () => {
    const client = redis.connect();
    await client.set('a', '1');
    const before = redis.pid;
    await redis.kill('SIGKILL');
    await redis.restart();
    expect(redis.pid).not.toBe(before);
    expect(await client.get('a')).toBe('1');
  });

  it('leaves neither process nor folder', async () => {
    const other = await startRedisOnPort();
    const client = other.connect({ path: undefined, port: Number(new URL(other.url).port) });
    expect(await client.ping()).toBe('PONG');
    expect(other.pid).toBeGreaterThan(0);
    await other.stop();
    expect(existsSync(other.dir)).toBe(false);
  });
});

describe('waiting for a condition', () => {
  it('says what never came and what was seen instead', async () => {
    await expect(until(() => 0, { timeoutMs: 50, what: 'a job' })).rejects.toThrow(
      'Waited 0.05 s for a job, in vain (last seen: 0).',
    );
    const throwing = () => Promise.reject(new Error('no such key'));
    await expect(until(throwing, { timeoutMs: 50, what: 'a key' })).rejects.toThrow(
      'last error: no such key',
    );
  });

  it('does not wait for a probe that hangs', async () => {
    const hanging = () => new Promise<boolean>(() => {});
    await expect(until(hanging, { timeoutMs: 50, what: 'a reply' })).rejects.toThrow('it never answered');
  });
});
