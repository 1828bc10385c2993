/** What is given to people here, and taken from them. */
import { createHash, randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { pairsOf } from '@/testing/worlds/flat-pairs';
import { setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
beforeEach(async () => {
  await world.redis.flushall();
});

const access = () => world.broker.access;
const ADA = { actor: 'Ada', actorId: 'local:ada', reason: 'she left' };
const VIEWER: Grant[] = [{ role: 'viewer', queues: ['mail*'], tenants: ['acme'] }];
async function signIn(id: string) {
  const digest = createHash('sha256').update(randomBytes(16)).digest('hex');
  const person = { id, name: id, method: 'local' as const, groups: [] };
  const rest = { replaces: null, stamp: null, address: '', agent: '', idleMs: 60_000, maxMs: 60_000 };
  await access().sessions.begin({ digest, person, proved: true, ...rest }, { actor: id });
  return digest;
}
async function lastRecord(): Promise<Record<string, string>> {
  const [newest] = await world.redis.xrevrange(world.keys.global('accessAudit'), '+', '-', 'COUNT', 1);
  const fields = newest?.[1] ?? [];
  return Object.fromEntries(pairsOf(fields));
}

it('grants are given, changed and taken back, each with what was before and after', async () => {
  const digest = await signIn('local:bob');
  const held = async () => (await access().sessions.look(digest))?.person.grants;
  expect(await held()).toBeNull();
  await access().users.change('local:bob', { grants: VIEWER }, ADA);
  expect(await held()).toEqual(VIEWER);
  expect(await lastRecord()).toMatchObject({
    action: 'access.change',
    kind: 'user',
    id: 'local:bob',
    before: '{"grants":null,"disabled":false}',
    after: JSON.stringify({ grants: VIEWER, disabled: false }),
  });
  expect(JSON.parse((await lastRecord()).by ?? '')).toMatchObject({ actor: 'Ada', reason: 'she left' });
  await access().users.change('local:bob', { grants: [] }, ADA);
  expect(await held()).toEqual([]);
  await access().users.change('local:bob', { grants: null }, ADA);
  expect(await held()).toBeNull();
  expect(await world.redis.exists(world.keys.global('accessGrants'))).toBe(0);
});

it('who is disabled loses their sessions at once, gets no new one, and keeps what was given for later', async () => {
  const [one, two, other] = [await signIn('local:bob'), await signIn('local:bob'), await signIn('local:eve')];
  await access().users.change('local:bob', { grants: VIEWER }, ADA);
  expect(await access().users.change('local:bob', { disabled: true }, ADA)).toBe(2);
  for (const digest of [one, two]) expect(await access().sessions.look(digest)).toBeNull();
  expect(await access().sessions.look(other)).not.toBeNull();
  await expect(signIn('local:bob')).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' });
  expect(await access().users.get('local:bob')).toMatchObject({
    grants: VIEWER,
    disabled: { by: 'Ada', reason: 'she left', at: world.clock.now },
  });
  expect(await lastRecord()).toMatchObject({
    before: JSON.stringify({ grants: VIEWER, disabled: false }),
    after: JSON.stringify({ grants: VIEWER, disabled: true }),
    count: '2',
  });
  await access().users.change('local:bob', { disabled: false }, ADA);
  const again = await signIn('local:bob');
  expect((await access().sessions.look(again))?.person).toMatchObject({ grants: VIEWER, disabled: null });
  // The old ones do not come back.
  expect(await access().sessions.look(one)).toBeNull();
});

it('a session that came in while its person was being disabled is not good either', async () => {
  const digest = await signIn('local:bob');
  const sessions = world.keys.global('accessSessions');
  const rows = await world.redis.hgetall(sessions);
  await access().users.change('local:bob', { disabled: true }, ADA);
  await world.redis.hset(sessions, rows);
  expect(await access().sessions.look(digest)).toBeNull();
});

it("refuses a change of one's own access", async () => {
  for (const change of [{ disabled: true }, { grants: VIEWER }, { grants: null }])
    await expect(access().users.change('local:ada', change, ADA)).rejects.toMatchObject({
      code: 'VALIDATION',
      message: expect.stringContaining('your own access'),
    });
  expect(await world.redis.dbsize()).toBe(0);
});

it('grants that are no grants, or too long to be recorded whole, are refused', async () => {
  const many = Array.from({ length: 50 }, (_, i) => `${'q'.repeat(90)}${i}`);
  for (const grants of [[{ role: 'viewer', queues: many, tenants: null }], [{ role: 'god', queues: ['*'] }]])
    await expect(
      access().users.change('local:bob', { grants: grants as Grant[] }, ADA),
    ).rejects.toMatchObject({ code: 'VALIDATION' });
  expect(await world.redis.dbsize()).toBe(0);
});

it('all who were here and all to whom something was given are listed, however odd their ids', async () => {
  const ids = ['local:ann b', 'oidc:__proto__', 'oidc:of:x', 'local:josé', 'link'];
  for (const id of ids) await signIn(id);
  await access().users.change('oidc:never here', { grants: VIEWER }, ADA);
  const people = await access().users.list();
  expect(people.map(({ id }) => id).sort()).toEqual([...ids, 'oidc:never here'].sort());
  expect(people.find(({ id }) => id === 'oidc:never here')).toMatchObject({ seen: null, grants: VIEWER });
});

it('a row damaged from outside gives nothing, rather than more than there was', async () => {
  const digest = await signIn('local:bob');
  for (const row of ['', 'x', '[]', '-', 'null\n-', '-\n1', '[{"role":"admin"}]\nnever', '-\n5 {}'].slice(
    1,
  )) {
    await world.redis.hset(world.keys.global('accessGrants'), 'local:bob', row);
    expect(await access().sessions.look(digest), row).toBeNull();
  }
});
