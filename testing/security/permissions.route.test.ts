/** Read-only that was not: consoles have hidden a button and left its route open. Here every route is asked by people who may not. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operationPermission } from '@/lib/contract/access/action-permissions';
import { type Permission, ROLES, type Role } from '@/lib/contract/access/grant-scopes';
import { JOB_ACTIONS } from '@/lib/contract/jobs/job-actions';
import { KIND_STATES, OPERATION_KINDS, type OperationKind } from '@/lib/contract/operations/operation-kinds';
import { setUpConsole } from '@/testing/worlds/console-server';
import { answersMethod, callApi, routeFiles } from '@/testing/worlds/route-caller';
import { signInAs } from '@/testing/worlds/users';
import { killAll } from '@/testing/worlds/world';

/** No role of today operates without destroying; the checks do not count on that. */
const careful: Role = 'producer';
const before: readonly Permission[] = ROLES[careful];

const world = await setUpConsole();
const people: Record<string, { cookie: string }> = {};
let headers: { cookie: string };
beforeAll(async () => {
  await killAll(world.broker, 'default', [{ jobId: 'one', jobType: 'a', payload: '{}' }]);
  Object.assign(ROLES, { [careful]: ['view', 'enqueue', 'operate'] });
  for (const role of ['viewer', careful, 'admin'] as const) {
    const grants = [{ role, queues: ['*'], tenants: null }];
    people[role] = (await signInAs(world, { name: `the-${role}`, grants })).headers;
  }
});
afterAll(async () => {
  Object.assign(ROLES, { [careful]: before });
});
const become = (role: Role) => {
  headers = people[role] ?? { cookie: '' };
};
beforeEach(() => become('viewer'));

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Change nothing but what is the asker's own, or nothing at all. */
const FOR_VIEWERS: ReadonlySet<string> = new Set([
  'PUT /api/v1/me',
  'PUT /api/v1/me/tables',
  'POST /api/v1/searches',
  'DELETE /api/v1/searches/one',
  'POST /api/v1/schedules/preview',
]);
const VALUES: Record<string, string> = {
  queue: 'default',
  id: 'one',
  group: 'abcdefabcdef',
  action: 'pause',
};

async function forbidden(method: string, path: string, body: unknown = {}): Promise<void> {
  const stored = await world.fingerprint();
  const answer = await callApi(method, path, { body, headers });
  expect(answer.body, `${method} ${path}`).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  expect(await world.fingerprint()).toBe(stored);
}

test('who may only look changes nothing, by any route there is', async () => {
  const asked: string[] = [];
  // One's own sessions and tokens are one's own: see inventory.route.test.ts.
  const routes = routeFiles().filter(({ pattern }) => /^\/api\/v1\/(?!session|access)/.test(pattern));
  for (const { pattern, file } of routes) {
    const module = (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
    const path = pattern.replace(/\[(\w+)\]/g, (_, name: string) => VALUES[name] ?? 'x');
    for (const method of METHODS) {
      // A job's actions each state their own permission: see below.
      if (
        !answersMethod(module, method) ||
        FOR_VIEWERS.has(`${method} ${path}`) ||
        pattern.includes('jobs/[id]/[action]')
      )
        continue;
      await forbidden(method, path);
      asked.push(`${method} ${path}`);
    }
  }
  expect(asked).toEqual(
    expect.arrayContaining([
      'POST /api/v1/operations',
      'POST /api/v1/operations/preview',
      'PATCH /api/v1/operations/one',
      'POST /api/v1/operations/one/pause',
      'POST /api/v1/operations/one/undo',
      'PATCH /api/v1/dead/groups/abcdefabcdef',
      'POST /api/v1/queues/default/pause',
    ]),
  );
});

test('nor by an action on one job, nor takes the payloads of all of them away', async () => {
  for (const action of [...Object.keys(JOB_ACTIONS), 'ack', 'fail', 'extend', 'release'])
    await forbidden('POST', `/api/v1/queues/default/jobs/one/${action}`);
  const file = await callApi('GET', '/api/v1/operations/one/file', { headers });
  expect(file.body).toMatchObject({ status: 403, code: 'FORBIDDEN' });
});

describe('who may operate but not destroy', () => {
  const scope = (kind: OperationKind) => ({ state: KIND_STATES[kind][0], q: 'type:nothing' });
  const REST: Partial<Record<OperationKind, object>> = {
    move: { target: 'default' },
    edit: { patch: [{ op: 'remove', path: '/a' }] },
    reschedule: { dueAt: 1 },
  };
  const preview = (kind: OperationKind) =>
    callApi('POST', '/api/v1/operations/preview', {
      body: { kind, scope: scope(kind), ...REST[kind] },
      headers,
    });

  test('previews and confirms what takes nothing away', async () => {
    become(careful);
    for (const kind of OPERATION_KINDS.filter((one) => operationPermission(one) === 'operate')) {
      const looked = await preview(kind);
      expect(looked.status, kind).toBe(200);
      const body = { previewToken: looked.body.token, reason: 'x' };
      expect((await callApi('POST', '/api/v1/operations', { body, headers })).status, kind).toBe(202);
    }
  });

  test.each(
    OPERATION_KINDS.filter((one) => operationPermission(one) === 'destroy' && one !== 'delete-queue'),
  )('does not %s, also with the token of somebody who may', async (kind) => {
    become('admin');
    const { body } = await preview(kind);
    become(careful);
    expect((await preview(kind)).body).toMatchObject({ code: 'FORBIDDEN' });
    await forbidden('POST', '/api/v1/operations', { previewToken: body.token, reason: 'x' });
  });

  test('stops what destroys, and does not let it go on', async () => {
    become('admin');
    await callApi('PATCH', '/api/v1/queues/default/config', { body: { purgeNeedsApproval: true }, headers });
    const looked = await callApi('POST', '/api/v1/operations/preview', {
      body: { kind: 'purge', scope: { q: 'queue:default' } },
      headers,
    });
    const started = await callApi('POST', '/api/v1/operations', {
      body: { previewToken: looked.body.token, reason: 'x' },
      headers,
    });
    expect(started.body.status).toBe('awaiting-approval');
    become(careful);
    const path = `/api/v1/operations/${started.body.id}`;
    await forbidden('POST', `${path}/approve`);
    await forbidden('POST', `${path}/resume`);
    expect((await callApi('POST', `${path}/reject`, { body: {}, headers })).status).toBe(200);
  });
});

test('a lab that is switched off is not there, whoever asks and however', async () => {
  process.env.REDRIVE_LAB = 'off';
  const plain = (body: Record<string, unknown>, path: string) => ({
    ...body,
    requestId: '',
    detail: String(body.detail).replace(path, ''),
  });
  const missing = await callApi('GET', '/api/v1/nothing', { headers });
  for (const role of ['viewer', 'admin'] as const) {
    become(role);
    for (const [method, path] of [
      ['GET', '/api/v1/lab'],
      ['PUT', '/api/v1/lab'],
      ['POST', '/api/v1/lab/burst'],
      ['POST', '/api/v1/lab/reclaim'],
    ] as const) {
      const { body } = await callApi(method, path, {
        headers,
        ...(method === 'GET' ? {} : { body: { x: 1 } }),
      });
      expect(plain(body, path)).toEqual(plain(missing.body, '/api/v1/nothing'));
    }
  }
  expect((await callApi('GET', '/api/v1/lab')).status).toBe(401);
  process.env.REDRIVE_LAB = 'on';
});
