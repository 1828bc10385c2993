/** Sessions, people and tokens over HTTP: one's own, and those of others for whoever looks after access. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  meSchema,
  newTokenSchema,
  sessionsPageSchema,
  tokensPageSchema,
  usersPageSchema,
  userViewSchema,
} from '@/lib/contract/access/access-schemas';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { paths } from '@/lib/contract/api-paths';
import { oidcIdOf } from '@/lib/server/authentication/identity-provider/oidc-user';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { removeUser, type SignedIn, signInAs, tokenFor, type Who } from '@/testing/worlds/users';

const ADMIN: Grant[] = [{ role: 'admin', queues: ['*'], tenants: null }];
const VIEWER: Grant[] = [{ role: 'viewer', queues: ['*'], tenants: null }];
const MAIL: Grant[] = [{ role: 'operator', queues: ['mail*'], tenants: null }];
/** Looks after a part of the queues, and is not to reach beyond. */
const PART_ADMIN: Grant[] = [{ role: 'admin', queues: ['mail*'], tenants: null }];
const reason = 'a test';

const world = await setUpConsole();
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  delete process.env.REDRIVE_USERS;
  process.env.AUTH = 'none';
  await world.redis.connect().flushall();
  ada = await signIn({ name: 'ada', grants: ADMIN });
  bob = await signIn({ name: 'bob', grants: MAIL });
});

const signIn = (who: Who) => signInAs(world, who);
const as = (who: { headers: Record<string, string> }, method: string, path: string, body?: unknown) =>
  callApi(method, path, { headers: who.headers, ...(body === undefined ? {} : { body }) });
const refused = (code: string) => ({ code });
const isIn = async (who: SignedIn) => (await as(who, 'GET', paths.me())).status === 200;
const sessionsOf = async (who: SignedIn, all = '') =>
  sessionsPageSchema.parse((await as(who, 'GET', `${paths.sessions()}${all}`)).body).sessions;
const records = async () => {
  const rows = await world.redis.connect().xrange('rd:{.access}:audit', '-', '+');
  return rows.map(([, fields]) => {
    const field = (name: string) => fields[fields.indexOf(name) + 1] ?? '';
    const by = JSON.parse(field('by')) as Record<string, string>;
    return { action: field('action'), id: field('id'), ...by };
  });
};

describe('GET /api/v1/me', () => {
  test('says who one is, what one may do, and how one proves it', async () => {
    const me = meSchema.parse((await as(bob, 'GET', paths.me())).body);
    expect(me).toMatchObject({
      id: 'local:bob',
      name: 'bob',
      method: 'local',
      grants: MAIL,
      permissions: ['view', 'unmask', 'enqueue', 'operate', 'destroy'],
      reauthentication: 'password',
      sessionId: bob.sessionId,
    });
    const carl = await signIn({ name: 'carl', method: 'oidc', grants: [] });
    expect((await as(carl, 'GET', paths.me())).body).toMatchObject({
      reauthentication: 'oidc',
      permissions: [],
    });
    const token = await tokenFor(world, bob, VIEWER);
    expect((await as(token, 'GET', paths.me())).body).toMatchObject({
      id: `token:${token.id}`,
      method: 'token',
      reauthentication: 'none',
      sessionId: null,
      permissions: ['view'],
    });
    expect((await callApi('GET', paths.me())).body).toMatchObject(refused('UNAUTHENTICATED'));
  });

  test('a name is chosen only where nobody is asked', async () => {
    const answer = await as(bob, 'PUT', paths.me(), { name: 'Ada' });
    expect(answer.body).toMatchObject(refused('FORBIDDEN'));
    expect(answer.response.headers.get('set-cookie')).toBeNull();
    process.env.AUTH = 'none';
    const chosen = await callApi('PUT', paths.me(), { body: { name: 'Zoë' } });
    expect(meSchema.parse(chosen.body)).toMatchObject({ id: 'none', name: 'Zoë', chosen: true });
  });
});

describe('sessions', () => {
  test('one’s own, with the one that asks marked; everybody’s for whoever looks after access', async () => {
    const again = await signIn({ name: 'bob', grants: MAIL });
    const mine = await sessionsOf(bob);
    expect(mine.map(({ id, current }) => [id, current]).sort()).toEqual(
      [
        [bob.sessionId, true],
        [again.sessionId, false],
      ].sort(),
    );
    expect((await sessionsOf(ada, '?all=1')).map(({ userId }) => userId).sort()).toEqual([
      'local:ada',
      'local:bob',
      'local:bob',
    ]);
    for (const who of [bob, await signIn({ name: 'part', grants: PART_ADMIN })])
      expect((await as(who, 'GET', `${paths.sessions()}?all=1`)).body).toMatchObject(refused('FORBIDDEN'));
    for (const query of ['?all=0', '?all=1&all=1', '?other=1'])
      expect((await as(ada, 'GET', `${paths.sessions()}${query}`)).body).toMatchObject(refused('VALIDATION'));
  });

  test('answers hold nothing that opens anything', async () => {
    const text = JSON.stringify((await as(ada, 'GET', `${paths.sessions()}?all=1`)).body);
    for (const who of [ada, bob]) {
      expect(text).not.toContain(who.digest);
      expect(text).not.toContain(who.headers.cookie.split('=')[1]);
    }
    const cookie = `redrive=${bob.sessionId.padEnd(43, 'A')}`;
    expect((await as({ headers: { cookie } }, 'GET', paths.me())).status).toBe(401);
  });

  test('one ends one’s own: it is over with the next request', async () => {
    const again = await signIn({ name: 'bob', grants: MAIL });
    expect((await as(bob, 'DELETE', paths.accessSession(again.sessionId))).body).toEqual({ ended: 1 });
    expect([await isIn(again), await isIn(bob)]).toEqual([false, true]);
    expect((await as(bob, 'DELETE', paths.accessSession(again.sessionId))).body).toMatchObject(
      refused('SESSION_NOT_FOUND'),
    );
    expect((await records()).at(-1)).toMatchObject({
      action: 'session.end',
      id: again.sessionId,
      actorId: 'local:bob',
      via: bob.sessionId,
    });
  });

  test('of somebody else it cannot even be told whether there is one', async () => {
    const one = await as(bob, 'DELETE', paths.accessSession(ada.sessionId));
    const other = await as(bob, 'DELETE', paths.accessSession('0123456789abcdef'));
    expect(one.body).toMatchObject(refused('SESSION_NOT_FOUND'));
    const said = ({ requestId: _, ...rest }: Record<string, unknown>) => rest;
    expect(said(one.body)).toEqual(said(other.body));
    expect(await isIn(ada)).toBe(true);
  });

  test('all of one’s own but the one that asks', async () => {
    const others = [await signIn({ name: 'bob', grants: MAIL }), await signIn({ name: 'bob', grants: MAIL })];
    expect((await as(bob, 'DELETE', paths.sessions())).body).toEqual({ ended: 2 });
    expect([await isIn(bob), ...(await Promise.all(others.map(isIn))), await isIn(ada)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  test('whoever looks after access ends any, and says first who they are', async () => {
    const stale = await signIn({ name: 'eve', grants: ADMIN, proved: false });
    const path = paths.accessSession(bob.sessionId);
    expect((await as(stale, 'DELETE', path, { reason })).body).toMatchObject(
      refused('REAUTHENTICATION_REQUIRED'),
    );
    expect(await isIn(bob)).toBe(true);
    // Their own they may end without.
    const own = await signIn({ name: 'eve', grants: ADMIN });
    expect((await as(stale, 'DELETE', paths.accessSession(own.sessionId))).status).toBe(200);
    expect((await as(ada, 'DELETE', path, { reason })).body).toEqual({ ended: 1 });
    expect(await isIn(bob)).toBe(false);
    expect((await records()).at(-1)).toMatchObject({ action: 'session.end', actorId: 'local:ada', reason });
  });
});

describe('people', () => {
  const person = async (id: string) =>
    usersPageSchema.parse((await as(ada, 'GET', paths.users())).body).users.find((one) => one.id === id);
  const patch = (who: SignedIn, id: string, body: object) =>
    as(who, 'PATCH', paths.accessUser(id), { reason, ...body });

  test('those who were here and those who could come, with what each may do and since when', async () => {
    await signIn({ name: 'Carl Bo', grants: VIEWER, given: false });
    await signIn({ name: 'x/1 &', method: 'oidc', grants: [], given: false, groups: ['ops'] });
    expect(await person('local:bob')).toMatchObject({
      name: 'bob',
      method: 'local',
      grants: MAIL,
      grantsFrom: 'console',
      disabled: null,
      sessions: 1,
    });
    expect(await person('local:carl-bo')).toMatchObject({
      name: 'Carl Bo',
      grants: VIEWER,
      grantsFrom: 'file',
    });
    expect(await person(oidcIdOf('x/1 &'))).toMatchObject({
      grants: [],
      grantsFrom: 'groups',
      groups: ['ops'],
    });
    await world.redis.connect().flushall();
    ada = await signIn({ name: 'ada', grants: ADMIN });
    expect(await person('local:bob')).toMatchObject({ firstSeenAt: null, sessions: 0, grants: MAIL });
    removeUser('bob');
    expect(await person('local:bob')).toBeUndefined();
  });

  test('are nobody’s to see who does not look after access', async () => {
    const part = await signIn({ name: 'part', grants: PART_ADMIN });
    const token = await tokenFor(world, ada, ADMIN);
    for (const who of [bob, part, token]) {
      expect((await as(who, 'GET', paths.users())).body).toMatchObject(refused('FORBIDDEN'));
      const before = await world.fingerprint();
      const answer = await as(who, 'PATCH', paths.accessUser('local:bob'), { reason, grants: ADMIN });
      expect(answer.body).toMatchObject(refused('FORBIDDEN'));
      expect(await world.fingerprint()).toBe(before);
    }
  });

  test('a role is changed: it counts at once, and goes back to the file with null', async () => {
    const changed = await patch(ada, 'local:bob', { grants: VIEWER });
    expect(userViewSchema.parse(changed.body)).toMatchObject({ grants: VIEWER, grantsFrom: 'console' });
    expect((await as(bob, 'GET', paths.me())).body).toMatchObject({ permissions: ['view'] });
    const back = await patch(ada, 'local:bob', { grants: null });
    expect(back.body).toMatchObject({ grants: MAIL, grantsFrom: 'file' });
    expect((await records()).at(-1)).toMatchObject({
      action: 'access.change',
      id: 'local:bob',
      actor: 'ada',
      actorId: 'local:ada',
      reason,
    });
  });

  test('somebody is shut out: their sessions and tokens are over with the next request', async () => {
    const token = await tokenFor(world, bob, MAIL);
    expect((await as(token, 'GET', paths.me())).status).toBe(200);
    const answer = await patch(ada, 'local:bob', { disabled: true });
    expect(answer.body).toMatchObject({ sessions: 0, disabled: { by: 'ada', reason } });
    expect(await isIn(bob)).toBe(false);
    expect((await as(token, 'GET', paths.me())).status).toBe(401);
    expect((await patch(ada, 'local:bob', { disabled: false })).body).toMatchObject({ disabled: null });
    expect((await as(token, 'GET', paths.me())).status).toBe(200);
  });

  test.each([
    ['oneself', 'local:ada', { disabled: true }, 'VALIDATION'],
    ['oneself, to less', 'local:ada', { grants: VIEWER }, 'VALIDATION'],
    ['somebody unknown', 'local:nobody', { grants: ADMIN }, 'USER_NOT_FOUND'],
    ['a name that is none', 'local:a\nb', { grants: ADMIN }, 'VALIDATION'],
    ['nothing', 'local:bob', {}, 'VALIDATION'],
    ['a role that is none', 'local:bob', { grants: [{ role: 'god' }] }, 'VALIDATION'],
    ['a pattern that is none', 'local:bob', { grants: [{ role: 'viewer', queues: ['.*'] }] }, 'VALIDATION'],
    ['without a reason', 'local:bob', { grants: VIEWER, reason: undefined }, 'VALIDATION'],
  ])('refused: %s', async (_, id, body, code) => {
    const before = await world.fingerprint();
    expect((await patch(ada, id, body)).body).toMatchObject({ code });
    expect(await world.fingerprint()).toBe(before);
  });

  test('who came by the one-time link has this machine: their access cannot be changed', async () => {
    await signIn({ method: 'link', grants: [] });
    expect(await person('link')).toMatchObject({ grants: ADMIN, grantsFrom: 'fixed' });
    expect((await patch(ada, 'link', { grants: [] })).body).toMatchObject(refused('VALIDATION'));
  });

  test('a proof that is old is asked for again, to change and not to see', async () => {
    const stale = await signIn({ name: 'eve', grants: ADMIN, proved: false });
    expect((await as(stale, 'GET', paths.users())).status).toBe(200);
    expect((await as(stale, 'GET', `${paths.sessions()}?all=1`)).status).toBe(200);
    const before = await world.fingerprint();
    expect((await patch(stale, 'local:bob', { grants: ADMIN })).body).toMatchObject(
      refused('REAUTHENTICATION_REQUIRED'),
    );
    expect(await world.fingerprint()).toBe(before);
  });
});

describe('tokens', () => {
  const make = (who: { headers: Record<string, string> }, grants: unknown, more: object = {}) =>
    as(who, 'POST', paths.tokens(), { name: 'deploy', grants, ...more });
  const made = async (who: SignedIn, grants: Grant[]) => {
    const { status, body } = await make(who, grants);
    expect(status).toBe(201);
    return newTokenSchema.parse(body);
  };
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const listed = async (who: SignedIn, all = '') =>
    tokensPageSchema.parse((await as(who, 'GET', `${paths.tokens()}${all}`)).body).tokens;

  test('made, shown once, used, seen with its last use, revoked: no good with the next request', async () => {
    const { token, view } = await made(bob, [{ role: 'producer', queues: ['mail'], tenants: null }]);
    expect(token).toMatch(/^rdt_[A-Za-z0-9_-]{43}$/);
    expect(view).toMatchObject({ hint: token.slice(0, 8), owner: { id: 'local:bob' }, lastUsedAt: null });
    expect(view.expiresAt - view.createdAt).toBe(90 * 86_400_000);
    expect((await as(bearer(token), 'GET', paths.me())).body).toMatchObject({ permissions: ['enqueue'] });
    const [seen] = await listed(bob);
    expect(seen?.lastUsedAt).toBeGreaterThan(0);
    expect(JSON.stringify([await listed(ada, '?all=1'), await world.fingerprint()])).not.toContain(token);
    expect((await as(bob, 'DELETE', paths.accessToken(view.id))).body).toEqual({ ended: 1 });
    expect((await as(bearer(token), 'GET', paths.me())).body).toMatchObject(refused('UNAUTHENTICATED'));
    expect(await listed(bob)).toEqual([]);
    expect((await records()).slice(-2)).toMatchObject([
      { action: 'token.create', id: view.id, actorId: 'local:bob' },
      { action: 'token.revoke', id: view.id, actorId: 'local:bob' },
    ]);
  });

  test('a narrower owner makes a narrower token, at once', async () => {
    const { token } = await made(bob, MAIL);
    expect((await as(bearer(token), 'GET', paths.me())).body.permissions).toContain('destroy');
    const body = { reason, grants: [{ role: 'viewer', queues: ['mail1'] }] };
    await as(ada, 'PATCH', paths.accessUser('local:bob'), body);
    expect((await as(bearer(token), 'GET', paths.me())).body).toMatchObject({ permissions: ['view'] });
  });

  test.each<[string, Grant[]]>([
    ['a higher role', PART_ADMIN],
    ['other queues', VIEWER],
    ['a longer prefix that is not one', [{ role: 'viewer', queues: ['mai*'], tenants: null }]],
    ['one good grant and one that is not', [...MAIL, { role: 'worker', queues: ['mail'], tenants: null }]],
  ])('nobody gives what they do not have: %s', async (_, grants) => {
    const before = await world.fingerprint();
    expect((await make(bob, grants)).body).toMatchObject(refused('FORBIDDEN'));
    expect(await world.fingerprint()).toBe(before);
  });

  test('nor all tenants who has one', async () => {
    const tina = await signIn({
      name: 'tina',
      grants: [{ role: 'operator', queues: ['*'], tenants: ['acme'] }],
    });
    for (const tenants of [null, ['acme', 'beta'], ['beta']])
      expect((await make(tina, [{ role: 'viewer', queues: ['*'], tenants }])).body).toMatchObject(
        refused('FORBIDDEN'),
      );
    await made(tina, [{ role: 'viewer', queues: ['mail'], tenants: ['acme'] }]);
  });

  test('a token makes no tokens, and looks after nothing else', async () => {
    const { token, view } = await made(ada, ADMIN);
    const before = await world.fingerprint();
    const program = bearer(token);
    // Its use is noted once; what follows changes nothing.
    await as(program, 'GET', paths.me());
    const noted = await world.fingerprint();
    expect(noted).not.toBe(before);
    for (const [method, path, body] of [
      ['POST', paths.tokens(), { name: 'x', grants: VIEWER }],
      ['GET', paths.tokens()],
      ['DELETE', paths.accessToken(view.id)],
      ['GET', paths.sessions()],
      ['GET', `${paths.sessions()}?all=1`],
      ['DELETE', paths.sessions()],
      ['DELETE', paths.accessSession(ada.sessionId)],
      ['GET', paths.users()],
      ['PATCH', paths.accessUser('local:bob'), { reason, disabled: true }],
      ['PUT', paths.me(), { name: 'Ada' }],
    ] as const)
      expect((await as(program, method, path, body)).body, `${method} ${path}`).toMatchObject(
        refused('FORBIDDEN'),
      );
    expect(await world.fingerprint()).toBe(noted);
    expect((await as(program, 'GET', paths.me())).body.permissions).not.toContain('access');
  });

  test('any is made only by somebody who just said who they are', async () => {
    const stale = await signIn({ name: 'sam', grants: MAIL, proved: false });
    for (const grants of [MAIL, [{ role: 'viewer', queues: ['mail'], tenants: null }]])
      expect((await make(stale, grants)).body).toMatchObject(refused('REAUTHENTICATION_REQUIRED'));
    expect(await listed(stale)).toEqual([]);
  });

  test('those of others are seen and revoked only by whoever looks after access', async () => {
    const { view, token } = await made(bob, MAIL);
    const cleo = await signIn({ name: 'cleo', grants: PART_ADMIN });
    expect((await as(cleo, 'GET', `${paths.tokens()}?all=1`)).body).toMatchObject(refused('FORBIDDEN'));
    expect(await listed(cleo)).toEqual([]);
    expect((await as(cleo, 'DELETE', paths.accessToken(view.id))).body).toMatchObject(
      refused('TOKEN_NOT_FOUND'),
    );
    expect((await as(bearer(token), 'GET', paths.me())).status).toBe(200);
    expect(await listed(ada, '?all=1')).toMatchObject([{ id: view.id, owner: { id: 'local:bob' } }]);
    expect((await as(ada, 'DELETE', paths.accessToken(view.id), { reason })).body).toEqual({ ended: 1 });
    expect((await as(bearer(token), 'GET', paths.me())).status).toBe(401);
  });

  test.each([
    ['no grants', [], {}],
    ['no name', VIEWER, { name: ' ' }],
    ['no end', VIEWER, { expiresInDays: 366 }],
    ['an end that is past', VIEWER, { expiresInDays: 0 }],
    ['another field', VIEWER, { owner: 'local:ada' }],
    ['too many grants', Array.from({ length: 21 }, () => VIEWER[0]), {}],
  ])('refused: %s', async (_, grants, more) => {
    expect((await make(ada, grants, more)).body).toMatchObject(refused('VALIDATION'));
  });

  test('under AUTH=none this machine makes tokens, which are no good once people are asked who they are', async () => {
    process.env.AUTH = 'none';
    const { body } = await callApi('POST', paths.tokens(), { body: { name: 'x', grants: ADMIN } });
    const program = bearer(newTokenSchema.parse(body).token);
    expect((await as(program, 'GET', paths.me())).body).toMatchObject({ method: 'token' });
    process.env.AUTH = 'local';
    expect((await as(program, 'GET', paths.me())).status).toBe(401);
  });
});
