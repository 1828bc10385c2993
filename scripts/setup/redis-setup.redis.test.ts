import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { startRedisOnPort } from '@/testing/worlds/redis-server';
import { ensureRedis, findServer, startServer } from './redis-setup.mjs';

const dir = mkdtempSync(join(tmpdir(), 'redrive-data-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

describe('a Redis of our own', () => {
  it('keeps its data over a restart, with the settings a queue needs', async () => {
    const first = await startServer({ dataDir: dir });
    const one = new Redis(first.url);
    await one.set('kept', 'yes');
    expect(await one.config('GET', 'maxmemory-policy')).toContain('noeviction');
    expect(await one.config('GET', 'appendonly')).toContain('yes');
    expect(await one.config('GET', 'bind')).toContain('127.0.0.1');
    one.disconnect();
    await first.stop();

    const second = await startServer({ dataDir: dir });
    const two = new Redis(second.url);
    expect(await two.get('kept')).toBe('yes');
    two.disconnect();
    await second.stop();
  });

  it('refuses a directory in use, and takes it once it is free', async () => {
    const first = await startServer({ dataDir: dir });
    await expect(startServer({ dataDir: dir })).rejects.toThrow(/is in use by process \d+: another Redrive/);
    await first.stop();
    await (await startServer({ dataDir: dir })).stop();
  });
});

describe('a Redis of yours', () => {
  it('is used and never stopped', async () => {
    const yours = await startRedisOnPort();
    vi.stubEnv('REDIS_URL', yours.url);
    const found = await ensureRedis({ dataDir: dir });
    expect(found.url).toBe(yours.url);
    await found.stop();
    const client = yours.connect();
    expect(await client.ping()).toBe('PONG');
    await yours.stop();
  });

  it.each([
    ['redis://:secret@127.0.0.1:1', /^Nothing answers at 127\.0\.0\.1:1, the server REDIS_URL names\./],
    ['localhost:6379', /is not a Redis address/],
  ])('%s is refused in words', async (url, sentence) => {
    vi.stubEnv('REDIS_URL', url);
    const refusal = await ensureRedis({ dataDir: dir }).catch((error: Error) => error.message);
    expect(refusal).toMatch(sentence);
    expect(refusal).not.toContain('secret');
  });

  it('a named program that does not run is an error, not a reason to take another', () => {
    vi.stubEnv('REDIS_SERVER_BIN', '/bin/false');
    expect(() => findServer()).toThrow('REDIS_SERVER_BIN cannot be used: /bin/false does not run.');
  });

  it('names every way out when there is none', () => {
    vi.stubEnv('REDIS_SERVER_BIN', '');
    vi.stubEnv('PATH', dir);
    expect(() => findServer({ localDir: join(dir, 'none') })).toThrow(
      /REDIS_URL[\s\S]*valkey-server[\s\S]*apt-get[\s\S]*Homebrew/,
    );
  });
});
