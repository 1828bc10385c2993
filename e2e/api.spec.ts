/** The built server, asked over HTTP: its errors are the designed ones, and stopping it does not wait for its streams. */
import { expect, test } from '@playwright/test';
import { problemSchema } from '../lib/contract/errors';
import { enqueueMails } from './api';

test('designed errors survive the production build', async ({ request }) => {
  await enqueueMails(request, 1);
  const ask = async (method: 'get' | 'post', path: string, data?: unknown) =>
    problemSchema.parse(await (await request[method](path, { data })).json());
  expect(await ask('get', '/api/v1/queues/default/jobs/NOPE')).toMatchObject({
    status: 404,
    code: 'JOB_NOT_FOUND',
  });
  expect(await ask('get', '/api/v1/operations/op-NOPE')).toMatchObject({
    status: 404,
    code: 'OPERATION_NOT_FOUND',
  });
  expect(await ask('get', '/api/v1/queues/default/jobs?cursor=abc')).toMatchObject({
    status: 400,
    code: 'BAD_CURSOR',
  });
  expect(
    await ask('post', '/api/v1/queues/default/jobs', { jobType: 'a', payloadText: 'x'.repeat(70_000) }),
  ).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  expect(
    await ask('post', '/api/v1/queues/default/jobs/NOPE/ack', { token: '1-AAAAAAAAAAAAAAAA' }),
  ).toMatchObject({ status: 409, code: 'STALE_CLAIM' });
});

test('metrics, health and readiness answer at the root', async ({ request }) => {
  expect((await request.get('/healthz')).status()).toBe(200);
  expect((await request.get('/readyz')).status()).toBe(200);
  expect(await (await request.get('/metrics')).text()).toContain('redis_job_ready_depth{queue="default"}');
});
