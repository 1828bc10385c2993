/** `npm run doctor` as an operator runs it: a real process and a real Redis. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDocumentedUsers, startRedisOnPort } from '@/testing/worlds/redis-server';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const ROOT = join(import.meta.dirname, '..');
const COMMAND = [
  ...['./scripts/ensure-lua.mjs', 'tsx', './scripts/load-env.mjs'].flatMap((file) => ['--import', file]),
  ...['cli/redrive.ts', 'doctor'],
];
const redis = await setUpRedis();

function doctor(words: string[], env: Record<string, string | undefined>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...COMMAND, ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'test', ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, out: stdout, err: stderr };
}

test('a Redis that loses jobs is named with reason and fix, and the code says so', () => {
  const { code, out, err } = doctor([], { REDIS_URL: redis.path });
  expect(err).toBe('Something is wrong.\n');
  expect(out).toContain('Configuration: nothing wrong.');
  expect(out).toMatch(
    /BAD {2}Append-only file: off\n +Without it a restart loses.*\n +Run CONFIG SET appendonly yes/,
  );
  expect(out).not.toContain('Eviction policy');
  expect(code).toBe(8);
  expect(doctor(['--all'], { REDIS_URL: redis.path }).out).toContain('ok   Eviction policy: noeviction');
});

test('a wrong configuration and its Redis are checked together, and no secret is repeated', () => {
  const { code, out } = doctor([], {
    REDIS_URL: redis.path,
    PORT: 'many',
    REDRIVE_USERS_FILE: '/nowhere/users.json',
    REDRIVE_AUDIT_KEY: 'hunter2',
  });
  expect(out).toContain('Configuration: 2 mistakes.');
  expect(out).toContain('PORT must be a number from 1 to 65535.');
  expect(out).toContain('REDRIVE_AUDIT_KEY must be at least 32 characters');
  expect(out).not.toContain('hunter2');
  expect(out).toContain('Append-only file');
  expect(code).toBe(8);
});

test('a users file that is missing is found once the variables are right', () => {
  const { code, out } = doctor([], { REDIS_URL: redis.path, REDRIVE_USERS_FILE: '/nowhere/users.json' });
  expect(out).toMatch(/REDRIVE_USERS_FILE.*\/nowhere\/users\.json/);
  expect(code).toBe(8);
});

test('a channel of alerts that leads to a private address is found, and nothing is sent to it', () => {
  const channel = { name: 'chat', kind: 'slack', url: 'https://localhost/s3cret' };
  const configured = (allowedHosts: string[]) =>
    doctor([], {
      REDIS_URL: redis.path,
      REDRIVE_ALERTS: JSON.stringify({ channels: [channel], allowedHosts }),
    }).out;
  expect(configured([])).toMatch(
    /BAD {2}Alert channel chat: localhost leads to .*, which is not a public address\. If that is right, add "localhost"/,
  );
  expect(configured([])).not.toContain('s3cret');
  // Nothing listens there: a message would fail.
  expect(configured(['localhost'])).toContain('Configuration: nothing wrong.');
});

test('no Redis, and one that is not there, are each a sentence', () => {
  expect(doctor(['--redis'], {})).toMatchObject({
    code: 8,
    out: expect.stringContaining('REDIS_URL is missing'),
  });
  const gone = doctor(['--redis'], { REDIS_URL: '/tmp/redrive-no-such.sock' });
  expect(gone).toMatchObject({ code: 8 });
  expect(gone.out).toContain('the unix socket does not exist');
});

test('a sound Redis ends with 0, and with --strict only when nothing is left to say; --json is for programs', async () => {
  const sound = await startRedisOnPort(['--appendonly', 'yes', '--maxmemory', '1gb']);
  try {
    const admin = sound.connect();
    await makeDocumentedUsers(admin);
    await admin.call('ACL', 'SETUSER', 'default', 'off');
    const REDIS_URL = sound.url.replace('redis://', 'redis://redrive:a-long-password@');
    const { code, out } = doctor(['--json'], { REDIS_URL });
    const found = JSON.parse(out);
    expect(found).toMatchObject({ configuration: [], redisError: null });
    expect(
      found.redis.servers[0].checks.filter(({ verdict }: { verdict: string }) => verdict === 'bad'),
    ).toEqual([]);
    expect(out).not.toContain('a-long-password');
    expect(code).toBe(0);
    // This user may not ask CONFIG.
    expect(doctor(['--strict'], { REDIS_URL }).code).toBe(8);
  } finally {
    await sound.stop();
  }
});

test('an unknown option is a sentence', () => {
  expect(doctor(['--fix'], { REDIS_URL: redis.path })).toMatchObject({
    code: 2,
    err: expect.stringContaining('--fix'),
  });
});
