/** Who a request is from, and what they may do at this very moment: real sessions and tokens in a real Redis. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { setUpConsole } from '@/testing/worlds/console-server';
import { changePassword, removeUser, signInAs, tokenFor } from '@/testing/worlds/users';
import { oidcIdOf } from './identity-provider/oidc-user';
import { permissionsOf, scopeOf } from './principal';
import { resolvePrincipal, revalidatePrincipal } from './resolve-principal';
import { digestOf, newSecret, sessionCookieName } from './session-cookie';

const ADMIN: Grant[] = [{ role: 'admin', queues: ['*'], tenants: null }];
const VIEWER: Grant[] = [{ role: 'viewer', queues: ['mail*'], tenants: null }];
const OPERATOR: Grant[] = [{ role: 'operator', queues: ['*'], tenants: ['acme', 'beta'] }];
const ADA = { actor: 'Ada', actorId: 'local:ada', reason: 'a test' };

const world = await setUpConsole();
beforeEach(async () => {
  for (const name of ['REDRIVE_USERS', 'OIDC_GRANTS']) delete process.env[name];
  process.env.AUTH = 'none';
  await world.redis.connect().flushall();
});

const ask = (headers: Record<string, string> = {}) => resolvePrincipal({ headers: new Headers(headers) });
const change = (id: string, what: { grants?: Grant[] | null; disabled?: boolean }) =>
  world.broker.access.users.change(id, what, ADA);
const signedOut = { code: 'UNAUTHENTICATED' };

describe('a session', () => {
  test('is its person, with what was given to them', async () => {
    const ann = await signInAs(world, { name: 'Ann', grants: OPERATOR });
    const principal = await ask({ ...ann.headers, 'x-redrive-address': '10.1.2.3' });
    expect(principal).toMatchObject({
      id: 'local:ann',
      name: 'Ann',
      method: 'local',
      grants: [OPERATOR],
      via: ann.sessionId,
      address: '10.1.2.3',
    });
    expect(scopeOf(principal, 'destroy')).toEqual([{ queue: '*', tenants: ['acme', 'beta'] }]);
    expect(await resolvePrincipal({ headers: new Headers(ann.headers) })).toMatchObject({ id: 'local:ann' });
    // Nothing of it opens anything, wherever it is written.
    expect(JSON.stringify(principal)).not.toContain(ann.digest);
    expect(JSON.stringify(principal)).not.toContain(ann.headers.cookie.split('=')[1]);
  });

  test('there is none: nobody is let in', async () => {
    const { headers } = await signInAs(world, { grants: ADMIN });
    const value = headers.cookie.split('=')[1] ?? '';
    for (const cookie of [
      '',
      'redrive=',
      'redrive=short',
      `other=${value}`,
      `redrive=${value.slice(0, -1)}`,
      `redrive=${value}x`,
      `redrive=${value.toLowerCase()}`,
      `redrive=${value}; redrive=${value}`,
      `redrive=${'A'.repeat(43)}`,
      `redrive-name=ann`,
    ])
      await expect(ask({ cookie }), cookie).rejects.toMatchObject(signedOut);
    expect(await ask({ cookie: `a=1; redrive=${value}; b=2` })).toMatchObject({ id: 'local:ann' });
  });

  test('that is over lets nobody in, nor one that was ended a moment ago', async () => {
    const old = await signInAs(world, { name: 'old', grants: ADMIN, expired: true });
    await expect(ask(old.headers)).rejects.toMatchObject(signedOut);
    const ann = await signInAs(world, { grants: ADMIN });
    await ask(ann.headers);
    await world.broker.access.sessions.end({ digest: ann.digest }, ADA);
    await expect(ask(ann.headers)).rejects.toMatchObject(signedOut);
  });

  test('has what its person may do now: a role taken away is gone with the next request', async () => {
    const { headers } = await signInAs(world, { grants: ADMIN });
    expect(permissionsOf(await ask(headers))).toContain('destroy');
    await change('local:ann', { grants: VIEWER });
    expect(permissionsOf(await ask(headers))).toEqual(['view']);
    await change('local:ann', { grants: [] });
    expect(permissionsOf(await ask(headers))).toEqual([]);
    // Back to what the file says.
    await change('local:ann', { grants: null });
    expect((await ask(headers)).grants).toEqual([ADMIN]);
  });

  test('of somebody disabled is over, and stays over', async () => {
    const { headers } = await signInAs(world, { grants: ADMIN });
    await change('local:ann', { disabled: true });
    await expect(ask(headers)).rejects.toMatchObject(signedOut);
    await change('local:ann', { disabled: false });
    await expect(ask(headers)).rejects.toMatchObject(signedOut);
  });

  test.each([
    ['was removed', removeUser],
    ['has another password', changePassword],
  ])('of a user who %s is ended for good', async (_, takeAway) => {
    const { headers } = await signInAs(world, { name: 'Ann', grants: ADMIN });
    const users = process.env.REDRIVE_USERS;
    takeAway('ann');
    await expect(ask(headers)).rejects.toMatchObject(signedOut);
    process.env.REDRIVE_USERS = users;
    await expect(ask(headers)).rejects.toMatchObject(signedOut);
    expect(await world.broker.access.sessions.list(null, 10)).toEqual([]);
  });

  test('of a way that is no longer offered lets nobody in, while it is not', async () => {
    const { headers } = await signInAs(world, { grants: ADMIN });
    process.env.AUTH = 'link';
    await expect(ask(headers)).rejects.toMatchObject(signedOut);
    process.env.AUTH = 'local';
    expect(await ask(headers)).toMatchObject({ id: 'local:ann' });
  });

  test('of the identity provider has what its groups may do, unless something was given here', async () => {
    process.env.OIDC_GRANTS = JSON.stringify({ ops: OPERATOR, all: ADMIN });
    const { headers } = await signInAs(world, {
      name: 'x1',
      method: 'oidc',
      grants: [],
      given: false,
      groups: ['ops', 'constructor'],
    });
    expect((await ask(headers)).grants).toEqual([OPERATOR]);
    process.env.OIDC_GRANTS = JSON.stringify({ ops: VIEWER });
    expect((await ask(headers)).grants).toEqual([VIEWER]);
    delete process.env.OIDC_GRANTS;
    expect((await ask(headers)).grants).toEqual([[]]);
    await change(oidcIdOf('x1'), { grants: ADMIN });
    expect((await ask(headers)).grants).toEqual([ADMIN]);
  });

  test('of the one-time link may do everything, and is never asked again', async () => {
    const { headers } = await signInAs(world, { method: 'link', grants: [] });
    const principal = await ask(headers);
    expect(principal).toMatchObject({ id: 'link', grants: [ADMIN], reauthenticatedUntil: null });
  });

  test('says until when its person need not say again who they are', async () => {
    process.env.REDRIVE_REAUTHENTICATION_MINUTES = '10';
    const before = Date.now();
    const proved = await ask((await signInAs(world, { grants: ADMIN })).headers);
    expect(proved.reauthenticatedUntil).toBeGreaterThan(before + 9 * 60_000);
    expect(proved.reauthenticatedUntil).toBeLessThanOrEqual(Date.now() + 10 * 60_000);
    const other = await signInAs(world, { name: 'bob', grants: ADMIN, proved: false });
    expect((await ask(other.headers)).reauthenticatedUntil).toBe(0);
    const secret = newSecret();
    await world.broker.access.sessions.reauthenticate(other.digest, { digest: digestOf(secret) }, ADA);
    const renewed = await ask({ cookie: `${sessionCookieName()}=${secret}` });
    expect(renewed.reauthenticatedUntil).toBeGreaterThan(Date.now() + 9 * 60_000);
  });
});

describe('a token', () => {
  test('may do what both it and its owner may at this moment', async () => {
    const ann = await signInAs(world, { grants: ADMIN });
    const { headers, id } = await tokenFor(world, ann, OPERATOR);
    const principal = await ask(headers);
    expect(principal).toMatchObject({
      id: `token:${id}`,
      method: 'token',
      via: id,
      grants: [OPERATOR, ADMIN],
      reauthenticatedUntil: null,
    });
    expect(principal.name).toBe('a program (token of ann)');
    await change('local:ann', {
      grants: [{ role: 'operator', queues: ['mail'], tenants: ['beta', 'gamma'] }],
    });
    expect(scopeOf(await ask(headers), 'destroy')).toEqual([{ queue: 'mail', tenants: ['beta'] }]);
    await change('local:ann', { grants: VIEWER });
    expect(permissionsOf(await ask(headers))).toEqual(['view']);
  });

  test('never decides who may do what, whatever its role', async () => {
    const ann = await signInAs(world, { grants: ADMIN });
    const { headers } = await tokenFor(world, ann, ADMIN);
    expect(permissionsOf(await ask(headers))).toEqual(
      permissionsOf(await ask(ann.headers)).filter((permission) => permission !== 'access'),
    );
  });

  test('that is no good is refused, also beside a good cookie', async () => {
    const ann = await signInAs(world, { grants: ADMIN });
    const { headers } = await tokenFor(world, ann, ADMIN);
    const bad = [
      'Bearer',
      'Bearer ',
      'Bearer nonsense',
      `Bearer rdt_${'A'.repeat(43)}`,
      `${headers.authorization}x`,
      `${headers.authorization} ${headers.authorization}`,
      `${headers.authorization}, Basic x`,
      headers.authorization.replace('rdt_', ''),
      'bearer\trdt_x',
    ];
    for (const authorization of bad)
      await expect(ask({ ...ann.headers, authorization }), authorization).rejects.toMatchObject(signedOut);
    expect(await ask({ ...ann.headers, ...headers })).toMatchObject({ method: 'token' });
    expect(await ask({ authorization: headers.authorization.replace('Bearer', 'bearer') })).toMatchObject({
      method: 'token',
    });
    // A proxy may have its own business in this header.
    expect(await ask({ ...ann.headers, authorization: 'Basic YTpi' })).toMatchObject({ method: 'local' });
  });

  test('sleeps while its owner stays away from the identity provider, and wakes when they come back', async () => {
    const olga = await signInAs(world, { name: 'olga', method: 'oidc', grants: ADMIN });
    const { headers } = await tokenFor(world, olga, VIEWER);
    const ann = await signInAs(world, { name: 'ann', grants: ADMIN });
    const other = await tokenFor(world, ann, VIEWER);
    const wasHere = async (id: string, daysAgo: number) => {
      const key = 'rd:{.access}:users';
      const row = (await world.redis.connect().hget(key, id)) ?? '';
      const at = Date.now() - daysAgo * 86_400_000;
      await world.redis.connect().hset(key, id, row.replace(/^\d+ \d+/, `1 ${at}`));
    };
    await wasHere(olga.userId, 29.9);
    expect(await ask(headers)).toMatchObject({ method: 'token' });
    await wasHere(olga.userId, 30.1);
    await wasHere('local:ann', 300);
    await expect(ask(headers)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining('suspended'),
    });
    // The file of users says at once who is gone.
    expect(await ask(other.headers)).toMatchObject({ method: 'token' });
    await signInAs(world, { name: 'olga', method: 'oidc', grants: ADMIN });
    expect(await ask(headers)).toMatchObject({ method: 'token' });
  });

  test('that was revoked, has ended, or whose owner is not let in, is no good', async () => {
    const ann = await signInAs(world, { grants: ADMIN });
    const [revoked, kept] = [await tokenFor(world, ann, VIEWER), await tokenFor(world, ann, VIEWER)];
    const short = await tokenFor(world, ann, VIEWER, -1);
    await world.broker.access.tokens.revoke(revoked.id, {}, ADA);
    for (const { headers } of [revoked, short]) await expect(ask(headers)).rejects.toMatchObject(signedOut);
    expect(await ask(kept.headers)).toMatchObject({ method: 'token' });
    await change('local:ann', { disabled: true });
    await expect(ask(kept.headers)).rejects.toMatchObject(signedOut);
    await change('local:ann', { disabled: false });
    expect(await ask(kept.headers)).toMatchObject({ method: 'token' });
    removeUser('ann');
    await expect(ask(kept.headers)).rejects.toMatchObject(signedOut);
  });

  test('L2: and session of somebody of another identity provider are no good here, whatever their subject is', async () => {
    const olga = await signInAs(world, { name: '1001', method: 'oidc', grants: ADMIN });
    const { headers } = await tokenFor(world, olga, VIEWER);
    expect(await ask(headers)).toMatchObject({ method: 'token', ownerId: olga.userId });
    const { OIDC_ISSUER } = process.env;
    process.env.OIDC_ISSUER = 'https://another.example.com';
    try {
      for (const shown of [headers, olga.headers]) await expect(ask(shown)).rejects.toMatchObject(signedOut);
      // Somebody else there has the same subject: nothing that was given to the first is theirs.
      const other = await signInAs(world, { name: '1001', method: 'oidc', grants: [], given: false });
      expect(other.userId).not.toBe(olga.userId);
      expect((await ask(other.headers)).grants).toEqual([[]]);
    } finally {
      process.env.OIDC_ISSUER = OIDC_ISSUER;
    }
    expect(await ask(headers)).toMatchObject({ method: 'token' });
  });
});

describe('AUTH=none', () => {
  test('asks nobody, and believes no cookie of a console that does', async () => {
    const ann = await signInAs(world, { grants: VIEWER });
    process.env.AUTH = 'none';
    const principal = await ask({ cookie: `${ann.headers.cookie}; redrive-name=Ada` });
    expect(principal).toMatchObject({
      id: 'none',
      name: 'Ada',
      chosen: true,
      method: 'none',
      grants: [ADMIN],
    });
    expect(principal).toMatchObject({ via: null, reauthenticatedUntil: null });
    await expect(ask({ authorization: 'Bearer nonsense' })).rejects.toMatchObject(signedOut);
  });

  test('over: whoever came in by it is out', async () => {
    const principal = await ask();
    expect(await revalidatePrincipal(principal)).toMatchObject({ id: 'none' });
    const { headers } = await tokenFor(world, { userId: 'none', method: 'none' }, ADMIN);
    expect(permissionsOf(await ask(headers))).toContain('destroy');
    await signInAs(world, { grants: ADMIN });
    await expect(revalidatePrincipal(principal)).rejects.toMatchObject(signedOut);
    await expect(ask(headers)).rejects.toMatchObject(signedOut);
  });
});

describe('an answer that takes long asks again who it is for', () => {
  test('by what they came with: narrowed, or gone', async () => {
    const ann = await signInAs(world, { grants: ADMIN });
    const token = await tokenFor(world, ann, ADMIN);
    let person = await ask(ann.headers);
    let program = await ask(token.headers);
    await change('local:ann', { grants: VIEWER });
    person = await revalidatePrincipal(person);
    program = await revalidatePrincipal(program);
    expect([permissionsOf(person), permissionsOf(program)]).toEqual([['view'], ['view']]);
    await world.broker.access.sessions.end({ digest: ann.digest }, ADA);
    await world.broker.access.tokens.revoke(token.id, {}, ADA);
    await expect(revalidatePrincipal(person)).rejects.toMatchObject(signedOut);
    await expect(revalidatePrincipal(program)).rejects.toMatchObject(signedOut);
  });

  test('and that keeps no session alive: only a request does', async () => {
    const ann = await signInAs(world, { grants: ADMIN });
    const seenAt = async () => (await world.broker.access.sessions.list(null, 1))[0]?.seenAt;
    const ago = Date.now() - 5 * 60_000;
    const principal = await ask(ann.headers);
    const [key, client] = ['rd:{.access}:sessions', world.redis.connect()];
    const row = (await client.hget(key, ann.sessionId)) ?? '';
    await client.hset(key, ann.sessionId, row.replace(/^(\d+) \d+/, `$1 ${ago}`));
    await revalidatePrincipal(principal);
    expect(await seenAt()).toBe(ago);
    await ask(ann.headers);
    expect(await seenAt()).toBeGreaterThan(ago);
  });

  test('a copy of a principal says nothing', async () => {
    const principal = await ask((await signInAs(world, { grants: ADMIN })).headers);
    await expect(revalidatePrincipal({ ...principal })).rejects.toThrow('not a copy');
  });
});

describe('while Redis is away', () => {
  test('nobody is anybody: neither let in nor told to sign in', async () => {
    const ann = await signInAs(world, { grants: ADMIN });
    const token = await tokenFor(world, ann, ADMIN);
    const principal = await ask(ann.headers);
    const away = { code: 'REDIS_UNAVAILABLE' };
    await world.redis.kill('SIGSTOP');
    await expect(ask(ann.headers)).rejects.toMatchObject(away);
    await world.redis.kill('SIGKILL');
    await expect(ask(ann.headers)).rejects.toMatchObject(away);
    await expect(ask(token.headers)).rejects.toMatchObject(away);
    await expect(revalidatePrincipal(principal)).rejects.toMatchObject(away);
    await expect(ask()).rejects.toMatchObject(signedOut);
    await world.redis.restart();
  });
});
