/** The running console under clients that hold on: what they take is bounded, and comes back. Needs a build. */
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '@/testing/poll';
import { expectSecurityHeaders, headersOf } from '@/testing/security/response-headers';
import { Processes, requireBuild } from '@/testing/worlds/processes';
import { type RealConsole, startRealConsole, type TestUser } from '@/testing/worlds/real-console';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const ADA: TestUser = {
  name: 'ada',
  password: 'a long enough password for ada',
  grants: [{ role: 'viewer' }],
};
const BEN: TestUser = {
  name: 'ben',
  password: 'a long enough password for ben',
  grants: [{ role: 'viewer' }],
};

requireBuild();
const processes = new Processes();
const redis = await setUpRedis();
let client: Redis;
beforeAll(async () => {
  client = redis.connect();
});
afterAll(async () => {
  await processes.stopAll();
});

const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
const redisClients = async (): Promise<number> =>
  String(await client.call('client', 'list'))
    .trim()
    .split('\n').length;

/** A stream that is read until its first frame, and then held. */
async function hold(site: RealConsole, headers: Record<string, string> = {}) {
  const cut = new AbortController();
  const answer = await fetch(`${site.url}/api/v1/stream`, { headers, signal: cut.signal });
  const reader = answer.body?.getReader();
  if (answer.ok) await reader?.read();
  return { status: answer.status, cut: () => cut.abort(), text: () => answer.text() };
}

test('S21: 500 streams opened and cut leave nothing behind', async () => {
  const env = { LOG_LEVEL: 'silent' };
  const site = await startRealConsole(processes, { redisUrl: redis.path, env });
  await (await hold(site)).cut();
  const settled = () => openFiles(site.process.pid) < 100;
  await until(settled, { what: 'the console to settle', timeoutMs: 20_000 });
  const files = openFiles(site.process.pid);
  const clients = await redisClients();
  const open: (() => void)[] = [];
  for (let round = 0; round < 10; round++) {
    const some = await Promise.all(Array.from({ length: 50 }, () => hold(site)));
    expect(some.every(({ status }) => status === 200)).toBe(true);
    open.push(...some.map(({ cut }) => cut));
  }
  expect(openFiles(site.process.pid)).toBeGreaterThan(files + 450);
  // One more is told to come back later, and everybody else is still answered. All watch through one connection.
  const more = await hold(site);
  expect(more.status).toBe(429);
  expect((await site.ask('/api/v1/queues')).status).toBe(200);
  expect(await redisClients()).toBeLessThanOrEqual(clients + 2);
  for (const cut of open) cut();
  await until(() => openFiles(site.process.pid) <= files + 5, {
    what: 'the files of the console to be closed',
    timeoutMs: 30_000,
    everyMs: 100,
  });
  expect(await redisClients()).toBeLessThanOrEqual(clients + 2);
  const again = await hold(site);
  expect(again.status).toBe(200);
  again.cut();
}, 120_000);

test('S21: one person may hold 20 streams, and another then still has one', async () => {
  const site = await startRealConsole(processes, {
    redisUrl: redis.path,
    users: [ADA, BEN],
    env: { LOG_LEVEL: 'silent' },
  });
  const [ada, ben] = [await site.signIn(ADA), await site.signIn(BEN)];
  const held = await Promise.all(Array.from({ length: 20 }, () => hold(site, ada)));
  expect(held.every(({ status }) => status === 200)).toBe(true);
  const refused = await site.ask('/api/v1/stream', { headers: ada });
  expect(refused.json()).toMatchObject({ status: 429, code: 'TOO_MANY_STREAMS' });
  expect(refused.headers['retry-after']).toBe('30');
  const other = await hold(site, ben);
  expect(other.status).toBe(200);
  for (const one of [...held, other]) one.cut();
  await until(async () => (await hold(site, ada)).status === 200, {
    what: 'a place to be free again',
    timeoutMs: 20_000,
  });
});

test('clients that never finish their request keep nobody else out, and are cut', async () => {
  const site = await startRealConsole(processes, { redisUrl: redis.path, env: { LOG_LEVEL: 'silent' } });
  const said = new Map<Socket, string>();
  let open = 0;
  for (let i = 0; i < 200; i++) {
    const socket = connect({ host: '127.0.0.1', port: site.port });
    said.set(socket, '');
    open += 1;
    socket.on('error', () => undefined);
    socket.on('data', (part) => said.set(socket, said.get(socket) + part.toString('latin1')));
    socket.on('close', () => {
      open -= 1;
    });
    // Half of them stop within the headers, half within the body they announced.
    socket.write(
      i % 2
        ? 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '
        : 'POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
  }
  for (let i = 0; i < 5; i++) expect((await site.ask('/api/v1/queues')).status).toBe(200);
  await until(() => open === 0, { what: 'the slow connections to be cut', timeoutMs: 60_000, everyMs: 100 });
  const slowHeaders = [...said.values()].filter((text) => text.startsWith('HTTP/1.1 408 '));
  expect(slowHeaders.length).toBeGreaterThanOrEqual(100);
  for (const text of slowHeaders.slice(0, 3)) expectSecurityHeaders(headersOf(text), 'too slow');
  expect((await site.ask('/api/v1/queues')).status).toBe(200);
}, 120_000);
