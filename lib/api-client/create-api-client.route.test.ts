import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RouteServer, startRouteServer } from '@/testing/routes/route-server';
import { setUpConsole } from '@/testing/worlds/console-server';
import { signInAs, tokenFor } from '@/testing/worlds/users';
import { failure, killAll } from '@/testing/worlds/world';
import { type ApiClient, ApiError, createApiClient } from '.';

const world = await setUpConsole();
let server: RouteServer;
let api: ApiClient;
let token: string;

beforeAll(async () => {
  server = await startRouteServer();
  const me = await signInAs(world, {
    name: 'ann',
    grants: [{ role: 'admin', queues: ['*'], tenants: null }],
  });
  const { headers } = await tokenFor(world, me, [{ role: 'operator', queues: ['mail'], tenants: null }]);
  token = headers.authorization.replace('Bearer ', '');
  api = createApiClient({ url: `${server.url}/`, token });
  await killAll(
    world.broker,
    'mail',
    [{ jobId: 'dead', jobType: 'send', payload: '{}' }],
    failure('HTTP_503'),
  );
});
afterAll(() => server.stop());

/** The error that a promise is rejected with. */
const errorOf = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ApiError);
      return error as ApiError;
    },
  );

describe('the typed client', () => {
  test('reads and changes with parameters, query and body', async () => {
    const { results } = await api.enqueueJobs({
      params: { queue: 'mail' },
      body: { jobId: 'a.b', jobType: 'send', payload: { to: 1 } },
    });
    expect(results).toEqual([{ jobId: 'a.b', outcome: 'ready' }]);
    const { jobs } = await api.listJobs({ params: { queue: 'mail' }, query: { state: 'ready', limit: 1 } });
    expect(jobs.map(({ jobId }) => jobId)).toEqual(['a.b']);
    const { pauses } = await api.pauseQueue({ params: { queue: 'mail' }, body: { reason: 'a test' } });
    expect(pauses).toMatchObject([{ scope: 'queue', reason: 'a test' }]);
    expect((await api.searchDead()).jobs.map(({ jobId }) => jobId)).toEqual(['dead']);
  });

  test('sends an idempotency key, so that a change happens once', async () => {
    const body = { jobType: 'send', payload: 1 };
    const send = () => api.enqueueJobs({ params: { queue: 'mail' }, body, idempotencyKey: 'invoice-7' });
    const [first, second] = [await send(), await send()];
    expect(first.results[0]?.outcome).toBe('ready');
    expect(second.results[0]).toEqual({ jobId: first.results[0]?.jobId, outcome: 'duplicate' });
  });

  test('gives a stream as a response', async () => {
    const response = await api.streamDead({ query: { q: 'queue:mail' } });
    const lines = (await response.text()).trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toHaveProperty('end');
  });

  test('throws what the console says, with code, fields and request id', async () => {
    const error = await errorOf(api.getQueue({ params: { queue: 'elsewhere' } }));
    expect(error).toMatchObject({ status: 404, code: 'QUEUE_NOT_FOUND', requestId: expect.any(String) });
    const wrong = await errorOf(api.listJobs({ params: { queue: 'mail' }, query: { limit: 0 } }));
    expect(wrong).toMatchObject({ code: 'VALIDATION', fields: [{ field: 'limit' }] });
    const anonymous = createApiClient({ url: server.url });
    expect((await errorOf(anonymous.getMe())).code).toBe('UNAUTHENTICATED');
  });

  test('says when nothing answers, and that a change may have happened', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const late = await errorOf(
      createApiClient({ url, timeoutMs: 50 }).resumeQueue({ params: { queue: 'mail' }, body: {} }),
    );
    expect(late.code).toBe('TIMEOUT');
    expect(late.message).toContain('may have taken effect');
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
    expect((await errorOf(createApiClient({ url }).getMe())).code).toBe('UNREACHABLE');
    expect(() => createApiClient({ url: 'console' })).toThrow('url is no address');
  });

  test('sends a token over http to this machine only, unless told to', () => {
    for (const url of [
      'http://redrive.example.com',
      'http://10.0.0.7:3000',
      'http://localhost.example.com',
    ]) {
      expect(() => createApiClient({ url, token: 'rdt_secret' })).toThrow(
        /url is http: on the way to .*https/,
      );
      expect(() => createApiClient({ url })).not.toThrow();
      expect(() => createApiClient({ url, token: 'rdt_secret', insecureHttp: true })).not.toThrow();
    }
    for (const url of [
      'https://redrive.example.com',
      'http://[::1]:3000',
      'http://127.0.0.1',
      'http://localhost',
    ])
      expect(() => createApiClient({ url, token: 'rdt_secret' })).not.toThrow();
  });
});
