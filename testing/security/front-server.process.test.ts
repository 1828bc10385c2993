/** The running console's HTTP border, asked over real sockets by who is signed in and who is not. Needs a build. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBroker } from '@/testing/create-broker';
import { expectSecurityHeaders, headersOf, NONCE } from '@/testing/security/response-headers';
import { Processes, requireBuild } from '@/testing/worlds/processes';
import { type RealConsole, startRealConsole, type TestUser } from '@/testing/worlds/real-console';
import { setUpRedis } from '@/testing/worlds/set-up-redis';
import { killAll } from '@/testing/worlds/world';

const ROOT = join(import.meta.dirname, '../..');
const PUBLIC = 'redrive.example.com';
const ADA: TestUser = {
  name: 'ada',
  password: 'a long enough password for ada',
  grants: [{ role: 'admin' }],
};

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
  broker.close();
  site = await startRealConsole(processes, {
    redisUrl: redis.path,
    users: [ADA],
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
  '/alerts',
  '/workers',
  '/redis',
  '/api-reference',
  '/queues/hidden-queue',
  '/queues/hidden-queue/settings',
  '/queues/hidden-queue/jobs/hidden-job',
];
const chunk = () => {
  const [file] = readdirSync(join(ROOT, '.next/static/chunks')).filter((name) => name.endsWith('.js'));
  return `/_next/static/chunks/${file}`;
};

describe('headers are on every response', () => {
  test.each([
    ['GET', '/sign-in', 200],
    ['GET', '/nowhere/at/all', 404],
    ['GET', '/dead/', 308],
    ['GET', '/icon.svg', 200],
    ['GET', '/favicon.ico', 404],
    ['GET', '/_next/static/nope.js', 404],
    ['GET', '/_global-error', null],
    ['GET', '/_not-found', null],
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
    ['GET', '/metrics', 401],
    ['GET', '/stats', 401],
    ['GET', '/api/v1/queues', 401],
    ['GET', '/api/v1/nothing', 401],
    ['GET', '/api/v1/stream', 401],
    ['HEAD', '/sign-in', 200],
    ['HEAD', '/api/v1/queues', 401],
    ['OPTIONS', '/api/v1/queues', 405],
    ['OPTIONS', '/', 405],
    ['TRACE', '/', 405],
    ['POST', '/', 405],
    ['DELETE', '/sign-in', 405],
    ['POST', '/api/v1/session', 400],
    ['GET', '/%00', 404],
    ['GET', `/${'a'.repeat(9_000)}`, 414],
  ])('%s %s', async (method, path, status) => {
    const answer = await site.ask(path, { method });
    if (status !== null) expect(answer.status).toBe(status);
    expectSecurityHeaders(answer.headers, `${method} ${path}`);
  });

  test.each([
    ['/icon.svg', 'image/svg+xml'],
    ['/icon-192.png', 'image/png'],
    ['/icon-512.png', 'image/png'],
    ['/icon-maskable-512.png', 'image/png'],
    ['/apple-touch-icon.png', 'image/png'],
    ['/social.png', 'image/png'],
    ['/manifest.webmanifest', 'application/manifest+json'],
  ])('%s is served without a session', async (path, type) => {
    const answer = await site.ask(path);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain(type);
    expectSecurityHeaders(answer.headers, path);
  });

  test.each(PAGES)('the page %s, with a session and without', async (path) => {
    expectSecurityHeaders((await site.ask(path)).headers, path);
    const page = await site.ask(path, { headers: ada });
    expect(page.status).toBe(200);
    expectSecurityHeaders(page.headers, path);
    expectSecurityHeaders(
      (await site.ask(path, { headers: { ...ada, rsc: '1' } })).headers,
      `${path} for the router`,
    );
  });

  test('built files, whole, in part, and when nothing is new', async () => {
    const file = await site.ask(chunk());
    expect(file.status).toBe(200);
    expectSecurityHeaders(file.headers, 'a file', { kept: true });
    const part = await site.ask(chunk(), { headers: { range: 'bytes=0-9' } });
    expect(part.status).toBe(206);
    expectSecurityHeaders(part.headers, 'a part', { kept: true });
    const same = await site.ask(chunk(), { headers: { 'if-none-match': String(file.headers.etag) } });
    expect(same.status).toBe(304);
    expectSecurityHeaders(same.headers, 'nothing new', { kept: true });
  });

  test('a live stream', async () => {
    const cut = new AbortController();
    const answer = await fetch(`${site.url}/api/v1/stream`, { headers: ada, signal: cut.signal });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expectSecurityHeaders(Object.fromEntries(answer.headers), 'a stream');
    cut.abort();
  });

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['an unknown method', `BREW / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, 400],
    [
      'too many headers',
      `GET / HTTP/1.1\r\nHost: a\r\n${'X-A: aaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(900)}\r\n`,
      431,
    ],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n', 405],
    [
      'a strange expectation',
      'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      417,
    ],
    [
      'a web socket',
      'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      400,
    ],
    [
      'two lengths',
      'POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['another site', 'GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n', 400],
    [
      'an absolute address',
      'GET http://127.0.0.1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
      400,
    ],
    ['the server as a whole', 'OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n', 400],
  ])('also on %s', async (what, bytes, status) => {
    const raw = await site.raw(bytes);
    expect(raw).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expectSecurityHeaders(headersOf(raw), what);
  });
});

describe('S2: the nonce', () => {
  test('is new in each response, and what a client sends as one changes nothing', async () => {
    const evil = {
      'content-security-policy': "script-src 'nonce-evil' 'unsafe-inline'",
      'content-security-policy-report-only': "script-src 'nonce-evil'",
      'x-nonce': 'evil',
    };
    const nonces = new Set<string>();
    for (let i = 0; i < 5; i++) {
      const page = await site.ask('/sign-in', { headers: i % 2 ? evil : {} });
      expect(page.text).not.toContain('evil');
      const nonce = NONCE.exec(String(page.headers['content-security-policy']))?.[1] ?? '';
      nonces.add(nonce);
      const scripts = [...page.text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
      expect(scripts.length).toBeGreaterThan(3);
      for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
    }
    expect(nonces.size).toBe(5);
  });
});
