/** Operations over HTTP: look, confirm, follow, stop, undo. What was previewed is what is touched. */
import { beforeAll, expect, test } from 'vitest';
import { jobPageSchema } from '@/lib/contract/jobs/job-schemas';
import {
  type Operation,
  operationJobsSchema,
  operationSchema,
  operationsPageSchema,
} from '@/lib/contract/operations/operation';
import { isOpen } from '@/lib/contract/operations/operation-kinds';
import { type Preview, previewSchema } from '@/lib/contract/operations/operation-preview';
import { searchPageSchema } from '@/lib/contract/search/search-schemas';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { claimAll, failure, killAll } from '@/testing/worlds/world';

const world = await setUpConsole();
beforeAll(async () => {
  const { getOperationRunner: getBulkRunner } = await import('@/lib/server/background/operation-runner');
  getBulkRunner().start();
});

type Headers = Record<string, string>;
const ada = { cookie: 'redrive-name=Ada' };
const bob = { cookie: 'redrive-name=Bob' };

const bury = (queue: string, count: number, rest: { tenantId?: string } = {}) =>
  killAll(
    world.broker,
    queue,
    Array.from({ length: count }, (_, i) => ({
      jobId: `${queue}-${i}`,
      jobType: 'invoice.issue',
      tenantId: i % 2 ? 'acme' : 'globex',
      payload: '{}',
      ...rest,
    })),
    failure('HTTP_400'),
  );
const post = (path: string, body: unknown, headers: Headers = {}) => callApi('POST', path, { body, headers });
async function preview(action: object, headers: Headers = {}): Promise<Preview> {
  const answer = await post('/api/v1/operations/preview', action, headers);
  expect(answer.body).not.toHaveProperty('code');
  return previewSchema.parse(answer.body);
}
async function start(token: string, more: object = {}, headers: Headers = {}): Promise<Operation> {
  const answer = await post('/api/v1/operations', { previewToken: token, reason: 'fixed', ...more }, headers);
  expect(answer.body).not.toHaveProperty('code');
  expect(answer.status).toBe(202);
  return operationSchema.parse(answer.body);
}
const get = async (id: string) =>
  operationSchema.parse((await callApi('GET', `/api/v1/operations/${id}`)).body);
const ended = (id: string) =>
  until(
    async () => {
      const operation = await get(id);
      return isOpen(operation.status) ? null : operation;
    },
    { what: `operation ${id} to end`, timeoutMs: 15_000 },
  );
const matching = async (q: string) =>
  searchPageSchema.parse((await callApi('GET', `/api/v1/dead?q=${encodeURIComponent(q)}`)).body).matching
    .count;
const stateOf = async (queue: string, id: string) =>
  (await callApi('GET', `/api/v1/queues/${queue}/jobs/${id}`)).body.state;

test('a re-drive touches what its preview counted, once however often it is sent', async () => {
  await bury('one', 10);
  const looked = await preview({ kind: 'redrive', scope: { q: 'queue:one tenant:acme' } });
  expect(looked).toMatchObject({ count: 5, exact: true, typedCount: null, needsApproval: false });
  expect(looked.breakdown.tenant).toEqual([{ value: 'acme', count: 5 }]);
  expect(looked.samples).toHaveLength(5);
  expect(await matching('queue:one')).toBe(10);

  const key = { 'idempotency-key': 'one-click', ...ada };
  const started = await start(looked.token, {}, key);
  expect((await start(looked.token, {}, key)).id).toBe(started.id);
  const done = await ended(started.id);
  expect(done).toMatchObject({ status: 'completed', moved: 5, skipped: 0, actor: 'Ada', reason: 'fixed' });
  expect(await matching('queue:one')).toBe(5);
  const ready = jobPageSchema.parse((await callApi('GET', '/api/v1/queues/one/jobs?state=ready')).body);
  expect(ready.jobs.every(({ tenantId }) => tenantId === 'acme')).toBe(true);
  expect(ready.total).toBe(5);
});

test('a token is good for one operation, and a key for one intent', async () => {
  await bury('token', 2);
  const looked = await preview({ kind: 'suppress', scope: { q: 'queue:token' } });
  const first = await start(looked.token, {}, { 'idempotency-key': 'a-click' });
  await ended(first.id);
  const again = await post('/api/v1/operations', { previewToken: looked.token, reason: 'fixed' });
  expect(again.body).toMatchObject({ status: 409, code: 'PREVIEW_STALE' });
  const other = await preview({ kind: 'redrive', scope: { state: 'suppressed', q: 'queue:token' } });
  const reused = await post(
    '/api/v1/operations',
    { previewToken: other.token, reason: 'other' },
    { 'idempotency-key': 'a-click' },
  );
  const isReused = { status: 409, code: 'ID_CONFLICT', errors: [{ field: 'Idempotency-Key' }] };
  expect(reused.body).toMatchObject(isReused);
  const slower = await post(
    '/api/v1/operations',
    { previewToken: looked.token, reason: 'fixed', rate: { perSecond: 1 } },
    { 'idempotency-key': 'a-click' },
  );
  expect(slower.body).toMatchObject(isReused);
  const undo = (q: string) =>
    post(`/api/v1/operations/${first.id}/undo`, { reason: 'back', q }, { 'idempotency-key': 'an-undo' });
  expect((await undo('type:a')).status).toBe((await undo('type:a')).status);
  expect((await undo('type:b')).body).toMatchObject(isReused);
});

test('a preview that no longer holds is refused with what changed, and nothing is touched', async () => {
  await bury('stale', 3);
  const looked = await preview({ kind: 'purge', scope: { q: 'queue:stale' } });
  await world.broker.redrive('stale', ['stale-1'], { actor: 'somebody' });
  const refused = await post('/api/v1/operations', { previewToken: looked.token, reason: 'x' });
  expect(refused.body).toMatchObject({ status: 409, code: 'PREVIEW_STALE' });
  expect(String(refused.body.detail)).toMatch(/\b3\b.*\b2\b/);
  expect(await matching('queue:stale')).toBe(2);
});

test('what dies after the preview is not touched', async () => {
  await bury('later', 2);
  const looked = await preview({ kind: 'purge', scope: { q: 'queue:later' } });
  await until(async () => (await world.broker.now()) > looked.cutoff, { what: 'a later millisecond' });
  await killAll(world.broker, 'later', [{ jobId: 'late', jobType: 'invoice.issue', payload: '{}' }]);
  expect(await ended((await start(looked.token)).id)).toMatchObject({ moved: 2 });
  expect(await stateOf('later', 'late')).toBe('dead');
});

test('above a size the number must be typed', async () => {
  await bury('many', 101);
  const looked = await preview({ kind: 'purge', scope: { q: 'queue:many' } });
  expect(looked.typedCount).toBe(101);
  for (const typedCount of [undefined, 100]) {
    const body = { previewToken: looked.token, reason: 'x', typedCount };
    const answer = await post('/api/v1/operations', body);
    expect(answer.body).toMatchObject({ status: 400, code: 'VALIDATION', errors: [{ field: 'typedCount' }] });
  }
  expect(await matching('queue:many')).toBe(101);
  const { id } = await start(looked.token, { typedCount: 101 });
  expect(await ended(id)).toMatchObject({ moved: 101 });
});

test('ticked jobs: each that changed is reported, and no other is held up by it', async () => {
  await bury('ticked', 3);
  const jobs = ['ticked-0', 'ticked-1', 'gone'].map((jobId) => ({ queue: 'ticked', jobId }));
  const looked = await preview({ kind: 'purge', scope: { jobs } });
  await world.broker.redrive('ticked', ['ticked-1'], { actor: 'somebody' });
  const done = await ended((await start(looked.token)).id);
  expect(done).toMatchObject({ moved: 1, skipped: 2, skips: { changed: 2 } });
  expect(await stateOf('ticked', 'ticked-0')).toBe('trashed');
  expect(await stateOf('ticked', 'ticked-2')).toBe('dead');
});

test('it is paused, made slower, resumed and cancelled by people with names', async () => {
  await bury('slow', 50);
  const looked = await preview({ kind: 'redrive', scope: { q: 'queue:slow' } });
  const { id } = await start(looked.token, { rate: { perSecond: 1 } });
  const act = async (action: string, headers: Headers = {}, body: object = {}) => {
    const answer = await post(`/api/v1/operations/${id}/${action}`, body, headers);
    expect(answer.status).toBe(200);
    return operationSchema.parse(answer.body);
  };
  const paused = await act('pause', bob, { reason: 'too many' });
  expect(paused).toMatchObject({ status: 'paused', paused: { by: 'Bob', sentence: 'too many' } });
  const changed = await callApi('PATCH', `/api/v1/operations/${id}`, {
    body: { rate: { perSecond: 2 } },
  });
  expect(operationSchema.parse(changed.body).rate.perSecond).toBe(2);
  expect((await act('resume')).status).toBe('running');
  await act('cancel', ada);
  const done = await ended(id);
  expect(done.status).toBe('cancelled');
  expect(done.moved).toBeLessThan(50);
  expect(done.moved + (await matching('queue:slow'))).toBe(50);
  expect(done.events.map(({ type: what, by }) => `${what} ${by}`)).toEqual(
    expect.arrayContaining(['paused Bob', 'resumed local operator', 'cancelled Ada']),
  );
  for (const action of ['pause', 'resume', 'approve', 'reject']) {
    const late = await post(`/api/v1/operations/${id}/${action}`, {});
    expect(late.body).toMatchObject({ status: 409, code: 'OPERATION_STATE' });
  }
});

test('where a queue says so a second person decides about a purge', async () => {
  await bury('guarded', 4);
  await callApi('PATCH', '/api/v1/queues/guarded/config', { body: { purgeNeedsApproval: true } });
  const ask = async (q: string) => {
    const looked = await preview({ kind: 'purge', scope: { q } }, ada);
    expect(looked.needsApproval).toBe(true);
    const operation = await start(looked.token, {}, ada);
    expect(operation.status).toBe('awaiting-approval');
    return operation.id;
  };
  const wanted = await ask('queue:guarded tenant:acme');
  const own = await post(`/api/v1/operations/${wanted}/approve`, {}, ada);
  expect(own.body).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  expect((await post(`/api/v1/operations/${wanted}/approve`, {}, bob)).status).toBe(200);
  expect(await ended(wanted)).toMatchObject({ status: 'completed', moved: 2, decidedBy: 'Bob' });
  const unwanted = await ask('queue:guarded');
  await post(`/api/v1/operations/${unwanted}/reject`, { reason: 'we need them' }, bob);
  expect(await get(unwanted)).toMatchObject({ status: 'rejected', moved: 0, decidedBy: 'Bob' });
  expect(await matching('queue:guarded')).toBe(2);
});

test('a purge is undone in part, then whole', async () => {
  await bury('undo', 6);
  const looked = await preview({ kind: 'purge', scope: { q: 'queue:undo' } });
  const purge = await ended((await start(looked.token)).id);
  expect(purge).toMatchObject({ moved: 6, undo: { kind: 'restore' } });
  const undo = async (body: object) => {
    const answer = await post(`/api/v1/operations/${purge.id}/undo`, body, bob);
    expect(answer.status).toBe(202);
    return ended(operationSchema.parse(answer.body).id);
  };
  const part = await undo({ reason: 'not those', q: 'tenant:acme' });
  expect(part).toMatchObject({ kind: 'restore', undoes: purge.id, moved: 3, actor: 'Bob' });
  expect(await matching('queue:undo')).toBe(3);
  expect(await undo({ reason: 'none of them' })).toMatchObject({ moved: 3 });
  expect(await matching('queue:undo')).toBe(6);
});

test('what became of the jobs of a re-drive is counted, and each can be looked at', async () => {
  await bury('fate', 6);
  const looked = await preview({ kind: 'redrive', scope: { q: 'queue:fate' } });
  const { id } = await ended((await start(looked.token)).id);
  const claimed = await claimAll(world.broker, 'fate', { most: 4 });
  await world.broker.ack('fate', claimed.slice(0, 1));
  await world.broker.fail(
    'fate',
    claimed.slice(1, 3).map(({ jobId, token }) => ({ jobId, token, failure: failure('AGAIN') })),
  );
  const { outcome } = await get(id);
  expect(outcome).toMatchObject({ completed: 1, diedAgain: 2, running: 1, waiting: 2, recalled: 0 });
  const list = async (what: string, more = '') =>
    operationJobsSchema.parse(
      (await callApi('GET', `/api/v1/operations/${id}/jobs?outcome=${what}${more}`)).body,
    );
  const found = await Promise.all(['completed', 'died-again', 'running', 'waiting'].map((o) => list(o)));
  expect(found.map(({ jobs }) => jobs.length)).toEqual([1, 2, 1, 2]);
  expect(found[1]?.jobs.every(({ errorCode }) => errorCode === 'AGAIN')).toBe(true);
  const first = await list('waiting', '&limit=1');
  const second = await list('waiting', `&limit=1&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
  expect(new Set([...first.jobs, ...second.jobs].map(({ jobId }) => jobId)).size).toBe(2);
  expect(await matching(`operation:${id}`)).toBe(2);
});

test('the jobs that were left alone are listed, each with why', async () => {
  await killAll(
    world.broker,
    'left-alone',
    Array.from({ length: 3 }, (_, i) => ({
      jobId: `bad-${i}`,
      jobType: 'mail',
      tenantId: 'acme',
      payload: '{}',
    })),
    failure('BAD', 'malformed'),
  );
  const looked = await preview({ kind: 'redrive', scope: { q: 'queue:left-alone' } });
  const { id } = await ended((await start(looked.token)).id);
  const list = async (more = '') =>
    operationJobsSchema.parse(
      (await callApi('GET', `/api/v1/operations/${id}/jobs?outcome=skipped${more}`)).body,
    );
  const all = await list();
  expect(all.jobs).toHaveLength(3);
  expect(all.skips?.map(({ queue, reason }) => `${queue} ${reason}`)).toEqual(
    Array(3).fill('left-alone not-safe'),
  );
  const first = await list('&limit=2');
  const second = await list(`&limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
  expect([...(first.skips ?? []), ...(second.skips ?? [])]).toEqual(all.skips);
});

test('operations are listed latest first, a page at a time', async () => {
  const page = async (more: string) =>
    operationsPageSchema.parse((await callApi('GET', `/api/v1/operations?limit=3${more}`)).body);
  const first = await page('');
  const second = await page(`&cursor=${first.nextCursor}`);
  const times = [...first.operations, ...second.operations].map(({ createdAt }) => createdAt);
  expect(times).toEqual([...times].sort((a, b) => b - a));
  expect(new Set([...first.operations, ...second.operations].map(({ id }) => id)).size).toBe(6);
});
