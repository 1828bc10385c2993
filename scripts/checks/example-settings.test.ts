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
    const { loadEnvOrExit } = await import(${JSON.stringify(join(import.meta.dirname, '../lib/env-file.mjs'))});
    loadEnvOrExit(${JSON.stringify(dir)});
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

/** Reads the settings with this environment; what comes of it. */
function load(env: Record<string, string>) {
  const script = `
    const { loadEnvOrExit } = await import(${JSON.stringify(join(import.meta.dirname, '../lib/env-file.mjs'))});
    loadEnvOrExit(${JSON.stringify(dir)});
    console.log(JSON.stringify([process.env.PORT, process.env.HOST]));`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'test', ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stderr, values: status === 0 ? JSON.parse(stdout) : null };
}

test('a named file is read in place of .env, and the environment wins over it', () => {
  writeFileSync(join(dir, '.env'), 'PORT=1\nHOST=ignored\n');
  const file = join(dir, 'redrive.env');
  writeFileSync(file, '# ours\nexport PORT=4000\n\nHOST="::1" # loopback\n');
  expect(load({ REDRIVE_CONFIG_FILE: file }).values).toEqual(['4000', '::1']);
  expect(load({ REDRIVE_CONFIG_FILE: file, PORT: '5000' }).values).toEqual(['5000', '::1']);
  expect(load({}).values).toEqual(['1', 'ignored']);
});

test('a file that cannot be read, and each line that says nothing, end the process with a sentence', () => {
  const missing = join(dir, 'missing.env');
  expect(load({ REDRIVE_CONFIG_FILE: missing })).toMatchObject({
    status: 1,
    stderr: `REDRIVE_CONFIG_FILE ${missing} cannot be read (ENOENT).\n`,
  });
  writeFileSync(join(dir, '.env'), 'PORT 4000\nHOST=127.0.0.1\nREDIS_URL: redis://:secret@host\n');
  const { status, stderr } = load({});
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toEqual(
    [1, 3].map(
      (line) => `Line ${line} of ${join(dir, '.env')} is not a setting: write NAME=value, on one line.`,
    ),
  );
});
