/** API tokens at the broker: made, looked up, noted, revoked, and never too many. */
import { createHash, randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { QUOTAS } from '@/lib/contract/access/quotas';
import { setUpWorld } from '@/testing/worlds/world';
import type { TokenStart } from './token-records';

const [MINUTE, DAY] = [60_000, 86_400_000];
const world = await setUpWorld();
beforeEach(async () => {
  await world.redis.flushall();
});

const access = () => world.broker.access;
const BY = { actor: 'Ann', actorId: 'local:ann' };
const GRANTS: Grant[] = [{ role: 'producer', queues: ['mail'], tenants: null }];
async function create(over: Partial<TokenStart> = {}) {
  const digest = createHash('sha256').update(randomBytes(16)).digest('hex');
  const owner = { id: 'local:ann', name: 'Ann', method: 'local' as const };
  const start = { digest, name: 'deploy', hint: 'rdt_abcd', owner, grants: GRANTS, forMs: 90 * DAY, ...over };
  return { digest, ...(await access().tokens.create(start, BY)) };
}
const actions = async () =>
  (await world.redis.xrange(world.keys.global('accessAudit'), '-', '+')).map(
    ([, fields]) => fields[fields.indexOf('action') + 1],
  );

it('says what it may do, and what is known of its owner', async () => {
  const { digest, id } = await create();
  await access().users.change('local:ann', { disabled: true }, { actor: 'Ada', reason: 'left' });
  const found = await access().tokens.look(digest);
  expect(found).toMatchObject({
    token: {
      id,
      ownerId: 'local:ann',
      ownerName: 'Ann',
      ownerMethod: 'local',
      grants: GRANTS,
      name: 'deploy',
      expiresAt: world.clock.now + 90 * DAY,
      lastUsedAt: null,
    },
    owner: { id: 'local:ann', seen: null, disabled: { by: 'Ada' } },
  });
  expect(await access().tokens.look(createHash('sha256').update(id).digest('hex'))).toBeNull();
});

it('is over when it is, and shown for another 30 days', async () => {
  const { digest, id } = await create({ forMs: DAY });
  world.clock.now += DAY - 1;
  expect(await access().tokens.look(digest)).not.toBeNull();
  world.clock.now += 1;
  expect(await access().tokens.look(digest)).toBeNull();
  expect(await access().tokens.list('local:ann')).toMatchObject([{ id }]);
  world.clock.now += 30 * DAY;
  const other = await create();
  expect(await access().tokens.list('local:ann')).toMatchObject([{ id: other.id }]);
});

it('notes its last use and from where, once a minute at most', async () => {
  const { digest } = await create();
  const lastUse = async () => {
    const [token] = await access().tokens.list('local:ann');
    return [token?.lastUsedAt, token?.lastAddress];
  };
  const at = world.clock.now;
  await access().tokens.look(digest, { touch: false });
  expect(await lastUse()).toEqual([null, null]);
  await access().tokens.look(digest, { address: '10.0.0.1' });
  expect(await lastUse()).toEqual([at, '10.0.0.1']);
  world.clock.now += MINUTE - 1;
  await access().tokens.look(digest, { address: '10.0.0.2' });
  expect(await lastUse()).toEqual([at, '10.0.0.1']);
  world.clock.now += 1;
  await access().tokens.look(digest, { address: '10.0.0.2\nx' });
  expect(await lastUse()).toEqual([at + MINUTE, '10.0.0.2 x']);
});

it('is revoked by its owner, or by somebody who may revoke those of others', async () => {
  const [a, b] = [await create(), await create()];
  expect(await access().tokens.revoke(a.id, { ownerId: 'local:bob' }, BY)).toBe(false);
  expect(await access().tokens.look(a.digest)).not.toBeNull();
  expect(await access().tokens.revoke(a.id, { ownerId: 'local:ann' }, BY)).toBe(true);
  expect(await access().tokens.revoke(a.id, {}, BY)).toBe(false);
  expect(await access().tokens.revoke(b.id, {}, BY)).toBe(true);
  for (const { digest } of [a, b]) expect(await access().tokens.look(digest)).toBeNull();
  expect(await actions()).toEqual(['token.create', 'token.create', 'token.revoke', 'token.revoke']);
  expect(await world.redis.hlen(world.keys.global('accessTokens'))).toBe(0);
});

it('50 an owner, where one that is over makes room; 5,000 in all', async () => {
  await create({ forMs: 1_000 });
  for (let i = 0; i < 49; i += 1) await create();
  await expect(create()).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  world.clock.now += 1_000;
  await create();
  await expect(create()).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  expect(await access().tokens.list('local:ann')).toHaveLength(50);
  const others = Array.from({ length: QUOTAS.tokens.total - 50 }, (_, i) =>
    create({ owner: { id: `local:p${i}`, name: 'P', method: 'local' } }),
  );
  await Promise.all(others);
  await expect(create({ owner: { id: 'local:z', name: 'Z', method: 'local' } })).rejects.toMatchObject({
    code: 'LIMIT_REACHED',
  });
  expect(await access().tokens.list(null)).toHaveLength(QUOTAS.tokens.total);
});

it('of many made at once by one owner not one is too many', async () => {
  const made = await Promise.allSettled(Array.from({ length: 70 }, () => create()));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
});

it('nothing is made or revoked that could not be entered in the record', async () => {
  const { id, digest } = await create();
  await world.redis.del(world.keys.global('accessAudit'));
  await world.redis.set(world.keys.global('accessAudit'), 'of another type');
  await expect(create()).rejects.toThrow();
  await expect(access().tokens.revoke(id, {}, BY)).rejects.toThrow();
  expect(await access().tokens.look(digest)).not.toBeNull();
  expect(await access().tokens.list(null)).toHaveLength(1);
});
