/** Bad input: each a 4xx problem document that names the field, nothing changed, nothing logged as a crash. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { log } from '@/lib/server/console-log';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

const world = await setUpConsole();
let token = '';
beforeAll(async () => {
  await world.broker.enqueue('default', { jobType: 'email.send', jobId: 'claimed', payload: '{}' });
  token = (await world.broker.claim('default', { worker: 'w', leaseMs: 600_000 })).jobs[0]?.token ?? '';
  await world.broker.enqueue('default', { jobType: 'email.send', jobId: 'waiting', payload: '{"a":1}' });
});

let crash: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  crash = vi.spyOn(log(), 'error');
  crash.mockClear();
});

const JOBS = '/api/v1/queues/default/jobs';
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const post = (body: unknown) => ({ method: 'POST', options: { body } });
const raw = (text: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  options: { raw: text, headers },
});
const get = { method: 'GET', options: {} };
const patch = (body: unknown) => ({ method: 'PATCH', options: { body } });
const put = (body: unknown) => ({ method: 'PUT', options: { body } });
const QUEUE = '/api/v1/queues/default';

interface Case {
  name: string;
  path: string;
  request: { method: string; options: Parameters<typeof callApi>[2] };
  status: number;
  code: string;
  /** What the problem document must name. */
  field: string | RegExp;
}

const CASES: Case[] = [
  {
    name: 'bad JSON',
    path: JOBS,
    request: raw('{"jobType": '),
    status: 400,
    code: 'BAD_JSON',
    field: 'body',
  },
  {
    name: 'not JSON by its content type',
    path: JOBS,
    request: raw('a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    status: 415,
    code: 'WRONG_MEDIA_TYPE',
    field: 'Content-Type',
  },
  {
    name: 'an unknown field',
    path: JOBS,
    request: post({ jobType: 'a', colour: 'red' }),
    status: 400,
    code: 'VALIDATION',
    field: 'colour',
  },
  {
    name: 'an unknown field inside a batch',
    path: JOBS,
    request: post({ jobs: [{ jobType: 'a' }, { jobType: 'a', colour: 1 }] }),
    status: 400,
    code: 'VALIDATION',
    field: /colour|jobs/,
  },
  {
    name: 'a missing job type',
    path: JOBS,
    request: post({ payload: 1 }),
    status: 400,
    code: 'VALIDATION',
    field: 'jobType',
  },
  {
    name: 'a wrong type',
    path: JOBS,
    request: post({ jobType: 7 }),
    status: 400,
    code: 'VALIDATION',
    field: 'jobType',
  },
  {
    name: 'a list for a body',
    path: JOBS,
    request: post([]),
    status: 400,
    code: 'VALIDATION',
    field: 'body',
  },
  {
    name: 'a priority out of range',
    path: JOBS,
    request: post({ jobType: 'a', priority: 1001 }),
    status: 400,
    code: 'VALIDATION',
    field: 'priority',
  },
  {
    name: 'a time in microseconds',
    path: JOBS,
    request: post({ jobType: 'a', deadline: 1_795_182_102_726_000 }),
    status: 400,
    code: 'VALIDATION',
    field: 'deadline',
  },
  {
    name: 'two payloads',
    path: JOBS,
    request: post({ jobType: 'a', payload: 1, payloadText: 'x' }),
    status: 400,
    code: 'VALIDATION',
    field: 'payload',
  },
  {
    name: 'too many jobs',
    path: JOBS,
    request: post({ jobs: Array.from({ length: 1_001 }, () => ({ jobType: 'a' })) }),
    status: 400,
    code: 'VALIDATION',
    field: 'jobs',
  },
  {
    name: 'a payload over 64 KiB',
    path: JOBS,
    request: post({ jobType: 'a', payloadText: 'x'.repeat(65_537) }),
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    field: 'payload',
  },
  {
    name: 'a body over 1 MiB',
    path: JOBS,
    request: raw(JSON.stringify({ jobType: 'a', payloadText: 'x'.repeat(1_100_000) })),
    status: 413,
    code: 'BODY_TOO_LARGE',
    field: 'body',
  },
  {
    name: 'nesting a hundred thousand deep',
    path: JOBS,
    request: raw(`{"jobType":"a","payload":${deep(100_000)}}`),
    status: 400,
    code: 'VALIDATION',
    field: 'body',
  },
  {
    name: 'nesting a million deep',
    path: JOBS,
    request: raw(deep(1_000_000)),
    status: 413,
    code: 'BODY_TOO_LARGE',
    field: 'body',
  },
  {
    name: 'a taken id with another payload',
    path: JOBS,
    request: post({ jobType: 'email.send', jobId: 'waiting', payload: { a: 2 } }),
    status: 409,
    code: 'ID_CONFLICT',
    field: 'jobId',
  },
  {
    name: 'an unknown queue',
    path: '/api/v1/queues/nope',
    request: get,
    status: 404,
    code: 'QUEUE_NOT_FOUND',
    field: 'queue',
  },
  {
    name: 'jobs of an unknown queue',
    path: '/api/v1/queues/nope/jobs',
    request: get,
    status: 404,
    code: 'QUEUE_NOT_FOUND',
    field: 'queue',
  },
  {
    name: 'pausing an unknown queue',
    path: '/api/v1/queues/nope/pause',
    request: post({ reason: 'x' }),
    status: 404,
    code: 'QUEUE_NOT_FOUND',
    field: 'queue',
  },
  {
    name: 'an unknown job',
    path: `${JOBS}/nope`,
    request: get,
    status: 404,
    code: 'JOB_NOT_FOUND',
    field: 'id',
  },
  {
    name: 'acting on an unknown job',
    path: `${JOBS}/nope/cancel`,
    request: post({}),
    status: 404,
    code: 'JOB_NOT_FOUND',
    field: 'id',
  },
  {
    name: 'an unknown action',
    path: `${JOBS}/waiting/explode`,
    request: post({}),
    status: 404,
    code: 'NOT_FOUND',
    field: 'action',
  },
  {
    name: 'an action its state does not allow',
    path: `${JOBS}/waiting/redrive`,
    request: post({}),
    status: 409,
    code: 'WRONG_STATE',
    field: 'id',
  },
  {
    name: 'deleting a job in flight',
    path: `${JOBS}/claimed/remove`,
    request: post({}),
    status: 409,
    code: 'WRONG_STATE',
    field: 'id',
  },
  {
    name: 'a state that does not exist',
    path: `${JOBS}?state=asleep`,
    request: get,
    status: 400,
    code: 'VALIDATION',
    field: 'state',
  },
  {
    name: 'a limit of 0',
    path: `${JOBS}?limit=0`,
    request: get,
    status: 400,
    code: 'VALIDATION',
    field: 'limit',
  },
  {
    name: 'a limit of 501',
    path: `${JOBS}?limit=501`,
    request: get,
    status: 400,
    code: 'VALIDATION',
    field: 'limit',
  },
  {
    name: 'a limit that is no number',
    path: `${JOBS}?limit=NaN`,
    request: get,
    status: 400,
    code: 'VALIDATION',
    field: 'limit',
  },
  {
    name: 'a parameter given twice',
    path: `${JOBS}?limit=1&limit=2`,
    request: get,
    status: 400,
    code: 'VALIDATION',
    field: 'limit',
  },
  {
    name: 'an unknown parameter',
    path: `${JOBS}?colour=red`,
    request: get,
    status: 400,
    code: 'VALIDATION',
    field: 'colour',
  },
  {
    name: 'a made-up cursor',
    path: `${JOBS}?cursor=abc`,
    request: get,
    status: 400,
    code: 'BAD_CURSOR',
    field: 'cursor',
  },
  {
    name: 'a cursor that would reach into a key',
    path: `${JOBS}?cursor=${Buffer.from('{"score":"1","jobId":"a}:*"}').toString('base64url')}`,
    request: get,
    status: 400,
    code: 'BAD_CURSOR',
    field: 'cursor',
  },
  {
    name: 'a pause without a reason',
    path: '/api/v1/queues/default/pause',
    request: post({}),
    status: 400,
    code: 'VALIDATION',
    field: 'reason',
  },
  {
    name: 'a pause whose reason hides control characters',
    path: '/api/v1/queues/default/pause',
    request: post({ reason: 'a\u001b[2Jb' }),
    status: 400,
    code: 'VALIDATION',
    field: 'reason',
  },
  {
    name: 'a pause of a scope with a glob',
    path: '/api/v1/queues/default/pause',
    request: post({ scope: 'tenant:*', reason: 'x' }),
    status: 400,
    code: 'VALIDATION',
    field: 'scope',
  },
  {
    name: 'lab settings out of range',
    path: '/api/v1/lab',
    request: { method: 'PUT', options: { body: { workers: 17 } } },
    status: 400,
    code: 'VALIDATION',
    field: 'workers',
  },
  {
    name: 'a burst too large',
    path: '/api/v1/lab/burst',
    request: post({ jobs: 1_000_000 }),
    status: 400,
    code: 'VALIDATION',
    field: 'jobs',
  },
  {
    name: 'a malformed token',
    path: `${JOBS}/claimed/ack`,
    request: post({ token: 'mine' }),
    status: 400,
    code: 'VALIDATION',
    field: 'token',
  },
  {
    name: 'a stale token on ack',
    path: `${JOBS}/claimed/ack`,
    request: post({ token: '1-AAAAAAAAAAAAAAAA' }),
    status: 409,
    code: 'STALE_CLAIM',
    field: 'token',
  },
  {
    name: 'a stale token on extend',
    path: `${JOBS}/claimed/extend`,
    request: post({ token: '1-AAAAAAAAAAAAAAAA', leaseMs: 5_000 }),
    status: 409,
    code: 'STALE_CLAIM',
    field: 'token',
  },
  {
    name: 'a stale token on release',
    path: `${JOBS}/claimed/release`,
    request: post({ token: '1-AAAAAAAAAAAAAAAA' }),
    status: 409,
    code: 'STALE_CLAIM',
    field: 'token',
  },
  {
    name: 'a stale token on fail',
    path: `${JOBS}/claimed/fail`,
    request: post({ token: '1-AAAAAAAAAAAAAAAA', errorClass: 'permanent', errorCode: 'X', message: 'm' }),
    status: 409,
    code: 'STALE_CLAIM',
    field: 'token',
  },
  {
    name: 'an empty Idempotency-Key',
    path: JOBS,
    request: { method: 'POST', options: { body: { jobType: 'a' }, headers: { 'idempotency-key': '' } } },
    status: 400,
    code: 'VALIDATION',
    field: 'Idempotency-Key',
  },
  {
    name: 'an Idempotency-Key beyond 200 characters',
    path: JOBS,
    request: {
      method: 'POST',
      options: { body: { jobType: 'a' }, headers: { 'idempotency-key': 'k'.repeat(201) } },
    },
    status: 400,
    code: 'VALIDATION',
    field: 'Idempotency-Key',
  },
  {
    name: 'a setting that does not exist',
    path: `${QUEUE}/config`,
    request: patch({ colour: 'red' }),
    status: 400,
    code: 'VALIDATION',
    field: 'colour',
  },
  {
    name: 'a change of no setting',
    path: `${QUEUE}/config`,
    request: patch({ reason: 'x' }),
    status: 400,
    code: 'VALIDATION',
    field: 'config',
  },
  {
    name: 'an empty change of settings',
    path: `${QUEUE}/config`,
    request: patch({}),
    status: 400,
    code: 'VALIDATION',
    field: 'config',
  },
  {
    name: 'a concurrency of nothing',
    path: `${QUEUE}/config`,
    request: patch({ concurrency: 0 }),
    status: 400,
    code: 'VALIDATION',
    field: 'concurrency',
  },
  {
    name: 'a concurrency in words',
    path: `${QUEUE}/config`,
    request: patch({ concurrency: 'many' }),
    status: 400,
    code: 'VALIDATION',
    field: 'concurrency',
  },
  {
    name: 'a rate without a burst',
    path: `${QUEUE}/config`,
    request: patch({ rate: { perSecond: 5 } }),
    status: 400,
    code: 'VALIDATION',
    field: 'rate.burst',
  },
  {
    name: 'a rate of nothing',
    path: `${QUEUE}/config`,
    request: patch({ rate: { perSecond: 0, burst: 1 } }),
    status: 400,
    code: 'VALIDATION',
    field: 'rate.perSecond',
  },
  {
    name: 'a retention below a minute',
    path: `${QUEUE}/config`,
    request: patch({ deadKeepMs: 5 }),
    status: 400,
    code: 'VALIDATION',
    field: 'deadKeepMs',
  },
  {
    name: 'shedding above all',
    path: `${QUEUE}/config`,
    request: patch({ shedAtPercent: 101 }),
    status: 400,
    code: 'VALIDATION',
    field: 'shedAtPercent',
  },
  {
    name: 'a limit for a tenant no job can have',
    path: `${QUEUE}/config`,
    request: patch({ tenantLimits: { 'a}:*': { concurrency: 1 } } }),
    status: 400,
    code: 'VALIDATION',
    field: 'tenantLimits.a}:*',
  },
  {
    name: 'a wrong limit for one tenant',
    path: `${QUEUE}/config`,
    request: patch({ tenantLimits: { acme: { concurrency: -1 } } }),
    status: 400,
    code: 'VALIDATION',
    field: 'tenantLimits.acme.concurrency',
  },
  {
    name: 'more exceptions than there may be',
    path: `${QUEUE}/config`,
    request: patch({
      tenantLimits: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`t${i}`, { concurrency: 1 }])),
    }),
    status: 400,
    code: 'VALIDATION',
    field: 'tenantLimits',
  },
  {
    name: 'a retry rule for a class that is never retried',
    path: `${QUEUE}/config`,
    request: patch({ retry: { classes: ['cancelled'] } }),
    status: 400,
    code: 'VALIDATION',
    field: 'retry.classes.0',
  },
  {
    name: 'a wait that is no number',
    path: `${QUEUE}/config`,
    request: patch({
      retryByType: { a: { policy: { baseMs: '1s', factor: 2, maxMs: 1, jitter: 0 } } },
    }),
    status: 400,
    code: 'VALIDATION',
    field: 'retryByType.a.policy.baseMs',
  },
  {
    name: 'settings changed over those of somebody else',
    path: `${QUEUE}/config`,
    request: patch({ concurrency: 5, ifRevision: 41 }),
    status: 409,
    code: 'CONFIG_CHANGED',
    field: 'ifRevision',
  },
  {
    name: 'settings of an unknown queue',
    path: '/api/v1/queues/nope/config',
    request: get,
    status: 404,
    code: 'QUEUE_NOT_FOUND',
    field: 'queue',
  },
  {
    name: 'changing settings of an unknown queue',
    path: '/api/v1/queues/nope/config',
    request: patch({ concurrency: 5 }),
    status: 404,
    code: 'QUEUE_NOT_FOUND',
    field: 'queue',
  },
  {
    name: 'draining without a reason',
    path: `${QUEUE}/drain`,
    request: post({}),
    status: 400,
    code: 'VALIDATION',
    field: 'reason',
  },
  {
    name: 'draining by yes',
    path: `${QUEUE}/drain`,
    request: post({ draining: 'yes', reason: 'x' }),
    status: 400,
    code: 'VALIDATION',
    field: 'draining',
  },
  {
    name: 'draining an unknown queue',
    path: '/api/v1/queues/nope/drain',
    request: post({ reason: 'x' }),
    status: 404,
    code: 'QUEUE_NOT_FOUND',
    field: 'queue',
  },
  {
    name: 'changes of an unknown queue',
    path: '/api/v1/queues/nope/changes',
    request: get,
    status: 404,
    code: 'QUEUE_NOT_FOUND',
    field: 'queue',
  },
  {
    name: 'more changes than are read at once',
    path: `${QUEUE}/changes?limit=201`,
    request: get,
    status: 400,
    code: 'VALIDATION',
    field: 'limit',
  },
  {
    name: 'no shards',
    path: `${QUEUE}/sharding`,
    request: put({ count: 0 }),
    status: 400,
    code: 'VALIDATION',
    field: 'count',
  },
  {
    name: 'too many shards',
    path: `${QUEUE}/sharding`,
    request: put({ count: 65 }),
    status: 400,
    code: 'VALIDATION',
    field: 'count',
  },
  {
    name: 'shards by colour',
    path: `${QUEUE}/sharding`,
    request: put({ count: 2, by: 'colour' }),
    status: 400,
    code: 'VALIDATION',
    field: 'by',
  },
  {
    name: 'a claim by nobody',
    path: `${QUEUE}/claim`,
    request: post({}),
    status: 400,
    code: 'VALIDATION',
    field: 'worker',
  },
  {
    name: 'a claim with an empty Idempotency-Key',
    path: `${QUEUE}/claim`,
    request: {
      method: 'POST',
      options: { body: { worker: 'w' }, headers: { 'idempotency-key': '' } },
    },
    status: 400,
    code: 'VALIDATION',
    field: 'Idempotency-Key',
  },
  {
    name: 'a uniqueness key without a key',
    path: JOBS,
    request: post({ jobType: 'a', unique: { ttlMs: 5_000 } }),
    status: 400,
    code: 'VALIDATION',
    field: 'unique.key',
  },
  {
    name: 'a path that does not exist',
    path: '/api/v1/nowhere',
    request: get,
    status: 404,
    code: 'NOT_FOUND',
    field: 'path',
  },
  {
    name: 'a change from another site',
    path: JOBS,
    request: {
      method: 'POST',
      options: { body: { jobType: 'a' }, headers: { origin: 'https://evil.example' } },
    },
    status: 403,
    code: 'CROSS_ORIGIN',
    field: 'Origin',
  },
  {
    name: 'a change that says it is cross-site',
    path: JOBS,
    request: {
      method: 'POST',
      options: { body: { jobType: 'a' }, headers: { 'sec-fetch-site': 'cross-site' } },
    },
    status: 403,
    code: 'CROSS_ORIGIN',
    field: 'Origin',
  },
];

describe('bad input is refused with a problem document', () => {
  test.each(CASES)('$name', async ({ path, request, status, code, field }) => {
    const before = await world.fingerprint();
    const answer = await callApi(request.method, path, request.options);
    expect(answer.body).toMatchObject({ status, code });
    expect(answer.status).toBe(status);
    expect(answer.response.headers.get('content-type')).toBe('application/problem+json');
    expect(String(answer.body.detail).length).toBeGreaterThan(10);
    expect((answer.body.errors as { field: string }[]).map((e) => e.field).join(' ')).toMatch(field);
    expect(await world.fingerprint()).toBe(before);
    expect(crash).not.toHaveBeenCalled();
  });
});

/** Names that would break out of a key, a pattern or a line. */
const NAMES = [
  '{',
  '}',
  'a:b',
  '*',
  'a*b',
  'a?b',
  '[a]',
  'a\\b',
  'a b',
  'a\nb',
  'a\0b',
  '__proto__',
  '.hidden',
  '-x',
  'ü',
  '\u202Ea',
  'a'.repeat(101),
];
describe.each(NAMES)('the name %j', (name) => {
  test.each([
    ['as a queue', `/api/v1/queues/${encodeURIComponent(name)}/jobs`, { jobType: 'a' }, 'queue'],
    ['as a job type', JOBS, { jobType: name }, 'jobType'],
    ['as a tenant', JOBS, { jobType: 'a', tenantId: name }, 'tenantId'],
    ['as a job id', JOBS, { jobType: 'a', jobId: name }, 'jobId'],
  ])('is refused %s', async (_, path, body, field) => {
    const before = await world.fingerprint();
    const answer = await callApi('POST', path, { body });
    expect(answer.status).toBe(400);
    expect((answer.body.errors as { field: string }[])[0]?.field).toBe(field);
    expect(await world.fingerprint()).toBe(before);
    expect(crash).not.toHaveBeenCalled();
  });
});

test('the claim that was not stale still holds', async () => {
  const answer = await callApi('POST', `${JOBS}/claimed/ack`, { body: { token } });
  expect(answer.body).toEqual({ outcome: 'completed' });
});
