/** Which answers the running console compresses, asked over real sockets. Needs a build. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paths } from '@/lib/contract/api-paths';
import { createBroker } from '@/testing/create-broker';
import { Processes, requireBuild } from '@/testing/worlds/processes';
import { type RealConsole, startRealConsole, type TestUser } from '@/testing/worlds/real-console';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const ADA: TestUser = {
  name: 'ada',
  password: 'a long enough password for ada',
  grants: [{ role: 'admin' }],
};
const QUEUES = 30;

requireBuild();
const processes = new Processes();
const redis = await setUpRedis();
let site: RealConsole;
let ada: { cookie: string };
beforeAll(async () => {
  const broker = createBroker({ url: redis.path });
  for (let i = 0; i < QUEUES; i += 1)
    await broker.enqueue(`orders-${i}`, { jobType: 'order', tenantId: 'acme', payload: '{}' });
  broker.close();
  site = await startRealConsole(processes, {
    redisUrl: redis.path,
    users: [ADA],
    env: { LOG_LEVEL: 'silent' },
  });
  ada = await site.signIn(ADA);
});
afterAll(() => processes.stopAll());

/** As a browser asks: `fetch` unpacks the body and leaves the header. */
const fetchPacked = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${site.url}${path}`, {
    ...init,
    headers: { ...ada, 'accept-encoding': 'gzip, deflate, br', ...(init.headers as object) },
  });

test.each([paths.queues(), '/api/v1/openapi.json'])(
  'GET %s is compressed for a client that asks for it',
  async (path) => {
    const packed = await fetchPacked(path);
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('vary')).toMatch(/Accept-Encoding/i);
    expect(packed.headers.get('x-redrive-content-encoding')).toBe(null);
    const plain = await site.ask(path, { headers: ada });
    expect(plain.headers['content-encoding']).toBe(undefined);
    expect(Object.keys((await packed.json()) as object)).toEqual(Object.keys(plain.json()));
  },
);

test.each(['identity', 'br', 'gzip;q=0, *;q=0.0'])(
  'GET /api/v1/queues is sent as it is to a client that accepts %s',
  async (accepted) => {
    const answer = await fetchPacked(paths.queues(), { headers: { 'accept-encoding': accepted } });
    expect(answer.headers.get('content-encoding')).toBe(null);
    expect(((await answer.json()) as { queues: unknown[] }).queues).toHaveLength(QUEUES);
  },
);

test('a short answer is sent as it is', async () => {
  const answer = await fetchPacked(paths.me());
  expect(answer.status).toBe(200);
  expect((await answer.text()).length).toBeLessThan(1_024);
  expect(answer.headers.get('content-encoding')).toBe(null);
});

test('the event stream is not compressed', async () => {
  const cut = new AbortController();
  const stream = await fetchPacked(paths.stream(), { signal: cut.signal });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  expect(stream.headers.get('content-encoding')).toBe(null);
  cut.abort();
});

test('a new token is not compressed with the name that the client chose', async () => {
  const answer = await fetchPacked(paths.tokens(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // Long enough for an answer to be compressed.
    body: JSON.stringify({
      name: 'deploy',
      grants: [
        { role: 'viewer', queues: Array.from({ length: 30 }, (_, i) => `orders-${i}-${'x'.repeat(30)}`) },
      ],
    }),
  });
  expect(answer.status).toBe(201);
  expect((await answer.text()).length).toBeGreaterThan(1_024);
  expect(answer.headers.get('content-encoding')).toBe(null);
  expect(answer.headers.get('cache-control')).toContain('no-transform');
});
