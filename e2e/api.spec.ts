/** The built server, asked over HTTP: its errors are the designed ones, and stopping it does not wait for its streams. */
import { expect, test } from '@playwright/test';
import { problemSchema } from '../lib/contract/parse-or-throw';
import { searchEventSchema } from '../lib/contract/search/search-schemas';
import { enqueueMails, startOperation } from './api-requests';
import { ANN, cookieOf } from './user-pages';

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
    await ask('post', '/api/v1/operations', { previewToken: 'NOPE', reason: 'no such preview' }),
  ).toMatchObject({ status: 409, code: 'PREVIEW_STALE' });
  // Claims are for programs: a person's session has none.
  expect(
    await ask('post', '/api/v1/queues/default/jobs/NOPE/ack', { token: '1-AAAAAAAAAAAAAAAA' }),
  ).toMatchObject({ status: 403, code: 'FORBIDDEN' });
});

test('a query that cannot be read is refused with its place, also where an answer would stream', async ({
  request,
}) => {
  for (const path of ['/api/v1/dead', '/api/v1/dead/stream', '/api/v1/dead/facets', '/api/v1/dead/groups']) {
    const answer = await request.get(path, { params: { q: 'type:(' } });
    expect(answer.status()).toBe(400);
    const { code, errors } = problemSchema.parse(await answer.json());
    expect([code, errors?.map(({ field }) => field)]).toEqual(['BAD_QUERY', ['q']]);
  }
});

test('searches stream line by line; who hangs up makes room for the next', async ({ request, baseURL }) => {
  const url = `${baseURL}/api/v1/dead/stream?q=${encodeURIComponent('"nowhere to be found"')}`;
  const whole = await request.get(url);
  expect(whole.headers()['content-type']).toBe('application/x-ndjson; charset=utf-8');
  const events = (await whole.text()).trimEnd().split('\n');
  expect(searchEventSchema.parse(JSON.parse(events.at(-1) ?? ''))).toMatchObject({
    end: { nextCursor: null, matching: { count: 0, exact: true } },
  });
  // More than run at once, each left as soon as it has begun.
  for (let i = 0; i < 10; i++) {
    const leaving = new AbortController();
    const response = await fetch(url, { signal: leaving.signal, headers: { cookie: cookieOf(ANN) } });
    if (response.status !== 429) expect(response.status).toBe(200);
    leaving.abort();
  }
  await expect.poll(async () => (await request.get(url)).status()).toBe(200);
});

test('an export is a download with a name; who did it is who signed in, whatever they say', async ({
  request,
}) => {
  expect((await request.put('/api/v1/me', { data: { name: 'Ada Lovelace' } })).status()).toBe(403);
  expect(await (await request.get('/api/v1/me')).json()).toMatchObject({ id: 'local:ann', name: 'ann' });
  await enqueueMails(request, 3);
  const operation = await startOperation(request, {
    kind: 'export',
    scope: { state: 'completed', q: 'type:email.send' },
    format: 'csv',
    maxRows: 2,
  });
  expect(operation).toMatchObject({ actor: 'ann', status: 'running' });
  const file = await request.get(`/api/v1/operations/${operation.id}/file`);
  expect(file.headers()['content-disposition']).toContain(`redrive-completed-${operation.id}.csv`);
  expect((await file.text()).split('\r\n')[0]).toMatch(/^queue,id,state,/);
  await expect
    .poll(async () => (await (await request.get(`/api/v1/operations/${operation.id}`)).json()).status)
    .toBe('completed');
});

test('metrics, health and readiness answer at the root', async ({ request }) => {
  expect((await request.get('/healthz')).status()).toBe(200);
  expect((await request.get('/readyz')).status()).toBe(200);
  expect(await (await request.get('/metrics')).text()).toContain('redis_job_ready_depth{queue="default"}');
});
test('the API reference leads from the menu to a route with an example to copy', { tag: '@smoke' }, async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: /^You are/ }).click();
  await page.getByRole('menuitem', { name: 'API reference' }).click();
  await page.getByRole('link', { name: '/api/v1/queues/{queue}/pause' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('pauseQueue');
  await expect(page.getByLabel('the example', { exact: true })).toContainText(
    'curl -sS -X POST "$REDRIVE_URL/api/v1/queues/mail/pause"',
  );
  await expect(page.getByText('QUEUE_NOT_FOUND: No such queue')).toBeVisible();
  await page.goto('/api-reference/nothing');
  await expect(page.getByText('There is nothing at this address')).toBeVisible();
});
