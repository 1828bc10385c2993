/** One user can leave only so much in the audit log within an hour: beyond it changes are refused, and none goes unrecorded. */
import { hash } from '@node-rs/argon2';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AUDIT_ENTRIES_MAX } from '@/lib/broker/audit/trim-log';
import type { Grant, Role } from '@/lib/contract/access/grant-scopes';
import { REFUSALS_A_DAY } from '@/lib/server/authorization/audit-refusals';
import { CHANGES_AN_HOUR, SIGN_INS_AN_HOUR } from '@/lib/server/authorization/change-quota';
import { getAuditCollector } from '@/lib/server/background/audit-collector';
import { until } from '@/testing/poll';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { type SignedIn, signInAs, tokenFor } from '@/testing/worlds/users';

const HOUR = { limit: CHANGES_AN_HOUR, windowMs: 3_600_000 };
const PAUSE = '/api/v1/queues/mail/pause';
const BODY = { body: { reason: 'a test' } };
const grants = (role: Role): Grant[] => [{ role, queues: ['*'], tenants: null }];
const changesOf = (owner: string) => ({ kind: 'user', key: `changes ${owner}` }) as const;

const world = await setUpConsole();
let client: Redis;
beforeAll(async () => {
  client = world.redis.connect();
  for (const queue of ['mail', 'other']) await world.broker.enqueue(queue, { jobType: 'a' });
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
/** A console looks at a share once a second. */
const refused = (who: Parameters<typeof pause>[0]) =>
  until(async () => (await pause(who)).body.code === 'RATE_LIMITED', {
    what: 'a change to be refused',
    timeoutMs: 10_000,
  });

describe('Likely 1: the share of one user', () => {
  test('is taken by every entry they cause, with their tokens, each shard and the jobs they enqueue', async () => {
    const ann = await signInAs(world, { name: 'ann', grants: grants('operator') });
    const token = await tokenFor(world, ann, grants('operator'));
    await getAuditCollector().look();
    await client.del('rd:{.access}:user-attempts');
    expect((await pause(ann)).status).toBe(200);
    expect(
      (await callApi('POST', '/api/v1/queues/mail/resume', { body: {}, headers: token.headers })).status,
    ).toBe(200);
    await getAuditCollector().look();
    expect(await counted()).toEqual([2]);
    const enqueue = { body: { jobType: 'a' }, headers: token.headers };
    expect((await callApi('POST', '/api/v1/queues/mail/jobs', enqueue)).status).toBe(201);
    expect((await callApi('POST', '/api/v1/queues/mail/jobs', enqueue)).status).toBe(201);
    await getAuditCollector().look();
    expect(await counted()).toEqual([3]);
    await world.broker.sharding.set('spread', { count: 4 }, { actor: 'the test' });
    await world.broker.enqueue('spread', { jobType: 'a' });
    await getAuditCollector().look();
    const [before = 0] = await counted();
    expect(
      (await callApi('POST', '/api/v1/queues/spread/pause', { ...BODY, headers: ann.headers })).status,
    ).toBe(200);
    await until(
      async () => {
        await getAuditCollector().look();
        return ((await counted())[0] ?? 0) === before + 4;
      },
      { what: 'an entry of each shard', timeoutMs: 10_000 },
    );
  });

  test('once it is used up, changes are refused in a sentence, and on record; looking, claiming and others go on', async () => {
    const bob = await signInAs(world, { name: 'bob', grants: grants('operator') });
    const token = await tokenFor(world, bob, [...grants('operator'), ...grants('worker')]);
    await world.broker.access.attempts.add(changesOf(bob.userId), HOUR, CHANGES_AN_HOUR);
    await refused(bob);
    const { status, body, response } = await pause(bob);
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(body.detail).toMatch(
      /2,500 changes within an hour.*Nothing was changed\. Try again in 60 minutes/,
    );
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3_000);
    await refused(token);
    for (const [method, path, sent] of [
      ['POST', '/api/v1/queues/mail/jobs', { jobType: 'a' }],
      ['POST', '/api/v1/queues/mail/jobs/x/cancel', {}],
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

  test('an administrator always has room', async () => {
    const root = await signInAs(world, { name: 'root', grants: grants('admin') });
    await world.broker.access.attempts.add(changesOf(root.userId), HOUR, 10 * CHANGES_AN_HOUR);
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
    await world.broker.access.attempts.add({ kind: 'user', key }, HOUR, SIGN_INS_AN_HOUR - 2);
    expect((await signIn()).status).toBe(200);
    const refusal = await signIn();
    expect([refusal.status, refusal.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refusal.response.headers.get('set-cookie')).toBeNull();
  });

  test('for a whole day, with everything they are refused, leaves a third of the log to others', () => {
    /** A share is looked at once a second, and counted when the entries are carried over: that may be so much late in each hour. */
    const late = 1_000;
    const day = 24 * (CHANGES_AN_HOUR + late + SIGN_INS_AN_HOUR) + REFUSALS_A_DAY.user;
    expect(day + REFUSALS_A_DAY.networks).toBeLessThan((AUDIT_ENTRIES_MAX * 2) / 3);
  });
});
