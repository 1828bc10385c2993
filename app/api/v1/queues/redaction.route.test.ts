/** Hidden values over HTTP: who sees them, by which way, and that a look is on record before it is answered. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Grant, Role } from '@/lib/contract/access/grant-scopes';
import { paths } from '@/lib/contract/api-paths';
import { EXPORT_FORMATS } from '@/lib/contract/operations/operation-kinds';
import { MASK, MASK_TEXT } from '@/lib/contract/redaction';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { type SignedIn, signInAs, tokenFor } from '@/testing/worlds/users';

const SECRET = 'hunter2-swordfish';
const PAYLOAD = `{"user":"ann","password":"${SECRET}"}`;
const RESULT = `{"token":"${SECRET}"}`;
const reason = 'a customer asked';

const world = await setUpConsole();
/** A queue of each test's own: the broker remembers those it has entered. */
let queue: string;
let tests = 0;
beforeEach(async () => {
  delete process.env.REDRIVE_USERS;
  process.env.AUTH = 'none';
  await world.redis.connect().del('rd:{.access}:audit');
  queue = `mail-${++tests}`;
  await world.broker.enqueueMany(queue, [
    { jobId: 'dead', jobType: 'demo', tenantId: 'a', payload: PAYLOAD },
    { jobId: 'done', jobType: 'demo', tenantId: 'b', payload: PAYLOAD },
  ]);
  const { jobs } = await world.broker.claim(queue, { worker: 'w1', count: 2 });
  for (const { jobId, token } of jobs)
    if (jobId === 'done') await world.broker.ack(queue, [{ jobId, token, result: RESULT }]);
    else
      await world.broker.fail(queue, [
        { jobId, token, failure: { errorClass: 'permanent', errorCode: 'X', message: `no ${SECRET}` } },
      ]);
});

const grant = (role: Role, rest: Partial<Grant> = {}): Grant[] => [
  { role, queues: ['*'], tenants: null, ...rest },
];
const ann = (role: Role, rest: Partial<Grant> = {}) =>
  signInAs(world, { name: 'ann', grants: grant(role, rest) });
const as = (who: SignedIn, method: string, path: string, body?: unknown) =>
  callApi(method, path, { headers: who.headers, ...(body === undefined ? {} : { body }) });
const looks = async () => {
  const rows = await world.redis.connect().xrange('rd:{.access}:audit', '-', '+');
  return rows
    .map(([, fields]) =>
      Object.fromEntries(fields.flatMap((name, i) => (i % 2 ? [] : [[name, fields[i + 1]]]))),
    )
    .filter(({ action }) => action === 'job.unmask');
};

test('M3: no answer has what an error repeats of it, but for the look of somebody who may', async () => {
  const viewer = await ann('viewer');
  for (const path of [
    paths.job(queue, 'dead'),
    `${paths.dead()}?q=queue:${queue}`,
    `${paths.deadGroups()}?q=queue:${queue}`,
    `${paths.deadStream()}?q=queue:${queue}`,
    `${paths.jobs(queue)}?state=dead`,
  ]) {
    const answer = await as(viewer, 'GET', path);
    const text = await answer.response.text();
    expect([path, answer.status, text.includes(`no ${MASK}`), text.includes(SECRET)]).toEqual([
      path,
      200,
      true,
      false,
    ]);
  }
  const found = await as(viewer, 'GET', `${paths.dead()}?q=${SECRET}`);
  expect(found.body).toMatchObject({ jobs: [], matching: { count: 0 } });
  const seen = await as(await ann('operator'), 'POST', paths.unmask(queue, 'dead'), { reason });
  expect(JSON.stringify(seen.body.history)).toContain(`no ${SECRET}`);
});

describe('a look at what is hidden', () => {
  test('gives all of one job to whoever may, with a reason, on record', async () => {
    const who = await ann('operator');
    const dead = await as(who, 'POST', paths.unmask(queue, 'dead'), { reason });
    expect(dead).toMatchObject({
      status: 200,
      body: { payload: PAYLOAD, payloadIsText: true, result: null },
    });
    expect(dead.response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect((await as(who, 'POST', paths.unmask(queue, 'done'), { reason })).body).toMatchObject({
      result: RESULT,
    });
    const found = await looks();
    expect(found.map((look) => `${look.queue}/${look.id}`)).toEqual([`${queue}/dead`, `${queue}/done`]);
    expect(JSON.parse(found[0]?.by ?? '')).toMatchObject({ actorId: 'local:ann', reason });
    // What was seen is not on record.
    expect(JSON.stringify(found)).not.toContain(SECRET);
  });

  test('is not given without a reason, the permission, or the job', async () => {
    const operator = await ann('operator', { queues: [queue], tenants: ['a'] });
    expect(await as(operator, 'POST', paths.unmask(queue, 'dead'), {})).toMatchObject({ status: 400 });
    expect(await as(operator, 'POST', paths.unmask(queue, 'none'), { reason })).toMatchObject({
      status: 404,
    });
    // Another tenant's job is none; another queue is none.
    const other = await as(operator, 'POST', paths.unmask(queue, 'done'), { reason });
    const none = await as(operator, 'POST', paths.unmask(queue, 'none'), { reason });
    expect({
      ...other.body,
      requestId: '',
      detail: String(other.body.detail).replace('done', 'none'),
    }).toEqual({
      ...none.body,
      requestId: '',
    });
    await world.broker.enqueue('pay', { jobType: 'demo', jobId: 'x' });
    expect(await as(operator, 'POST', paths.unmask('pay', 'x'), { reason })).toMatchObject({
      status: 404,
      body: { code: 'QUEUE_NOT_FOUND' },
    });
    const viewer = await ann('viewer');
    expect(await as(viewer, 'POST', paths.unmask(queue, 'dead'), { reason })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect(await callApi('POST', paths.unmask(queue, 'dead'), { body: { reason } })).toMatchObject({
      status: 401,
    });
    expect((await looks()).filter(({ result }) => result !== 'refused')).toEqual([]);
  });

  test('is not given when it cannot be recorded', async () => {
    const who = await ann('operator');
    await world.redis.connect().set('rd:{.access}:audit', 'another type');
    const answer = await as(who, 'POST', paths.unmask(queue, 'dead'), { reason });
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(JSON.stringify(answer.body)).not.toContain(SECRET);
  });
});

test.each(['viewer', 'operator', 'admin'] as const)(
  'no page, search, file or preview shows it: %s',
  async (role) => {
    const who = await ann(role);
    const get = async (path: string) => {
      const { status, response } = await as(who, 'GET', path);
      return `${status} ${await response.text()}`;
    };
    const q = (query: string) => `q=${encodeURIComponent(query)}`;
    const job = await as(who, 'GET', paths.job(queue, 'dead'));
    expect(job.body).toMatchObject({ payload: PAYLOAD.replace(`"${SECRET}"`, MASK_TEXT), hidden: 1 });
    const seen = [
      await get(paths.job(queue, 'dead')),
      await get(paths.job(queue, 'done')),
      await get(`/api/v1/dead?${q('payload.password:*')}`),
      await get(`/api/v1/suggest?${q('payload.password:')}&caret=17`),
      await get(`/api/v1/queues/${queue}/jobs?state=completed`),
      await get('/api/v1/dead/facets?q='),
    ];
    if (role !== 'viewer') {
      const scope = { state: 'dead', q: '', queue };
      const preview = await as(who, 'POST', paths.operationPreview(), {
        kind: 'edit',
        scope,
        patch: [{ op: 'replace', path: '/user', value: 'bob' }],
      });
      expect(preview.body).toMatchObject({ diffs: [{ before: expect.stringContaining('[redacted]') }] });
      seen.push(JSON.stringify(preview.body));
      for (const format of EXPORT_FORMATS) {
        const asked = await as(who, 'POST', paths.operationPreview(), { kind: 'export', scope, format });
        const started = await as(who, 'POST', paths.operations(), { previewToken: asked.body.token, reason });
        seen.push(await get(`/api/v1/operations/${started.body.id}/file`));
      }
    }
    for (const text of seen) {
      expect(text).toMatch(/^(200|\{)/);
      expect(text).not.toContain(SECRET);
    }
    for (const query of [SECRET, `payload.password:${SECRET}`, 'payload.password:hunter*'])
      expect(JSON.parse((await get(`/api/v1/dead?${q(query)}`)).slice(4))).toMatchObject({
        jobs: [],
        matching: { count: 0, exact: true },
      });
  },
);

test('a schedule is shown without it, and keeps it', async () => {
  const who = await ann('operator');
  const request = {
    id: 's',
    queue: queue,
    timing: { everyMs: 60_000 },
    job: { jobType: 'demo', payload: PAYLOAD },
  };
  const made = await as(who, 'POST', paths.schedules(), request);
  expect(JSON.stringify(made.body)).not.toContain(SECRET);
  const shown = await as(who, 'GET', paths.schedule('s'));
  expect(shown.body).toMatchObject({ job: { payload: PAYLOAD.replace(`"${SECRET}"`, MASK_TEXT) } });
  const patch = { job: { ...(shown.body.job as object), priority: 3 } };
  const changed = await as(who, 'PATCH', paths.schedule('s'), patch);
  expect(changed).toMatchObject({ status: 200, body: { job: { priority: 3 } } });
  expect(JSON.stringify(changed.body)).not.toContain(SECRET);
  expect((await world.broker.schedules.get('s')).schedule.job.payload).toBe(PAYLOAD);
});

test('a worker gets payloads whole', async () => {
  await world.broker.enqueue(queue, { jobType: 'demo', jobId: 'fresh', payload: PAYLOAD });
  const { headers } = await tokenFor(world, await ann('admin'), grant('worker'));
  const claimed = await callApi('POST', `/api/v1/queues/${queue}/claim`, { body: { worker: 'w2' }, headers });
  expect(claimed.body).toMatchObject({ jobs: [{ payload: PAYLOAD }] });
});

test('rules are settings, and their change is on record', async () => {
  const who = await ann('operator');
  const change = { redact: ['user'], reason };
  const saved = await as(who, 'PATCH', `/api/v1/queues/${queue}/config`, change);
  expect(saved).toMatchObject({ status: 200, body: { config: { redact: ['user'] } } });
  expect((await as(who, 'GET', paths.job(queue, 'dead'))).body).toMatchObject({
    payload: PAYLOAD.replace('"ann"', MASK_TEXT),
  });
  const [entry] = await world.broker.inspect.changes(queue, 1);
  expect(JSON.parse(entry?.after ?? '')).toEqual({ redact: ['user'] });
  const wrong = await as(who, 'PATCH', `/api/v1/queues/${queue}/config`, { redact: ['a*b'], reason });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
});
