/** The security catalogue against the running console: each test begins with its number there. Needs a build. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BODY_MAX_BYTES } from '@/lib/contract/body-limit';
import { createBroker } from '@/testing/create-broker';
import { expectSecurityHeaders } from '@/testing/security/response-headers';
import { Processes, requireBuild } from '@/testing/worlds/processes';
import { type RealConsole, startRealConsole, type TestUser } from '@/testing/worlds/real-console';
import { answersMethod, routeFiles } from '@/testing/worlds/route-caller';
import { setUpRedis } from '@/testing/worlds/set-up-redis';
import { killAll } from '@/testing/worlds/world';

const ROOT = join(import.meta.dirname, '../..');
const PUBLIC = 'redrive.example.com';
const ADA: TestUser = {
  name: 'ada',
  password: 'a long enough password for ada',
  grants: [{ role: 'admin' }],
};

const scoped = (name: string): TestUser => ({
  name,
  password: `a long enough password for ${name}`,
  grants: [{ role: 'viewer', queues: [`${name}-queue`] }],
});
const ANN = scoped('ann');
const BEN = scoped('ben');

requireBuild();
const processes = new Processes();
const redis = await setUpRedis();
let site: RealConsole;
let ada: { cookie: string };
beforeAll(async () => {
  const broker = createBroker({ url: redis.path });
  await killAll(broker, 'hidden-queue', [
    {
      jobId: 'hidden-job',
      jobType: 'hidden.type',
      tenantId: 'hidden-tenant',
      payload: '{"a":"hidden-payload"}',
    },
  ]);
  for (const { name } of [ANN, BEN])
    await killAll(broker, `${name}-queue`, [
      { jobId: `${name}-job`, jobType: `${name}.type`, tenantId: `${name}-tenant`, payload: '{}' },
    ]);
  broker.close();
  site = await startRealConsole(processes, {
    redisUrl: redis.path,
    users: [ADA, ANN, BEN],
    env: { REDRIVE_ALLOWED_HOSTS: PUBLIC, LOG_LEVEL: 'silent' },
  });
  ada = await site.signIn(ADA);
});
afterAll(async () => {
  await processes.stopAll();
});

const PAGES = [
  '/',
  '/dead',
  '/operations',
  '/schedules',
  '/workers',
  '/queues/hidden-queue',
  '/queues/hidden-queue/settings',
  '/queues/hidden-queue/jobs/hidden-job',
];
const chunk = () => {
  const [file] = readdirSync(join(ROOT, '.next/static/chunks')).filter((name) => name.endsWith('.js'));
  return `/_next/static/chunks/${file}`;
};

test('S4: names are compared whole; API, metrics and streams are no exception', async () => {
  for (const host of [
    `${PUBLIC}.evil.example`,
    `evil-${PUBLIC}`,
    `a@${PUBLIC}`,
    'evil.example',
    '169.254.169.254',
  ])
    for (const path of ['/', '/api/v1/queues', '/metrics', '/stats', '/api/v1/stream', '/sign-in']) {
      const answer = await site.ask(path, { headers: { host, ...ada } });
      expect(answer.json(), `${host} ${path}`).toMatchObject({ status: 400, code: 'HOST_REFUSED' });
      expect(answer.text).not.toMatch(/hidden[-.]/);
    }
  expect((await site.ask('/api/v1/queues', { headers: { host: PUBLIC, ...ada } })).status).toBe(200);
  expect((await site.ask('/readyz', { headers: { host: '10.9.8.7:3000' } })).status).toBe(200);
});

/** What the router asks for needs a mark in its address that only fits its headers; Next leads there who does not have it. */
async function askAsRouter(path: string, headers: Record<string, string>) {
  const first = await site.ask(path, { headers });
  const onward = first.headers.location ?? '';
  return /[?&]_rsc\b/.test(onward) ? site.ask(onward, { headers }) : first;
}

describe('S12: no page shows data without a session, however it is asked for', () => {
  test.each([
    ['x-middleware-subrequest', { 'x-middleware-subrequest': 'middleware:middleware:middleware' }],
    ['x-middleware-next', { 'x-middleware-next': '1', 'x-middleware-override-headers': 'cookie' }],
    ['RSC', { rsc: '1' }],
    ['a prefetch', { rsc: '1', 'next-router-prefetch': '1' }],
    ['a segment', { rsc: '1', 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' }],
    ['a state tree', { rsc: '1', 'next-router-state-tree': '%5B%22%22%2C%7B%7D%5D' }],
    [
      'another address',
      { 'x-original-url': '/sign-in', 'x-rewrite-url': '/sign-in', 'x-matched-path': '/sign-in' },
    ],
    ['x-invoke', { 'x-invoke-path': '/sign-in', 'x-invoke-status': '200', 'x-nextjs-data': '1' }],
    ['a made-up cookie', { cookie: `redrive=${'a'.repeat(43)}` }],
    ['a made-up token', { authorization: `Bearer rdt_${'a'.repeat(43)}` }],
    ['another machine', { 'x-forwarded-for': '127.0.0.1', 'x-redrive-address': '127.0.0.1' }],
  ])('%s', async (_, headers) => {
    for (const path of PAGES.flatMap((page) => [page, `${page}?nxtPqueue=hidden-queue&nxtPid=hidden-job`])) {
      const { text, status } = await askAsRouter(path, headers as Record<string, string>);
      expect(status, path).toBeLessThan(500);
      for (const secret of ['hidden-payload', 'hidden.type', 'hidden-tenant'])
        expect(text, path).not.toContain(secret);
      if (!path.includes('hidden')) expect(text, path).not.toMatch(/hidden-(queue|job)/);
    }
  });

  test.each([
    '/dead.rsc',
    '/index.rsc',
    '/_next/data/x/dead.json',
    '/dead.segments/_tree.segment.rsc',
    '/dead.txt',
  ])('%s', async (path) => {
    const { text, status } = await site.ask(path, { headers: { rsc: '1' } });
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(/hidden[-.]/);
  });
});

test("x.rsc: an address that ends like the router's own data answers like any other", async () => {
  for (const path of ['/nothing-here', '/dead/x', '/index']) {
    const [known, suffixed] = [
      await site.ask(path, { headers: { ...ada } }),
      await site.ask(`${path}.rsc`, { headers: { ...ada } }),
    ];
    expect([suffixed.status, suffixed.headers['content-type']], path).toEqual([
      404,
      known.headers['content-type'],
    ]);
    expect(known.status).toBe(404);
  }
  for (const path of ['/queues/x.rsc', '/queues/x.prefetch.rsc', '/queues/x.rsc?a=1', '/queues/x.txt']) {
    const { status, headers, text } = await site.ask(path, { headers: { ...ada } });
    expect([status, headers['content-type']], path).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toMatch(/^<!DOCTYPE html>/i);
  }
  const api = await site.ask('/api/v1/nothing.rsc', { headers: { ...ada } });
  expect(api.json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

test('S13: what asks for a server action is refused at once', async () => {
  for (const method of ['GET', 'POST'])
    for (const path of ['/', '/sign-in', '/api/v1/session']) {
      const answer = await site.ask(path, { method, headers: { 'next-action': 'a'.repeat(42), ...ada } });
      expect([400, 405], `${method} ${path}`).toContain(answer.status);
    }
});

test('S14: no image service', async () => {
  for (const path of [
    '/_next/image?url=%2Ficon.svg&w=64&q=75',
    '/_next/image?url=http%3A%2F%2F127.0.0.1&w=64&q=75',
  ])
    expect((await site.ask(path, { headers: ada })).status).toBe(404);
});

test('S22: no sources, maps, dot files, debug routes or JSONP', async () => {
  const maps = readdirSync(join(ROOT, '.next/static'), { recursive: true }).filter((name) =>
    String(name).endsWith('.map'),
  );
  expect(maps).toEqual([]);
  for (const path of [
    `${chunk()}.map`,
    '/.git/config',
    '/.git/HEAD',
    '/.env',
    '/package.json',
    '/server.js',
    '/.next/BUILD_ID',
    '/debug',
    '/config',
    '/api/v1/config',
    '/..%2f..%2fpackage.json',
  ])
    expect((await site.ask(path, { headers: ada })).status, path).toBe(404);
  const jsonp = await site.ask('/api/v1/queues?callback=evil', { headers: ada });
  // Refused, as any parameter that is not known, and in JSON.
  expect(jsonp.headers['content-type']).toMatch(/^application\/(problem\+)?json/);
  expect(jsonp.text).toMatch(/^\{/);
});

test('S23: a body over 1 MiB is 413, whether its length is told or not', async () => {
  const path = '/api/v1/queues/default/jobs';
  const body = JSON.stringify({ jobType: 'a', payloadText: 'x'.repeat(BODY_MAX_BYTES) });
  const told = await site.ask(path, {
    method: 'POST',
    headers: { ...ada, 'content-type': 'application/json' },
    body,
  });
  expect(told.json()).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${ada.cookie}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
  const raw = await site.raw(`${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  expect(raw).toMatch(/^HTTP\/1.1 413 /);
  expect(raw).toContain('BODY_TOO_LARGE');
});

test('a method that a route does not have is 405, and no answer is for other sites', async () => {
  const values: Record<string, string> = {
    queue: 'hidden-queue',
    id: 'x',
    group: 'abcdefabcdef',
    action: 'x',
  };
  let asked = 0;
  for (const { pattern, file } of routeFiles().filter(({ pattern }) => pattern.startsWith('/api/v1/'))) {
    const module = (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
    const path = pattern.replace(/\[(\w+)\]/g, (_, name: string) => values[name] ?? 'x');
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (answersMethod(module, method)) continue;
      const answer = await site.ask(path, { method, headers: { ...ada, origin: site.url } });
      expect(answer.json(), `${method} ${path}`).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
      expect(answer.headers.allow, `${method} ${path}`).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
      expectSecurityHeaders(answer.headers, `${method} ${path}`);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(100);
});

test('S3: another site changes nothing, whatever it sends', async () => {
  const path = '/api/v1/queues/hidden-queue/pause';
  const tries: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://127.0.0.1:${site.port + 1}` },
    { origin: `https://127.0.0.1:${site.port}` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: site.url },
    { origin: 'https://evil.example', host: `127.0.0.1:${site.port}`, 'x-forwarded-host': 'evil.example' },
  ];
  for (const headers of tries) {
    const answer = await site.ask(path, {
      method: 'POST',
      headers: { ...ada, ...headers },
      body: { reason: 'x' },
    });
    expect(answer.json(), JSON.stringify(headers)).toMatchObject({ status: 403, code: 'CROSS_ORIGIN' });
  }
  const plain = await site.ask(path, {
    method: 'POST',
    headers: { ...ada, 'content-type': 'text/plain' },
    body: '{"reason":"x"}',
  });
  expect(plain.json()).toMatchObject({ status: 415, code: 'WRONG_MEDIA_TYPE' });
  expect((await site.ask(path, { headers: ada })).status).toBe(405);
  const queue = (await site.ask('/api/v1/queues/hidden-queue', { headers: ada })).json();
  expect(queue).toMatchObject({ queue: { pauses: [] } });
});

test('S15: two people who ask at the same time never see each other’s bytes, and nothing of it may be kept', async () => {
  const people = [
    { mine: 'ann', other: 'ben', headers: await site.signIn(ANN) },
    { mine: 'ben', other: 'ann', headers: await site.signIn(BEN) },
  ];
  const paths = (name: string) => [
    '/',
    '/dead',
    `/queues/${name}-queue`,
    '/api/v1/queues',
    '/api/v1/dead',
    '/api/v1/dead/facets',
    '/api/v1/me',
    `/api/v1/queues/${name}-queue/jobs/${name}-job`,
  ];
  for (let round = 0; round < 5; round++)
    await Promise.all(
      people.flatMap(({ mine, other, headers }) =>
        paths(mine).map(async (path) => {
          const forRouter: Record<string, string> = round % 2 && !path.startsWith('/api') ? { rsc: '1' } : {};
          const answer = await askAsRouter(path, { ...headers, ...forRouter });
          expect(answer.status, path).toBe(200);
          expect(answer.text, `${path} for ${mine}`).not.toMatch(new RegExp(`${other}[-.]|hidden[-.]`));
          expect(answer.headers['cache-control'], path).toMatch(/^no-store/);
        }),
      ),
    );
});

test('S11: a rate goes with the route, however its address is spelled', async () => {
  const slow = await startRealConsole(processes, {
    redisUrl: redis.path,
    users: [ANN, BEN],
    env: { LOG_LEVEL: 'silent', REDRIVE_RATE_FACTOR: '0.1' },
  });
  const [ann, ben] = [await slow.signIn(ANN), await slow.signIn(BEN)];
  // Many at once: one after the other, a slow machine asks no faster than the limit refills.
  const askMany = (path: string) =>
    Promise.all(Array.from({ length: 40 }, () => slow.ask(path, { headers: ann })));
  const until429 = async () => {
    for (let i = 0; i < 5; i++) {
      const answer = (await askMany('/api/v1/dead')).find(({ status }) => status === 429);
      if (answer) return answer;
    }
    throw new Error('no limit was met');
  };
  const refused = await until429();
  expect(refused.json()).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
  expect(refused.headers['retry-after']).toBe('1');
  for (const path of [
    '/api/v1/dead?q=',
    '/api/v1/%64ead',
    '/api/v1/dead/',
    '/api//v1/dead',
    '/API/v1/dead',
    '/api/v1/dead.rsc',
    '/api/v1/./dead',
  ]) {
    await until429();
    // Some may have come by since; a spelling that is not counted would let all of them through.
    expect(
      (await askMany(path)).some(({ status }) => status !== 200),
      path,
    ).toBe(true);
  }
  expect((await slow.ask('/api/v1/dead', { headers: ben })).status).toBe(200);
});
