/** Schedules over HTTP: from a request to Redis and back, and every wrong request a 4xx that names the field. */
import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  scheduleDetailSchema,
  schedulePreviewSchema,
  scheduleRunSchema,
  scheduleSchema,
  schedulesPageSchema,
} from '@/lib/contract/schedules/schedule-schemas';
import { log } from '@/lib/server/console-log';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';

const world = await setUpConsole();
beforeAll(async () => {
  await call('POST', '', request({ id: 'taken' }));
});

const BASE = '/api/v1/schedules';
const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  callApi(method, BASE + path, { body, headers });
const request = (rest: object = {}) => ({
  id: 'nightly',
  queue: 'default',
  timing: { cron: '30 2 * * *', timeZone: 'Europe/Berlin' },
  job: { jobType: 'report.make', payload: '{"n":9007199254740993}' },
  ...rest,
});

test('a schedule is made, read, listed, changed, paused, resumed, run and deleted', async () => {
  const made = await call('POST', '', request({ reason: 'reports' }));
  expect(made.status).toBe(201);
  const schedule = scheduleSchema.parse(made.body);
  expect(schedule).toMatchObject({
    id: 'nightly',
    actor: 'local operator',
    reason: 'reports',
    paused: false,
  });
  expect(scheduleSchema.parse((await call('GET', '/nightly')).body)).toEqual(schedule);

  const page = schedulesPageSchema.parse((await call('GET', '?limit=1')).body);
  expect(page).toMatchObject({ total: 2, nextCursor: 'nightly', schedules: [{ id: 'nightly' }] });
  expect(page.schedules[0]?.job).not.toHaveProperty('payload');
  const rest = schedulesPageSchema.parse((await call('GET', '?limit=1&cursor=nightly')).body);
  expect(rest).toMatchObject({ nextCursor: null, schedules: [{ id: 'taken' }] });
  const named = schedulesPageSchema.parse((await call('GET', '?q=AKE')).body);
  expect(named).toMatchObject({ total: 1, nextCursor: null, schedules: [{ id: 'taken' }] });

  const changed = await call('PATCH', '/nightly', { timing: { everyMs: 60_000 }, reason: 'more often' });
  expect(scheduleSchema.parse(changed.body)).toMatchObject({
    timing: { everyMs: 60_000, anchor: 0 },
    missed: schedule.missed,
    job: schedule.job,
    reason: 'more often',
  });
  expect((await call('POST', '/nightly/pause', { reason: 'stop' })).body).toMatchObject({
    paused: true,
    nextAt: null,
  });
  expect((await call('POST', '/nightly/resume', {})).body).toMatchObject({ paused: false });

  const key = { 'idempotency-key': 'click-1' };
  const ran = await call('POST', '/nightly/run', {}, key);
  expect(ran.status).toBe(201);
  const { jobId, outcome } = scheduleRunSchema.parse(ran.body);
  expect(outcome).toBe('ready');
  expect((await call('POST', '/nightly/run', {}, key)).body).toEqual({ jobId, outcome: 'duplicate' });
  const [job] = (await world.broker.claim('default', { worker: 'w' })).jobs;
  expect([job?.jobId, job?.payload.toString()]).toEqual([jobId, '{"n":9007199254740993}']);

  expect((await call('DELETE', '/nightly', { reason: 'done' })).body).toEqual({
    id: 'nightly',
    deleted: true,
  });
  expect((await call('GET', '/nightly')).status).toBe(404);
});

test('a resend with the same Idempotency-Key finds what the first sending made', async () => {
  const key = { 'idempotency-key': 'make-1' };
  const first = await call('POST', '', request({ id: 'once' }), key);
  const again = await call('POST', '', request({ id: 'once' }), key);
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  const other = await call('POST', '', request({ id: 'once', timing: { everyMs: 3_600_000 } }), key);
  expect(other).toMatchObject({ status: 409, body: { code: 'ID_CONFLICT' } });
  expect(other.body.errors).toMatchObject([{ field: 'Idempotency-Key' }]);

  const run = () => call('POST', '/once/run', {}, { 'idempotency-key': 'run-1' });
  expect((await run()).status).toBe(201);
  await call('PATCH', '/once', { job: { jobType: 'changed-since' } });
  expect((await run()).body).toMatchObject({
    code: 'ID_CONFLICT',
    errors: [{ field: 'Idempotency-Key' }],
  });
  await call('DELETE', '/once');
});

test('a preview tells the next fire times and changes nothing', async () => {
  const before = await world.fingerprint();
  const { body, status } = await call('POST', '/preview', { timing: { cron: '0 12 * * *' }, count: 3 });
  expect(status).toBe(200);
  const { at, fireTimes, clockChange } = schedulePreviewSchema.parse(body);
  expect(fireTimes).toHaveLength(3);
  expect(fireTimes[0]).toBeGreaterThan(at);
  expect(new Set(fireTimes.map((time) => new Date(time).toISOString().slice(10)))).toEqual(
    new Set(['T12:00:00.000Z']),
  );
  expect(clockChange).toBeNull();
  expect(await world.fingerprint()).toBe(before);
});

describe('wrong requests', () => {
  let crash: ReturnType<typeof vi.spyOn>;
  beforeEach(() => {
    crash = vi.spyOn(log(), 'error');
    crash.mockClear();
  });
  const timing = { cron: '0 0 * * *' };
  test.each<
    [
      name: string,
      method: string,
      path: string,
      body: unknown,
      status: number,
      code: string,
      field: string | RegExp,
    ]
  >([
    ['an id that is taken', 'POST', '', request({ id: 'taken' }), 409, 'SCHEDULE_EXISTS', 'id'],
    ['no id', 'POST', '', request({ id: undefined }), 400, 'VALIDATION', 'id'],
    ['an id that is a path', 'POST', '', request({ id: 'preview' }), 400, 'VALIDATION', 'id'],
    ['an id that breaks out of a key', 'POST', '', request({ id: 'a}:b' }), 400, 'VALIDATION', 'id'],
    ['a queue that breaks out of a key', 'POST', '', request({ queue: '{a}' }), 400, 'VALIDATION', 'queue'],
    ['a shard for a queue', 'POST', '', request({ queue: 'a#1' }), 400, 'VALIDATION', 'queue'],
    ['no timing', 'POST', '', request({ timing: undefined }), 400, 'VALIDATION', 'timing'],
    ['an empty timing', 'POST', '', request({ timing: {} }), 400, 'VALIDATION', /timing\.(cron|everyMs)/],
    [
      'a bad expression',
      'POST',
      '',
      request({ timing: { cron: '0 25 * * *' } }),
      400,
      'VALIDATION',
      'timing.cron',
    ],
    [
      'a bad zone',
      'POST',
      '',
      request({ timing: { ...timing, timeZone: 'Mars' } }),
      400,
      'VALIDATION',
      'timing.timeZone',
    ],
    [
      '30 February',
      'POST',
      '',
      request({ timing: { cron: '0 0 30 2 *' } }),
      400,
      'VALIDATION',
      'timing.cron',
    ],
    ['too often', 'POST', '', request({ timing: { everyMs: 10 } }), 400, 'VALIDATION', 'timing.everyMs'],
    [
      'an end before the start',
      'POST',
      '',
      request({ startAt: 2e12, endAt: 1.9e12 }),
      400,
      'VALIDATION',
      'endAt',
    ],
    ['an end that has passed', 'POST', '', request({ endAt: 1 }), 400, 'VALIDATION', 'endAt'],
    [
      'a time in microseconds',
      'POST',
      '',
      request({ startAt: 1_795_182_102_726_000 }),
      400,
      'VALIDATION',
      'startAt',
    ],
    ['no job type', 'POST', '', request({ job: {} }), 400, 'VALIDATION', 'job.jobType'],
    [
      'a payload over 64 KiB',
      'POST',
      '',
      request({ job: { jobType: 'a', payload: 'ü'.repeat(40_000) } }),
      413,
      'PAYLOAD_TOO_LARGE',
      'job.payload',
    ],
    ['an unknown policy', 'POST', '', request({ missed: 'some' }), 400, 'VALIDATION', 'missed'],
    ['an unknown field', 'POST', '', request({ colour: 1 }), 400, 'VALIDATION', 'colour'],
    [
      'a reason with control characters',
      'POST',
      '',
      request({ reason: 'a\u001b[2J' }),
      400,
      'VALIDATION',
      'reason',
    ],
    ['a change of nothing', 'PATCH', '/taken', { reason: 'x' }, 400, 'VALIDATION', 'schedule'],
    ['a change of the id', 'PATCH', '/taken', { id: 'b' }, 400, 'VALIDATION', 'id'],
    [
      'a change to a bad zone',
      'PATCH',
      '/taken',
      { timing: { ...timing, timeZone: '+02:00' } },
      400,
      'VALIDATION',
      'timing.timeZone',
    ],
    ['a change that leaves no slot', 'PATCH', '/taken', { endAt: 1 }, 400, 'VALIDATION', 'endAt'],
    ['a change of what is not there', 'PATCH', '/nobody', { paused: true }, 404, 'SCHEDULE_NOT_FOUND', 'id'],
    ['reading what is not there', 'GET', '/nobody', undefined, 404, 'SCHEDULE_NOT_FOUND', 'id'],
    ['deleting what is not there', 'DELETE', '/nobody', undefined, 404, 'SCHEDULE_NOT_FOUND', 'id'],
    ['running what is not there', 'POST', '/nobody/run', {}, 404, 'SCHEDULE_NOT_FOUND', 'id'],
    ['pausing what is not there', 'POST', '/nobody/pause', {}, 404, 'SCHEDULE_NOT_FOUND', 'id'],
    ['resuming what is not there', 'POST', '/nobody/resume', {}, 404, 'SCHEDULE_NOT_FOUND', 'id'],
    ['an id that no schedule can have', 'GET', '/a%7Bb', undefined, 400, 'VALIDATION', 'id'],
    ['a limit of 0', 'GET', '?limit=0', undefined, 400, 'VALIDATION', 'limit'],
    ['an unknown parameter', 'GET', '?colour=red', undefined, 400, 'VALIDATION', 'colour'],
    ['a preview of too many', 'POST', '/preview', { timing, count: 51 }, 400, 'VALIDATION', 'count'],
    [
      'a preview of a bad expression',
      'POST',
      '/preview',
      { timing: { cron: 'x' } },
      400,
      'VALIDATION',
      'timing.cron',
    ],
    [
      'a preview of what never comes',
      'POST',
      '/preview',
      { timing: { cron: '0 0 30 2 *' } },
      400,
      'VALIDATION',
      'timing.cron',
    ],
  ])('%s', async (_, method, path, body, status, code, field) => {
    const before = await world.fingerprint();
    const answer = await call(method, path, body);
    expect(answer.body).toMatchObject({ status, code });
    expect(answer.status).toBe(status);
    expect((answer.body.errors as { field: string }[]).map((error) => error.field).join(' ')).toMatch(field);
    expect(String(answer.body.detail).length).toBeGreaterThan(10);
    expect(await world.fingerprint()).toBe(before);
    expect(crash).not.toHaveBeenCalled();
  });

  test('a change from another site', async () => {
    const answer = await call('POST', '', request({ id: 'evil' }), { origin: 'https://evil.example' });
    expect(answer.body).toMatchObject({ status: 403, code: 'CROSS_ORIGIN' });
  });
});

test('B12: a schedule says what no live worker of its queue knows, and nothing where that is not known', async () => {
  const tell = (workerId: string, queue: string, types: string[], broker = world.broker) => {
    const handlers = types.map((type) => ({ type, versions: [1] }));
    const json = JSON.stringify({
      version: '1',
      queues: [queue],
      handlers: handlers.map((one) => ({ ...one, schema: null })),
    });
    const digest = createHash('sha256').update(json).digest('hex').slice(0, 16);
    const report = { ...IDLE_REPORT, workerId, queues: { [queue]: 1 }, handlers };
    return broker.workers.report(report, '', { digest, json });
  };
  const make = (id: string, queue: string, job: object) => call('POST', '', request({ id, queue, job }));
  await make('b12-type', 'mail', { jobType: 'email.sned' });
  await make('b12-version', 'mail', { jobType: 'email.send', jobVersion: 2 });
  await make('b12-right', 'mail', { jobType: 'email.send' });
  await make('b12-nobody', 'no-worker', { jobType: 'email.sned' });
  await make('b12-gone', 'gone', { jobType: 'email.sned' });
  await make('b12-silent', 'silent', { jobType: 'email.sned' });
  await tell('b12-w1', 'mail', ['email.send']);
  await tell('b12-w2', 'silent', ['email.send']);
  await tell('b12-w3', 'silent', []);
  // Its workers reported a minute ago at the latest: none is live.
  await tell(
    'b12-w4',
    'gone',
    ['email.send'],
    world.brokerAt(() => Date.now() - 60_000),
  );
  const page = schedulesPageSchema.parse((await call('GET', '?q=b12-')).body);
  expect(Object.fromEntries(page.schedules.map(({ id, missingHandler }) => [id, missingHandler]))).toEqual({
    'b12-type': 'unknown-type',
    'b12-version': 'unknown-version',
    'b12-right': null,
    'b12-nobody': null,
    'b12-gone': null,
    'b12-silent': null,
  });
  const detail = async (id: string) => scheduleDetailSchema.parse((await call('GET', `/${id}`)).body);
  expect((await detail('b12-type')).missingHandler).toBe('unknown-type');
  await tell('b12-w5', 'mail', ['email.sned']);
  expect((await detail('b12-type')).missingHandler).toBeNull();
});
