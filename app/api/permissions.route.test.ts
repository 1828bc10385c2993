/**
 * Read-only that was not: consoles have hidden a button and left its route open. Here every route is asked by people who may not,
 * before there is sign-in to make them: only who is asking is replaced.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { JOB_ACTIONS } from '@/lib/contract/job';
import { DESTRUCTIVE, KIND_STATES, OPERATION_KINDS, type OperationKind } from '@/lib/contract/operations';
import type { Permission, Session } from '@/lib/server/session';
import { callApi, routeFiles } from '@/testing/api';
import { startTestConsole, type TestConsole } from '@/testing/console';
import { killAll } from '@/testing/world';

let permissions: Permission[] = [];
vi.mock('@/lib/server/session', async (original) => ({
  ...(await original<typeof import('@/lib/server/session')>()),
  sessionOf: (): Session => ({ actor: 'somebody', permissions: new Set(permissions) }),
}));

let world: TestConsole;
beforeAll(async () => {
  world = await startTestConsole();
  await killAll(world.broker, 'default', [{ jobId: 'one', jobType: 'a', payload: '{}' }]);
});
afterAll(() => world.stop());
beforeEach(() => {
  permissions = ['view'];
});

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Change nothing but what is the asker's own, or nothing at all. */
const FOR_VIEWERS: ReadonlySet<string> = new Set([
  'PUT /api/v1/me',
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
  const before = await world.fingerprint();
  const answer = await callApi(method, path, { body });
  expect(answer.body, `${method} ${path}`).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  expect(await world.fingerprint()).toBe(before);
}

test('who may only look changes nothing, by any route there is', async () => {
  const asked: string[] = [];
  for (const { pattern, file } of routeFiles().filter(({ pattern }) => pattern.startsWith('/api/v1/'))) {
    const module = (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
    const path = pattern.replace(/\[(\w+)\]/g, (_, name: string) => VALUES[name] ?? 'x');
    for (const method of METHODS) {
      // A job's actions each state their own permission: see below.
      if (!module[method] || FOR_VIEWERS.has(`${method} ${path}`) || pattern.includes('jobs/[id]/[action]'))
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
  const file = await callApi('GET', '/api/v1/operations/one/file');
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
    callApi('POST', '/api/v1/operations/preview', { body: { kind, scope: scope(kind), ...REST[kind] } });

  test('previews and confirms what takes nothing away', async () => {
    permissions = ['view', 'operate'];
    for (const kind of OPERATION_KINDS.filter((one) => !DESTRUCTIVE.has(one))) {
      const looked = await preview(kind);
      expect(looked.status, kind).toBe(200);
      const body = { previewToken: looked.body.token, reason: 'x' };
      expect((await callApi('POST', '/api/v1/operations', { body })).status, kind).toBe(202);
    }
  });

  test.each([...DESTRUCTIVE])('does not %s, also with the token of somebody who may', async (kind) => {
    permissions = ['view', 'operate', 'destroy'];
    const { body } = await preview(kind);
    permissions = ['view', 'operate'];
    expect((await preview(kind)).body).toMatchObject({ code: 'FORBIDDEN' });
    await forbidden('POST', '/api/v1/operations', { previewToken: body.token, reason: 'x' });
  });

  test('stops what destroys, and does not let it go on', async () => {
    permissions = ['view', 'operate', 'destroy'];
    await callApi('PATCH', '/api/v1/queues/default/config', { body: { purgeNeedsApproval: true } });
    const looked = await callApi('POST', '/api/v1/operations/preview', {
      body: { kind: 'purge', scope: { q: 'queue:default' } },
    });
    const started = await callApi('POST', '/api/v1/operations', {
      body: { previewToken: looked.body.token, reason: 'x' },
    });
    expect(started.body.status).toBe('awaiting-approval');
    permissions = ['view', 'operate'];
    const path = `/api/v1/operations/${started.body.id}`;
    await forbidden('POST', `${path}/approve`);
    await forbidden('POST', `${path}/resume`);
    expect((await callApi('POST', `${path}/reject`, { body: {} })).status).toBe(200);
  });
});
