/** Settings that take away or show what cannot be had back: no way around a proof, the permission to destroy, or a second person. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { paths } from '@/lib/contract/api';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/config';
import { type Permission, ROLES } from '@/lib/contract/permissions';
import { callApi } from '@/testing/api';
import { startTestConsole, type TestConsole } from '@/testing/console';
import { signInAs } from '@/testing/sign-in';
import { killAll } from '@/testing/world';

const BY = { actor: 'the test', reason: 'set up' };
/** No role of today operates without destroying; the checks do not count on that. */
const before: readonly Permission[] = ROLES.producer;
const people: Record<string, { cookie: string }> = {};
let world: TestConsole;
let queue: string;
let tests = 0;

beforeAll(async () => {
  world = await startTestConsole();
  Object.assign(ROLES, { producer: ['view', 'unmask', 'operate'] });
  const sign = async (name: string, role: 'producer' | 'operator' | 'admin', queues = '*', proved = true) => {
    const grants = [{ role, queues: [queues], tenants: null }];
    people[name] = (await signInAs(world, { name, grants, proved })).headers;
  };
  await sign('careful', 'producer');
  await sign('operator', 'operator');
  await sign('unproved', 'operator', '*', false);
  await sign('part', 'admin', 'final-*');
  await sign('admin', 'admin');
});
afterAll(async () => {
  Object.assign(ROLES, { producer: before });
  await world.stop();
});
beforeEach(async () => {
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
    expect(await change('unproved', patch)).toMatchObject({ status: 403, code: 'PROOF_NEEDED' });
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

describe('with a second person', () => {
  test('nobody purges or deletes job by job', async () => {
    await world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
    for (const action of ['purge', 'remove'] as const) {
      const { body } = await as('admin', 'POST', paths.jobAction(queue, 'dead', action), { reason: 'x' });
      expect(body).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
        detail: expect.stringContaining('a second person'),
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
