/** Settings that take away or show what cannot be had back: no way around re-authentication, the permission to destroy, or approval. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Permission, ROLES } from '@/lib/contract/access/grant-scopes';
import { paths } from '@/lib/contract/api-paths';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { signInAs } from '@/testing/worlds/users';
import { killAll } from '@/testing/worlds/world';

const BY = { actor: 'the test', reason: 'set up' };
/** No role of today operates without destroying; the checks do not count on that. */
const before: readonly Permission[] = ROLES.producer;
const people: Record<string, { cookie: string }> = {};
const world = await setUpConsole();
let queue: string;
let tests = 0;

beforeAll(async () => {
  const sign = async (name: string, role: 'producer' | 'operator' | 'admin', queues = '*', proved = true) => {
    const grants = [{ role, queues: [queues], tenants: null }];
    people[name] = (await signInAs(world, { name, grants, proved })).headers;
  };
  await sign('careful', 'producer');
  await sign('operator', 'operator');
  await sign('unproved', 'operator', '*', false);
  await sign('part', 'admin', 'final-*');
  await sign('unproved admin', 'admin', '*', false);
  await sign('admin', 'admin');
});
afterAll(async () => {
  Object.assign(ROLES, { producer: before });
});
beforeEach(async () => {
  Object.assign(ROLES, { producer: ['view', 'unmask', 'operate'] });
  queue = `final-${++tests}`;
  await killAll(world.broker, queue, [{ jobId: 'dead', jobType: 'a', payload: '{}' }]);
});

const as = (who: string, method: string, path: string, body: unknown) =>
  callApi(method, path, { body, headers: people[who] });
const change = async (who: string, patch: object) =>
  (await as(who, 'PATCH', `/api/v1/queues/${queue}/config`, patch)).body;
const config = async () => (await world.broker.config.get(queue)).config;

describe('settings', () => {
  const now = { completedKeepBytes: 10_000, deadKeepMs: 600_000 };
  test.each([
    ['fewer completed jobs', { completedKeep: 999 }],
    ['completed jobs until some time', { completedKeepMs: 1_000 }],
    ['fewer bytes of them', { completedKeepBytes: 9_999 }],
    ['dead letters for a shorter time', { deadKeepMs: 60_000 }],
    ['no trash', { trashGraceMs: 0 }],
    ['other rules of what is hidden', { redact: [] }],
  ])('that keep or hide less need what a purge does: %s', async (_, patch) => {
    await world.broker.config.change(queue, now, BY);
    const stored = await config();
    expect(await change('careful', patch)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(await change('unproved', patch)).toMatchObject({ status: 403, code: 'REAUTHENTICATION_REQUIRED' });
    expect(await config()).toEqual(stored);
    expect(await change('operator', patch)).toMatchObject({ config: patch });
  });

  test('that keep more, or stay as they are, do not', async () => {
    await world.broker.config.change(queue, now, BY);
    const patch = { completedKeep: 2_000, completedKeepBytes: null, deadKeepMs: 600_000, concurrency: 5 };
    expect(await change('careful', patch)).toMatchObject({ config: patch });
    expect(
      await change('unproved', { redact: QUEUE_CONFIG_DEFAULT.redact, shedAtPercent: 90 }),
    ).toMatchObject({
      config: { shedAtPercent: 90 },
    });
  });

  test('a second person is asked for by anybody, and done without only by who looks after access', async () => {
    expect(await change('careful', { purgeNeedsApproval: true })).toMatchObject({
      config: { purgeNeedsApproval: true },
    });
    for (const who of ['careful', 'operator', 'part'])
      expect(await change(who, { purgeNeedsApproval: false })).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
      });
    expect(await config()).toMatchObject({ purgeNeedsApproval: true });
    expect(await change('admin', { purgeNeedsApproval: false })).toMatchObject({
      config: { purgeNeedsApproval: false },
    });
    expect(await change('operator', { purgeNeedsApproval: false, concurrency: 1 })).toMatchObject({
      config: { concurrency: 1 },
    });
  });
});

describe('M2: with approval of purges', () => {
  beforeEach(() =>
    world.broker.config.change(
      queue,
      { purgeNeedsApproval: true, completedKeepBytes: 10_000, deadKeepMs: 600_000 },
      BY,
    ),
  );

  test.each([
    { completedKeep: 999 },
    { completedKeepMs: 1_000 },
    { completedKeepBytes: 9_999 },
    { deadKeepMs: 60_000 },
    { trashGraceMs: 0 },
    { trashGraceMs: 0, purgeNeedsApproval: true },
  ])('to keep less takes what switching the approval off takes: %o', async (patch) => {
    const stored = await config();
    const [field = ''] = Object.keys(patch);
    for (const who of ['careful', 'operator', 'part'])
      expect(await change(who, patch)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    const refused = await change('part', patch);
    expect(refused).toMatchObject({
      detail: expect.stringContaining('"access"'),
      errors: [{ field, message: 'keeps less than now' }],
    });
    expect(await change('unproved admin', patch)).toMatchObject({
      status: 403,
      code: 'REAUTHENTICATION_REQUIRED',
    });
    expect(await config()).toEqual(stored);
    expect(await change('admin', patch)).toMatchObject({ config: patch });
  });

  test('to keep more does not', async () => {
    const patch = { completedKeep: 2_000, deadKeepMs: null, trashGraceMs: 7_200_000 };
    expect(await change('operator', patch)).toMatchObject({ config: patch });
  });

  const preview = async (kind: string, more: object = {}) =>
    (await as('operator', 'POST', paths.operationPreview(), { kind, scope: { q: '', queue }, ...more })).body;

  test('a move waits for it, unless the other queue asks for approval too and keeps no less', async () => {
    const target = `${queue}-b`;
    await world.broker.enqueue(target, { jobId: 'x', jobType: 'a' });
    const moves = async () => (await preview('move', { target })).needsApproval;
    expect(await moves()).toBe(true);
    await world.broker.config.change(target, { purgeNeedsApproval: true, completedKeepBytes: 10_000 }, BY);
    expect(await moves()).toBe(false);
    await world.broker.config.change(target, { deadKeepMs: 599_999 }, BY);
    expect(await moves()).toBe(true);
    await world.broker.config.change(queue, { purgeNeedsApproval: false }, BY);
    expect(await moves()).toBe(false);
  });

  test('an edit waits for it: what was in the payloads before is gone', async () => {
    expect(await preview('edit', { patch: [{ op: 'add', path: '/a', value: 1 }] })).toMatchObject({
      needsApproval: true,
    });
    expect(await preview('redrive')).toMatchObject({ needsApproval: false });
  });

  test('an operation that was confirmed before goes on after a pause only if somebody else resumes it', async () => {
    await world.broker.config.change(queue, { purgeNeedsApproval: false }, BY);
    const { token } = await preview('purge');
    const { getOperationRunner: getBulkRunner } = await import('@/lib/server/background/operation-runner');
    getBulkRunner().stop();
    const started = await as('operator', 'POST', paths.operations(), { previewToken: token, reason: 'x' });
    const path = `/api/v1/operations/${started.body.id}`;
    expect((await as('operator', 'POST', `${path}/pause`, {})).body).toMatchObject({ status: 'paused' });
    await world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
    expect((await as('operator', 'POST', `${path}/resume`, {})).body).toMatchObject({
      status: 403,
      detail: expect.stringContaining('purgeNeedsApproval'),
    });
    expect((await as('admin', 'POST', `${path}/resume`, {})).body).toMatchObject({ status: 'running' });
  });
});

describe('likely 6: an edit', () => {
  const patch = [{ op: 'add', path: '/a', value: 1 }];
  test('needs what a purge does: no undo brings back what it overwrites', async () => {
    const request = { kind: 'edit', scope: { q: '', queue }, patch };
    const preview = async (who: string) => (await as(who, 'POST', paths.operationPreview(), request)).body;
    expect(await preview('careful')).toMatchObject({ code: 'FORBIDDEN' });
    expect(await preview('unproved')).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    const looked = await preview('operator');
    const confirm = (who: string) =>
      as(who, 'POST', paths.operations(), { previewToken: looked.token, reason: 'x' });
    expect((await confirm('careful')).body).toMatchObject({ code: 'FORBIDDEN' });
    expect((await confirm('unproved')).body).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    expect((await confirm('operator')).status).toBe(202);
  });
});

describe('likely 5: a move to a queue that hides less', () => {
  const moved = async (who: string, redact: string[]) => {
    const target = `${queue}-shown`;
    await world.broker.enqueue(target, { jobId: 'x', jobType: 'a' });
    if (redact) await as('admin', 'PATCH', `/api/v1/queues/${target}/config`, { redact });
    const request = { kind: 'move', scope: { q: '', queue }, target };
    const looked = await as(who, 'POST', paths.operationPreview(), request);
    if (looked.status !== 200) return looked.body;
    return (await as(who, 'POST', paths.operations(), { previewToken: looked.body.token, reason: 'x' })).body;
  };

  test('needs what other redaction rules need', async () => {
    const may = (permissions: Permission[]) =>
      Object.assign(ROLES, { producer: ['enqueue', ...permissions] });
    may(['view', 'operate', 'destroy']);
    const refused = await moved('careful', []);
    expect(refused).toMatchObject({ code: 'FORBIDDEN', detail: expect.stringContaining('"unmask"') });
    expect(refused.detail).toContain(`${queue}-shown has no such redaction rules`);
    may(['view', 'operate', 'unmask']);
    expect(await moved('careful', [])).toMatchObject({
      code: 'FORBIDDEN',
      detail: expect.stringContaining('"destroy"'),
    });
    expect(await moved('unproved', [])).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    // Where it hides as much, nobody is asked.
    expect(await moved('careful', ['/'])).toMatchObject({ kind: 'move' });
  });

  test('is on record with the queues whose values it shows', async () => {
    const { id } = await moved('operator', []);
    const rows = await world.redis.connect().xrevrange('rd:{.operations}:audit', '+', '-', 'COUNT', 10);
    const start = rows.map(([, fields]) => fields.join(' ')).find((text) => text.includes('operation.start'));
    expect(start).toContain(String(id));
    expect(start).toContain(`"unhides":["${queue}"]`);
  });

  test('goes for a schedule, too', async () => {
    await as('admin', 'POST', paths.jobs(`${queue}-shown`), { jobType: 'a' });
    await as('admin', 'PATCH', `/api/v1/queues/${queue}-shown/config`, { redact: [] });
    const timing = { everyMs: 60_000 };
    const job = { jobType: 'a', payload: '{"password":"x"}' };
    await as('operator', 'POST', paths.schedules(), { id: `s-${queue}`, queue, timing, job });
    Object.assign(ROLES, { producer: ['view', 'operate', 'destroy'] });
    const change = (who: string, to: string) => as(who, 'PATCH', paths.schedule(`s-${queue}`), { queue: to });
    expect((await change('careful', `${queue}-shown`)).body).toMatchObject({
      code: 'FORBIDDEN',
      detail: expect.stringContaining('"unmask"'),
    });
    expect((await change('careful', `${queue}-as-hidden`)).status).toBe(200);
    expect((await change('operator', `${queue}-shown`)).status).toBe(200);
  });
});

describe('the deletion of a queue', () => {
  const preview = (who: string) =>
    as(who, 'POST', paths.operationPreview(), { kind: 'delete-queue', scope: { q: '', queue } });
  const confirm = async (who: string, more: object = { typedName: queue }) => {
    const { body } = await preview('operator');
    return as(who, 'POST', paths.operations(), { previewToken: body.token, reason: 'x', ...more });
  };

  test('needs the permission to destroy all of it, an identity confirmed lately, and its name', async () => {
    const grants = [{ role: 'operator' as const, queues: ['*'], tenants: ['default'] }];
    people.tenant = (await signInAs(world, { name: 'tenant', grants })).headers;
    for (const who of ['careful', 'tenant'])
      expect((await preview(who)).body).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await confirm('careful')).body).toMatchObject({ code: 'FORBIDDEN' });
    // Who does not see all of it is told that there is no such preview.
    expect((await confirm('tenant')).body).toMatchObject({ code: 'PREVIEW_STALE' });
    expect((await preview('unproved')).body).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    expect((await confirm('unproved')).body).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    expect((await confirm('operator', {})).body).toMatchObject({
      status: 400,
      errors: [{ field: 'typedName', message: `type ${queue}, the name of the queue, to confirm` }],
    });
    expect(await world.broker.inspect.job(queue, 'dead')).toMatchObject({ state: 'dead' });
    const started = await confirm('operator');
    expect(started).toMatchObject({ status: 202, body: { kind: 'delete-queue', expected: 1 } });
  });

  test('waits for approval where purges do', async () => {
    await world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
    expect((await preview('operator')).body).toMatchObject({
      needsApproval: true,
      deletes: { typedName: queue },
    });
    const { body } = await confirm('operator');
    expect(body).toMatchObject({ status: 'awaiting-approval' });
    const approve = (who: string) => as(who, 'POST', `/api/v1/operations/${body.id}/approve`, {});
    expect((await approve('operator')).body).toMatchObject({ code: 'FORBIDDEN' });
    expect(await world.broker.inspect.job(queue, 'dead')).toMatchObject({ state: 'dead' });
    expect((await approve('admin')).status).toBe(200);
  });
});

describe('with a second person', () => {
  test('nobody purges or deletes job by job', async () => {
    await world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
    for (const action of ['purge', 'remove'] as const) {
      const { body } = await as('admin', 'POST', paths.jobAction(queue, 'dead', action), { reason: 'x' });
      expect(body).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
        detail: expect.stringContaining('needs approval'),
      });
    }
    expect(await world.broker.inspect.job(queue, 'dead')).toMatchObject({ state: 'dead' });
    const { body } = await as('admin', 'POST', paths.jobAction(queue, 'dead', 'redrive'), { reason: 'x' });
    expect(body).toEqual({ outcome: 'ok' });
  });

  test('a purge that was looked at before waits for them, too', async () => {
    const scope = { q: `queue:${queue}` };
    const looked = await as('admin', 'POST', paths.operationPreview(), { kind: 'purge', scope });
    expect(looked.body).toMatchObject({ needsApproval: false });
    await world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
    const request = { previewToken: looked.body.token, reason: 'x' };
    const started = await as('admin', 'POST', paths.operations(), request);
    expect(started.body).toMatchObject({ status: 'awaiting-approval' });
  });
});
