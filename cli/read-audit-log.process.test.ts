/** `npm run audit` as a user runs it: a real process, a real Redis, a real file. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBroker } from '@/testing/create-broker';
import { setUpRedis } from '@/testing/worlds/set-up-redis';
import { jobs } from '@/testing/worlds/world';

const ROOT = join(import.meta.dirname, '..');
const COMMAND = [
  '--import',
  './scripts/ensure-lua.mjs',
  '--import',
  'tsx',
  '--import',
  './scripts/load-env.mjs',
  ...['cli/redrive.ts', 'audit'],
];
const KEY = 'a-key-of-more-than-32-characters-for-the-log';
const ENTRIES = 'rd:{.audit}:entries';
const redis = await setUpRedis();
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'redrive-audit-'));
  const broker = createBroker({ url: redis.path });
  await broker.enqueueMany('email', jobs(1));
  for (let i = 0; i < 5; i++)
    await broker.pause('email', { reason: `evil \u202E${i}` }, { actor: 'ann', actorId: 'local:ann' });
  await broker.audit.collect({ keys: [KEY] });
  broker.close();
});
afterAll(async () => {
  rmSync(dir, { recursive: true });
});

function audit(words: string[], env: Record<string, string> = { REDRIVE_AUDIT_KEY: KEY }) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...COMMAND, ...words], {
    cwd: ROOT,
    env: { ...process.env, REDIS_URL: redis.path, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, out: stdout, err: stderr };
}
const fileOf = (text: string): string => {
  const path = join(dir, 'log.ndjson');
  writeFileSync(path, text);
  return path;
};

test('the command of package.json is the one tested here', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts.audit).toBe(`node ${COMMAND.join(' ')}`);
});

test('a log that holds, in Redis and as a file', async () => {
  expect(audit(['verify'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^The audit log holds: 6 entries \(1 to 6\) checked, keyed\. Newest hash: hmac-[0-9a-f]{64}\n$/,
    ),
  });
  const exported = audit(['export']).out;
  // Nothing but ASCII reaches a terminal.
  expect(exported).toMatch(/^[\n -~]+$/);
  expect(exported.trimEnd().split('\n')).toHaveLength(8);
  // A file is checked without Redis.
  expect(
    audit(['verify', '--file', fileOf(exported)], { REDRIVE_AUDIT_KEY: KEY, REDIS_URL: '' }),
  ).toMatchObject({ code: 0 });
  const key = join(dir, 'key');
  writeFileSync(key, `${KEY}\n`);
  expect(audit(['verify'], { REDRIVE_AUDIT_KEY_FILE: key }).code).toBe(0);
  const [n, hash] = audit(['head']).out.split(' ');
  expect([n, exported.includes(`"hash":"${hash}"`)]).toEqual(['6', true]);
});

test('a log that does not hold: sentences, and an end that scripts can tell', async () => {
  const exported = audit(['export']).out;
  const changed = audit(['verify', '--file', fileOf(exported.replace('"actor":"ann"', '"actor":"eve"'))]);
  expect(changed).toMatchObject({
    code: 8,
    out: expect.stringMatching(
      /^Entry 2 was changed after it was written: its hash does not fit what it says\./,
    ),
  });
  const cut = audit(['verify', '--file', fileOf(exported.split('\n').slice(0, -3).join('\n'))]);
  expect([cut.code, cut.out]).toEqual([
    8,
    expect.stringMatching(/missing at the end[\s\S]*The file has no last line/),
  ]);
  expect(audit(['verify'], { REDRIVE_AUDIT_KEY: '' })).toMatchObject({
    code: 8,
    out: expect.stringContaining('is keyed: give the key'),
  });
  const client = redis.connect();
  await client.xdel(ENTRIES, '3-0');
  expect(audit(['verify'])).toMatchObject({
    code: 8,
    out: expect.stringMatching(/^Entry 3 is missing: removed after it was written\./),
  });
});

test.each([
  [['erase'], 'too many arguments'],
  [['verify', 'x'], 'too many arguments'],
  [['head', '--file', 'x'], "unknown option '--file'"],
])('%j is refused: %s', (words, sentence) => {
  expect(audit(words)).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
});

test('without a Redis it says what is missing', () => {
  expect(audit(['verify'], { REDIS_URL: '' })).toMatchObject({
    code: 2,
    err: expect.stringContaining('REDIS_URL is missing'),
  });
});
