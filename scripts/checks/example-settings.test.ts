import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'redrive-env-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('what .env says reaches the console letter for letter, whatever Next makes of a $', () => {
  const users = '{"users":[{"name":"Ann","hash":"$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"}]}';
  writeFileSync(join(dir, '.env'), `REDRIVE_USERS='${users}'\nREDIS_URL=redis://:pa$word@127.0.0.1:6379\n`);
  const script = `
    const { loadEnv } = await import(${JSON.stringify(join(import.meta.dirname, '../lib/env-file.mjs'))});
    loadEnv(${JSON.stringify(dir)});
    const { default: nextEnv } = await import('@next/env');
    nextEnv.loadEnvConfig(${JSON.stringify(dir)}, false);
    console.log(JSON.stringify([process.env.REDRIVE_USERS, process.env.REDIS_URL]));`;
  const { REDRIVE_USERS: _, REDIS_URL: __, NODE_ENV: ___, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...env, NODE_ENV: 'production' },
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([users, 'redis://:pa$word@127.0.0.1:6379']);
});
