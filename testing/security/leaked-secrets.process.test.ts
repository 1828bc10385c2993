/**
 * S23 and ASVS 16.5: what the running console says, in its output and in its answers, while people sign in, things go wrong and Redis
 * goes away: never a secret, never a stack, never where Redis is. Needs a build.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paths } from '@/lib/contract/api-paths';
import { until } from '@/testing/poll';
import { expectSecurityHeaders } from '@/testing/security/response-headers';
import { Processes, requireBuild } from '@/testing/worlds/processes';
import {
  type Answer,
  type AskOptions,
  type RealConsole,
  startRealConsole,
  type TestUser,
} from '@/testing/worlds/real-console';
import { setUpRedisOnPort } from '@/testing/worlds/set-up-redis';

const ROOT = join(import.meta.dirname, '../..');
const REDIS_PASSWORD = 'secret-of-redis-51c0';
const ADA: TestUser = {
  name: 'ada',
  password: 'secret-of-ada-b7a1-long-enough',
  grants: [{ role: 'admin' }],
};
const WRONG = 'secret-mistyped-09fe-long-enough';
const AUDIT_KEY = 'secret-of-the-audit-log-3c55-32-characters';

/** Alerts fire while Redis is away, and are sent where no name server leads. */
const ALERT_PATH = 'secret-of-a-channel-77f0';
const ALERT_KEY = 'secret-of-a-signature-e2d4';
const ALERTS = {
  channels: [
    {
      name: 'tickets',
      kind: 'webhook',
      url: `https://hooks.redrive.invalid/${ALERT_PATH}`,
      secret: ALERT_KEY,
    },
  ],
  rules: { REDIS: { forSeconds: 0 } },
};

requireBuild();
const processes = new Processes();
const redis = await setUpRedisOnPort(['--appendonly', 'yes']);
let site: RealConsole;
/** Everything that was answered, headers and all. */
const answers: string[] = [];
const secrets = new Set([
  REDIS_PASSWORD,
  ADA.password,
  WRONG,
  AUDIT_KEY,
  ALERT_PATH,
  ALERT_KEY,
  '$argon2id$',
]);

const lock = async () => {
  const client = redis.connect();
  await client.config('SET', 'requirepass', REDIS_PASSWORD);
};

beforeAll(async () => {
  await lock();
  site = await startRealConsole(processes, {
    redisUrl: redis.url.replace('redis://', `redis://:${REDIS_PASSWORD}@`),
    users: [ADA],
    env: {
      LOG_LEVEL: 'trace',
      REDRIVE_AUDIT_KEY: AUDIT_KEY,
      REDRIVE_ALERTS: JSON.stringify(ALERTS),
    },
  });
});
afterAll(async () => {
  await processes.stopAll();
});

async function ask(path: string, options: AskOptions = {}): Promise<Answer> {
  const answer = await site.ask(path, options);
  const { 'set-cookie': cookies = [], ...headers } = answer.headers;
  // The cookie is the one place where a session's secret is said, once.
  for (const cookie of cookies) {
    const value = /^[^=]+=([^;]+)/.exec(cookie)?.[1];
    if (value) secrets.add(value);
    expect(cookie).toMatch(/; HttpOnly; SameSite=(Strict|Lax)$/);
  }
  answers.push(JSON.stringify(headers), answer.text);
  expectSecurityHeaders(answer.headers, path);
  return answer;
}

const PAGES = [
  '/',
  '/dead',
  '/operations',
  '/workers',
  '/redis',
  '/schedules',
  '/alerts',
  '/api-reference',
  '/queues/default',
  '/sign-in',
  '/nowhere',
];
const READS = [
  '/api/v1/queues',
  '/api/v1/dead',
  '/api/v1/operations',
  '/api/v1/me',
  '/api/v1/workers',
  '/metrics',
  '/stats',
];

test('while Redis is there', async () => {
  for (const password of [WRONG, ADA.password]) {
    const answer = await ask(paths.session(), { method: 'POST', body: { name: 'ada', password } });
    expect(answer.status).toBe(password === WRONG ? 401 : 200);
  }
  const ada = await site.signIn(ADA);
  secrets.add(ada.cookie.replace(/^[^=]+=/, ''));
  const made = await site.ask(paths.tokens(), {
    method: 'POST',
    headers: ada,
    body: { name: 'deploy', grants: [{ role: 'viewer' }] },
  });
  const token = String(made.json().token);
  expect(token).toMatch(/^rdt_/);
  secrets.add(token);
  for (const path of [...PAGES, ...READS, paths.sessions(), paths.users(), paths.tokens(), paths.audit()]) {
    await ask(path);
    await ask(path, { headers: ada });
    await ask(path, { headers: { authorization: `Bearer ${token}` } });
    await ask(path, { headers: { authorization: `Bearer ${token}x` } });
    await ask(path, {
      headers: { authorization: `Basic ${Buffer.from(`ada:${ADA.password}`).toString('base64')}` },
    });
  }
  await ask('/api/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"name":"ada","password":"${WRONG}"`,
  });
  await ask('/api/v1/session', {
    method: 'POST',
    body: { name: 'ada', password: ADA.password, admin: true },
  });
  await ask('/api/v1/session/reauthentication', { method: 'POST', headers: ada, body: { password: WRONG } });
});

test('while Redis is away everything is refused with an id, pages come without data, and then all goes on', async () => {
  const ada = await site.signIn(ADA);
  secrets.add(ada.cookie.replace(/^[^=]+=/, ''));
  const client = redis.connect({ password: REDIS_PASSWORD });
  await client.bgrewriteaof().catch(() => undefined);
  await redis.kill('SIGKILL');
  await until(async () => (await ask('/readyz')).status === 503, {
    what: 'readiness to fail',
    timeoutMs: 20_000,
  });
  for (const path of READS) {
    const answer = await ask(path, { headers: ada });
    expect(answer.json(), path).toMatchObject({ status: 503, requestId: expect.stringMatching(/.{8,}/) });
  }
  const change = await ask('/api/v1/queues/default/pause', {
    method: 'POST',
    headers: ada,
    body: { reason: 'x' },
  });
  expect(change.json()).toMatchObject({ status: 503 });
  const entry = await ask(paths.session(), { method: 'POST', body: { name: 'ada', password: ADA.password } });
  expect(entry.status).toBe(503);
  for (const path of PAGES) expect((await ask(path, { headers: ada })).status, path).toBeLessThan(500);
  expect((await ask('/healthz')).status).toBe(200);
  await redis.restart();
  await lock();
  await until(async () => (await ask('/readyz')).status === 200, {
    what: 'readiness to return',
    timeoutMs: 20_000,
  });
  expect((await ask('/api/v1/queues', { headers: ada })).status).toBe(200);
}, 120_000);

test('L6: the log says where the Redis is that is away, without its password, as the docs have it; no answer does', () => {
  const place = `127.0.0.1:${new URL(redis.url).port}`;
  const lines = site.process.output().split('\n');
  expect(lines.some((line) => line.includes(`nothing listens at ${place}`))).toBe(true);
  expect(lines.filter((line) => line.includes(REDIS_PASSWORD))).toEqual([]);
  expect(answers.filter((answer) => answer.includes(place))).toEqual([]);
  const docs = readFileSync(join(ROOT, 'docs/security.md'), 'utf8').replace(/\s+/g, ' ');
  expect(docs).toContain('They do say host and port of a Redis that cannot be reached');
});

test('what was said by then holds no secret, no stack, and not where Redis is', async () => {
  const output = site.process.output();
  expect(output).toContain('sign');
  const port = new URL(redis.url).port;
  for (const [where, text] of [
    ['the output', output],
    ['the answers', answers.join('\n')],
  ] as const)
    for (const secret of secrets)
      expect(text.includes(secret), `${secret.slice(0, 12)}… in ${where}`).toBe(false);
  const said = answers.join('\n');
  expect(said).not.toContain(`127.0.0.1:${port}`);
  expect(said).not.toMatch(/ECONNREFUSED|ioredis|node_modules|\n\s+at .+:\d+:\d+/);
  const chunks = join(ROOT, '.next/static');
  for (const name of readdirSync(chunks, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.js'))) {
    const text = readFileSync(join(chunks, name), 'utf8');
    // Names of variables may be told in a hint. Their values, a password in an address, a hash or a token may not be there.
    expect(text, name).not.toMatch(/process\.env\.(REDIS|OIDC|REDRIVE|AUTH)/);
    expect(text, name).not.toMatch(
      /rediss?:\/\/[^/"'` ]*:[^/"'` ]+@|\$argon2id\$v=19\$m=\d+,|rdt_[A-Za-z0-9_-]{43}/,
    );
  }
});
