/** One user can leave only so much in the audit log within an hour: beyond it changes are refused, and none goes unrecorded. */
import { hash } from '@node-rs/argon2';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UNPAID_AN_HOUR } from '@/lib/broker/audit/intake/source-rooms';
import { AUDIT_ENTRIES_MAX } from '@/lib/broker/audit/trim-log';
import type { Grant, Role } from '@/lib/contract/access/grant-scopes';
import { getAuditCollector } from '@/lib/server/audit/audit-collector';
import { REFUSALS_A_DAY } from '@/lib/server/audit/audit-refusals';
import { SIGN_INS_AN_HOUR } from '@/lib/server/authentication/sign-in-quota';
import { CHANGES_AN_HOUR } from '@/lib/server/authorization/change-quota';

import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { type SignedIn, signInAs, tokenFor } from '@/testing/worlds/users';
import { killAll } from '@/testing/worlds/world';

const HOUR = { limit: CHANGES_AN_HOUR, windowMs: 3_600_000 };
const PAUSE = '/api/v1/queues/mail/pause';
const BODY = { body: { reason: 'a test' } };
const grants = (role: Role): Grant[] => [{ role, queues: ['*'], tenants: null }];

const world = await setUpConsole();
let client: Redis;
beforeAll(async () => {
  client = world.redis.connect();
  for (const queue of ['mail', 'other']) await world.broker.enqueue(queue, { jobType: 'a' });
  await world.broker.sharding.set('wide', { count: 64 }, { actor: 'the test' });
  await world.broker.enqueue('wide', { jobType: 'a' });
  await getAuditCollector().look();
});
afterAll(async () => {
  client.disconnect();
});
beforeEach(async () => {
  await client.del('rd:{.access}:user-attempts');
});

/** What was counted of each, in no order. */
const counted = async () =>
  Object.values(await client.hgetall('rd:{.access}:user-attempts')).map((row) => Number(row.split(' ')[1]));
const pause = ({ headers }: { headers: SignedIn['headers'] | { authorization: string } }) =>
  callApi('POST', PAUSE, { ...BODY, headers });
/** All of a user's share but so many events. */
const leave = (user: SignedIn, left: number) =>
  world.broker.access.changes.pay(user.userId, new Map([['', CHANGES_AN_HOUR - left]]), HOUR);
const ask = (user: SignedIn, method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown = {}) =>
  callApi(method, `/api/v1/queues/${path}`, { body, headers: user.headers });
const entriesOf = async (actor: string) => {
  await getAuditCollector().look();
  const entries: string[] = [];
  for await (const { action } of world.broker.audit.matching({ actor, result: 'done' })) entries.push(action);
  // They have signed in.
  return entries.filter((action) => action !== 'session.begin');
};

describe('Likely 1: the share of one user', () => {
  test('pays for every entry they cause, with their tokens, each shard and the jobs they enqueue', async () => {
    const ann = await signInAs(world, { name: 'ann', grants: grants('operator') });
    const token = await tokenFor(world, ann, grants('operator'));
    await client.del('rd:{.access}:user-attempts');
    expect((await pause(ann)).status).toBe(200);
    expect(
      (await callApi('POST', '/api/v1/queues/mail/resume', { body: {}, headers: token.headers })).status,
    ).toBe(200);
    expect(await counted()).toEqual([2]);
    const enqueue = { body: { jobType: 'a' }, headers: token.headers };
    expect((await callApi('POST', '/api/v1/queues/mail/jobs', enqueue)).status).toBe(201);
    expect((await callApi('POST', '/api/v1/queues/mail/jobs', enqueue)).status).toBe(201);
    expect(await counted()).toEqual([3]);
    // A change in between ends the entry that those were part of.
    expect((await ask(ann, 'POST', 'mail/drain', { draining: true, ...BODY.body })).status).toBe(200);
    expect((await ask(ann, 'POST', 'mail/drain', { draining: false, ...BODY.body })).status).toBe(200);
    expect((await callApi('POST', '/api/v1/queues/mail/jobs', enqueue)).status).toBe(201);
    expect(await counted()).toEqual([6]);
    expect((await ask(ann, 'POST', 'wide/pause', BODY.body)).status).toBe(200);
    expect(await counted()).toEqual([70]);
  });

  test('has room for a change in all shards of a queue, or nothing of it is done', async () => {
    const dora = await signInAs(world, { name: 'dora', grants: grants('operator') });
    await leave(dora, 63);
    const changes = [
      ['POST', 'wide/pause', BODY.body],
      ['POST', 'wide/resume', {}],
      ['POST', 'wide/drain', { draining: true, reason: 'x' }],
      ['PATCH', 'wide/config', { completedKeep: 7, reason: 'x' }],
      ['PUT', 'new/sharding', { count: 63 }],
    ] as const;
    for (const [method, path, body] of changes) {
      const { status, body: told } = await ask(dora, method, path, body);
      expect([path, status, told.code]).toEqual([path, 429, 'RATE_LIMITED']);
      expect(told.detail).toMatch(/needs room for 64 entries.*Nothing was changed/);
    }
    const reclaimed = await ask(dora, 'POST', 'wide/reclaim');
    expect(reclaimed.status).toBe(200);
    expect(await entriesOf('dora')).toEqual([]);
    expect((await world.broker.config.get('wide')).config.completedKeep).not.toBe(7);
    expect((await world.broker.config.get('new')).shards.count).toBe(1);
    expect(await counted()).toEqual([CHANGES_AN_HOUR - 63]);
  });

  test('of many requests at once exactly as many are let through as it has room for', async () => {
    const gus = await signInAs(world, { name: 'gus', grants: grants('operator') });
    await leave(gus, 3 * 64 + 10);
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => ask(gus, 'POST', 'wide/pause', { ...BODY.body, forMs: 60_000 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(21);
    expect(await entriesOf('gus')).toHaveLength(3 * 64);
    expect(await counted()).toEqual([CHANGES_AN_HOUR - 10]);
  });

  test('gets back what a change did not use: because it changed nothing, was refused, or failed', async () => {
    const hal = await signInAs(world, { name: 'hal', grants: grants('operator') });
    await world.broker.resume('wide', 'queue', { actor: 'the test' });
    expect((await ask(hal, 'POST', 'wide/resume')).status).toBe(200);
    expect((await ask(hal, 'POST', 'wide/drain', { draining: false, reason: 'x' })).status).toBe(200);
    expect((await ask(hal, 'POST', 'mail/jobs/none/cancel')).status).toBe(404);
    const job = { jobId: 'once', jobType: 'a', delayMs: 60_000 };
    expect((await ask(hal, 'POST', 'mail/jobs', job)).status).toBe(201);
    expect(await counted()).toEqual([1]);
    expect((await ask(hal, 'POST', 'mail/jobs/once/purge')).status).toBe(409);
    expect(
      (await ask(hal, 'PATCH', 'wide/config', { completedKeep: 9, reason: 'x', ifRevision: 99_999 })).status,
    ).toBe(409);
    expect(await counted()).toEqual([1]);
  });

  test('pays for the end of an operation in each queue when it starts, and an operation without room does not start', async () => {
    const ivy = await signInAs(world, { name: 'ivy', grants: grants('operator') });
    for (const queue of ['op-a', 'op-b', 'op-c'])
      await killAll(world.broker, queue, [{ jobId: queue, jobType: 'ops', payload: '{}' }]);
    const start = async () => {
      const scope = { state: 'dead', q: 'type:ops' };
      const preview = await callApi('POST', '/api/v1/operations/preview', {
        body: { kind: 'suppress', scope },
        headers: ivy.headers,
      });
      const { token: previewToken, typedCount } = preview.body;
      return callApi('POST', '/api/v1/operations', {
        body: { previewToken, reason: 'x', ...(typedCount === null ? {} : { typedCount }) },
        headers: ivy.headers,
      });
    };
    await leave(ivy, 3);
    const refusal = await start();
    expect([refusal.status, refusal.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(await counted()).toEqual([CHANGES_AN_HOUR - 3]);
    await client.del('rd:{.access}:user-attempts');
    await leave(ivy, 4);
    expect((await start()).status).toBe(202);
    expect(await counted()).toEqual([CHANGES_AN_HOUR]);
    await until(async () => (await entriesOf('ivy')).length === 4, {
      what: 'the start and an end in each queue',
      timeoutMs: 10_000,
    });
  });

  test('once it is used up, changes are refused in a sentence, and on record; looking, claiming and others go on', async () => {
    const bob = await signInAs(world, { name: 'bob', grants: grants('operator') });
    const token = await tokenFor(world, bob, [...grants('operator'), ...grants('worker')]);
    await leave(bob, 0);
    const { status, body, response } = await pause(bob);
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(body.detail).toMatch(
      /needs room for an entry in the audit log.*2,500 an hour.*Nothing was changed\. Try again in 60 minutes/,
    );
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await pause(token)).body.code).toBe('RATE_LIMITED');
    await world.broker.enqueue('mail', { jobId: 'waits', jobType: 'a', delayMs: 60_000 });
    for (const [method, path, sent] of [
      ['POST', '/api/v1/queues/mail/jobs', { jobType: 'a' }],
      ['POST', '/api/v1/queues/mail/jobs/waits/cancel', {}],
      ['POST', '/api/v1/searches', { name: 'mine', q: 'type:a' }],
      ['POST', '/api/v1/access/tokens', { name: 'more', grants: grants('viewer') }],
    ] as const)
      expect((await callApi(method, path, { body: sent, headers: bob.headers })).body.code, path).toBe(
        'RATE_LIMITED',
      );
    expect((await callApi('GET', '/api/v1/queues', { headers: bob.headers })).status).toBe(200);
    const claim = { body: { worker: 'w' }, headers: token.headers };
    expect((await callApi('POST', '/api/v1/queues/mail/claim', claim)).body.code).not.toBe('RATE_LIMITED');
    // Shutting the door is always possible.
    const shut = { body: { reason: 'stolen' }, headers: bob.headers };
    expect((await callApi('DELETE', `/api/v1/access/tokens/${token.id}`, shut)).status).toBe(200);
    expect((await callApi('DELETE', '/api/v1/access/sessions', shut)).status).toBe(200);
    const other = await signInAs(world, { name: 'cid', grants: grants('operator') });
    expect((await pause(other)).status).toBe(200);
    await getAuditCollector().look();
    const page = await callApi('GET', '/api/v1/audit?result=refused&actor=bob', { headers: bob.headers });
    expect(JSON.stringify(page.body)).toContain('RATE_LIMITED');
  });

  test('is not used up by events in their name that a Redis user of a worker writes, and those fill no log', async () => {
    const kim = await signInAs(world, { name: 'kim', grants: grants('operator') });
    const by = JSON.stringify({ actor: 'kim', actorId: kim.userId, method: 'local', reason: 'forged' });
    await world.broker.enqueue('worker-queue', { jobType: 'a' });
    const pipeline = client.pipeline();
    for (let n = 1; n <= CHANGES_AN_HOUR + 100; n++)
      pipeline.xadd(
        'rd:{worker-queue}:audit',
        '*',
        'n',
        n,
        'action',
        'queue.pause',
        'by',
        by,
        'kind',
        'queue',
      );
    await pipeline.exec();
    await getAuditCollector().look();
    expect((await pause(kim)).status).toBe(200);
    expect(await counted()).toEqual([1]);
    expect((await entriesOf('kim')).length).toBe(UNPAID_AN_HOUR + 1);
    const [left] = (await callApi('GET', '/api/v1/audit?action=audit.left-out', { headers: kim.headers }))
      .body.events as unknown[];
    expect(left).toBeUndefined();
    const root = await signInAs(world, { name: 'root', grants: grants('admin') });
    const { body } = await callApi('GET', '/api/v1/audit?action=audit.left-out', { headers: root.headers });
    expect(body.events).toMatchObject([{ queue: 'worker-queue', actor: 'redrive' }]);
  });

  test('an administrator always has room', async () => {
    const root = await signInAs(world, { name: 'root', grants: grants('admin') });
    const most = new Map([['', CHANGES_AN_HOUR]]);
    await world.broker.access.changes.pay(root.userId, most, HOUR);
    for (let i = 0; i < 3; i++) expect((await pause(root)).status).toBe(200);
  });

  test('so often an hour one user may sign in, and no more', async () => {
    const password = 'violet kettle harbor nineteen';
    const cheap = { memoryCost: 4_096, timeCost: 1, parallelism: 1, outputLen: 32 };
    const users = [{ name: 'Eve', hash: await hash(password, cheap), grants: grants('viewer') }];
    process.env.REDRIVE_USERS = JSON.stringify({ users });
    process.env.AUTH = 'local';
    const signIn = () => callApi('POST', '/api/v1/session', { body: { name: 'Eve', password } });
    const first = await signIn();
    expect(first.status).toBe(200);
    const key = `sign-ins ${String(first.body.id)}`;
    const signIns = { limit: SIGN_INS_AN_HOUR, windowMs: HOUR.windowMs };
    await world.broker.access.attempts.take({ kind: 'user', key }, signIns, SIGN_INS_AN_HOUR - 2);
    expect((await signIn()).status).toBe(200);
    const refusal = await signIn();
    expect([refusal.status, refusal.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refusal.response.headers.get('set-cookie')).toBeNull();
  });

  test('for a whole day, with everything they are refused, leaves a third of the log to others', () => {
    const day = 24 * (CHANGES_AN_HOUR + SIGN_INS_AN_HOUR) + REFUSALS_A_DAY.user;
    expect(day + REFUSALS_A_DAY.networks).toBeLessThan((AUDIT_ENTRIES_MAX * 2) / 3);
  });
});
