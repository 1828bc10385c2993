/** The front server while one network wants all of it. Real sockets; the page behind it is the test's own. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { until } from '@/testing/poll';
import { expectSecurityHeaders } from '@/testing/security/response-headers';
import { CONNECTIONS_PER_NETWORK_MAX, frontServer } from './front-server';
import { frontSettings } from './front-settings';
import { PAGE_POINTS, WHOLE_PAGE_POINTS } from './page-rate';

const servers: ReturnType<typeof frontServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function start(env: Record<string, string> = {}) {
  const settings = frontSettings(env, { host: '127.0.0.1', port: 3000 });
  let rendered = 0;
  const server = frontServer(settings, async (_, response) => {
    rendered += 1;
    response.end('a page');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, from: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, localAddress: from, agent: false, timeout: 10_000 };
      httpRequest({ ...options, headers }, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      })
        .on('timeout', () => reject(new Error('no answer within 10 s')))
        .on('error', reject)
        .end();
    });
  return { port, ask, rendered: () => rendered };
}

it('one machine cannot take all connections, and those that say nothing are cut', async () => {
  const { port, ask } = await start();
  const sockets: Socket[] = [];
  let closed = 0;
  for (let i = 0; i < CONNECTIONS_PER_NETWORK_MAX + 50; i++) {
    const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.2' });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed += 1;
    });
    // Some say nothing at all, some stop within the headers.
    if (i % 2) socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
    socket.resume();
    sockets.push(socket);
  }
  await until(() => closed >= 50, { what: 'the connections too many to be cut', timeoutMs: 20_000 });
  expect((await ask('/', '127.0.0.1')).status).toBe(200);
  await until(() => closed === sockets.length, { what: 'the slow ones to be cut', timeoutMs: 20_000 });
  // The places they held are free again.
  expect((await ask('/', '127.0.0.2')).status).toBe(200);
}, 60_000);

it("behind a proxy, whose connections are everybody's, the proxy has to limit them", async () => {
  const { port, ask } = await start({ TRUST_PROXY: '1' });
  let closed = 0;
  const opened = Array.from({ length: CONNECTIONS_PER_NETWORK_MAX + 5 }, () => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed += 1;
    });
    return new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  });
  await Promise.all(opened);
  expect((await ask('/', '127.0.0.1')).status).toBe(200);
  expect(closed).toBe(0);
}, 60_000);

it('pages asked for too often are refused before anything is rendered, for that place alone', async () => {
  const { ask, rendered } = await start();
  const most = PAGE_POINTS.most / WHOLE_PAGE_POINTS;
  let refused: Awaited<ReturnType<typeof ask>> | undefined;
  for (let i = 0; !refused && i < 10 * most; i++) {
    const answer = await ask('/sign-in', '127.0.0.1');
    if (answer.status === 429) refused = answer;
  }
  expect(rendered()).toBeGreaterThanOrEqual(most);
  expect(refused?.headers['retry-after']).toBe('1');
  expect(refused?.headers['content-type']).toContain('text/plain');
  expectSecurityHeaders(refused?.headers ?? {}, 'too many pages');
  expect((await ask('/sign-in', '127.0.0.2')).status).toBe(200);
  expect((await ask('/api/v1/queues', '127.0.0.1')).status).toBe(200);
}, 60_000);

it('behind a proxy pages are counted by whom it names', async () => {
  const { ask } = await start({ TRUST_PROXY: '1', REDRIVE_RATE_FACTOR: '0.1' });
  const from = (address: string) => ask('/', '127.0.0.1', { 'x-forwarded-for': `6.6.6.6, ${address}` });
  await until(async () => (await from('10.0.0.1')).status === 429, { what: 'a refusal', everyMs: 1 });
  expect((await from('10.0.0.2')).status).toBe(200);
}, 60_000);
