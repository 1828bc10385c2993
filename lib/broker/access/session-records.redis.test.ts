/** Sessions at the broker: how they begin, how long they last, what ends them. Time is the test's. */
import { createHash, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { pairsOf } from '@/testing/worlds/flat-pairs';
import { setUpWorld } from '@/testing/worlds/world';
import type { SessionStart } from './session-records';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const world = await setUpWorld();
beforeEach(async () => {
  await world.redis.flushall();
});

const newDigest = () => createHash('sha256').update(randomBytes(16)).digest('hex');
const BY = { actor: 'Ann' };
const ANN = { id: 'local:ann b', name: 'Ann B', method: 'local' as const, groups: ['ops', 'dev'] };
const START: Omit<SessionStart, 'digest'> = {
  replaces: null,
  person: ANN,
  stamp: 'stamp 1',
  address: '10.0.0.9',
  agent: 'Firefox\n1',
  idleMs: HOUR,
  maxMs: 12 * HOUR,
  proved: true,
};
const access = () => world.broker.access;
async function begin(over: Partial<SessionStart> = {}) {
  const digest = newDigest();
  return { digest, ...(await access().sessions.begin({ ...START, digest, ...over }, BY)) };
}
const isGood = async (digest: string) => (await access().sessions.look(digest)) !== null;
const records = async () =>
  (await world.redis.xrange(world.keys.global('accessAudit'), '-', '+')).map(([, fields]) => {
    const record = new Map(pairsOf(fields));
    return [record.get('action'), record.get('kind'), record.get('id'), record.get('count')];
  });
/** All that is stored. */
const dump = async () =>
  Promise.all(
    (await world.redis.keys('*')).sort().map(async (key) => `${key} ${await world.redis.dumpBuffer(key)}`),
  );

describe('a session', () => {
  it('says whose it is, and what is known of them', async () => {
    const { digest, id, expiresAt } = await begin();
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(expiresAt).toBe(world.clock.now + HOUR);
    expect(await access().sessions.look(digest)).toEqual({
      now: world.clock.now,
      session: {
        id,
        userId: 'local:ann b',
        userName: 'Ann B',
        method: 'local',
        createdAt: world.clock.now,
        seenAt: world.clock.now,
        authenticatedAt: world.clock.now,
        expiresAt,
        stamp: 'stamp 1',
        address: '10.0.0.9',
        agent: 'Firefox 1',
      },
      person: {
        id: 'local:ann b',
        grants: null,
        disabled: null,
        seen: {
          name: 'Ann B',
          method: 'local',
          groups: ['ops', 'dev'],
          firstSeenAt: world.clock.now,
          lastSeenAt: world.clock.now,
        },
      },
    });
    expect(await records()).toEqual([['session.begin', 'session', id, undefined]]);
  });

  it('is known to Redis by digests only, and its stamp is in no record', async () => {
    const secret = randomBytes(32).toString('base64url');
    const digest = createHash('sha256').update(secret).digest('hex');
    const { id } = await access().sessions.begin({ ...START, digest }, BY);
    const all = (await dump()).join('\n');
    expect(all).not.toContain(secret);
    expect(digest).not.toContain(id);
    const log = await world.redis.xrange(world.keys.global('accessAudit'), '-', '+');
    expect(JSON.stringify(log)).not.toMatch(new RegExp(`stamp|${digest}`));
  });

  it('is not opened by its id, nor by a digest that gives the same id', async () => {
    const { id } = await begin();
    // Who reads lists and records has the id: as a cookie it is digested, and found nowhere.
    expect(await isGood(createHash('sha256').update(id).digest('hex'))).toBe(false);
    await expect(access().sessions.look(id)).rejects.toMatchObject({ code: 'VALIDATION' });
    const other = newDigest();
    const row = await world.redis.hget(world.keys.global('accessSessions'), id);
    const otherId = createHash('sha256').update(other).digest('hex').slice(0, 16);
    await world.redis.hset(world.keys.global('accessSessions'), otherId, row ?? '');
    expect(await isGood(other)).toBe(false);
  });

  it('ends when it was not used for long enough, and is then gone for good', async () => {
    const { digest } = await begin();
    world.clock.now += HOUR - 1;
    expect(await isGood(digest)).toBe(true);
    world.clock.now += HOUR;
    expect(await isGood(digest)).toBe(false);
    // Also for a clock that goes back.
    world.clock.now -= HOUR;
    expect(await isGood(digest)).toBe(false);
  });

  it('ends at its absolute end, however much it is used', async () => {
    const { digest } = await begin({ maxMs: 3 * HOUR });
    for (let minute = 0; minute < 179; minute += 30) {
      expect(await isGood(digest)).toBe(true);
      world.clock.now += 30 * MINUTE;
    }
    expect(await isGood(digest)).toBe(false);
    const { digest: short } = await begin({ maxMs: HOUR / 2 });
    expect((await access().sessions.look(short))?.session.expiresAt).toBe(world.clock.now + HOUR / 2);
  });

  it('notes its use once a minute at most: most looks write nothing', async () => {
    const { digest } = await begin();
    world.clock.now += 59 * SECOND;
    const before = await dump();
    await Promise.all(Array.from({ length: 20 }, () => access().sessions.look(digest)));
    expect(await dump()).toEqual(before);
    world.clock.now += SECOND;
    await access().sessions.look(digest);
    const after = await dump();
    expect(after).not.toEqual(before);
    await Promise.all(Array.from({ length: 20 }, () => access().sessions.look(digest)));
    expect(await dump()).toEqual(after);
    const found = await access().sessions.look(digest);
    expect(found?.session).toMatchObject({ seenAt: world.clock.now, expiresAt: world.clock.now + HOUR });
    expect(found?.person.seen).toMatchObject({ lastSeenAt: world.clock.now });
    expect(found?.person.seen?.firstSeenAt).toBe(world.clock.now - MINUTE);
  });

  it('that ends sooner than that notes it more often: who goes on using it is not thrown out', async () => {
    const { digest } = await begin({ idleMs: 20 * SECOND });
    for (let i = 0; i < 30; i += 1) {
      world.clock.now += 10 * SECOND;
      expect(await isGood(digest)).toBe(true);
    }
  });

  it('does not stay alive by being looked at without being used', async () => {
    const { digest } = await begin();
    for (let i = 0; i < 6; i += 1) {
      world.clock.now += 10 * MINUTE;
      const found = await access().sessions.look(digest, { touch: false });
      expect(found === null).toBe(i === 5);
    }
  });

  it('takes the place of the one its request came with, which ends', async () => {
    const first = await begin();
    const second = await begin({ replaces: first.digest });
    expect(second.id).not.toBe(first.id);
    expect([await isGood(first.digest), await isGood(second.digest)]).toEqual([false, true]);
    expect(await access().sessions.list(ANN.id, 10)).toMatchObject([{ id: second.id }]);
    // A cookie that somebody planted is no session, so nothing of it is taken over.
    await begin({ replaces: newDigest() });
    expect(await isGood(second.digest)).toBe(true);
  });

  it('begins with the proof it is told of, however long ago that was', async () => {
    const authenticatedAt = async (over: { proved: boolean; authenticatedAgoMs?: number }) =>
      (await access().sessions.look((await begin(over)).digest))?.session.authenticatedAt;
    expect(await authenticatedAt({ proved: true, authenticatedAgoMs: 3 * HOUR })).toBe(
      world.clock.now - 3 * HOUR,
    );
    expect(await authenticatedAt({ proved: true, authenticatedAgoMs: -HOUR })).toBe(world.clock.now);
    expect(await authenticatedAt({ proved: true, authenticatedAgoMs: 2 * world.clock.now })).toBe(0);
    expect(await authenticatedAt({ proved: false, authenticatedAgoMs: 0 })).toBe(0);
  });

  it('notes a proof of who one is, and only of those who are in', async () => {
    const { digest, id } = await begin({ proved: false });
    const authenticatedAt = async (of: string) => (await access().sessions.look(of))?.session.authenticatedAt;
    expect(await authenticatedAt(digest)).toBe(0);
    world.clock.now += MINUTE;
    const next = newDigest();
    const renewed = await access().sessions.reauthenticate(digest, { digest: next }, BY);
    expect(await authenticatedAt(next)).toBe(world.clock.now);
    expect(await access().sessions.reauthenticate(newDigest(), { digest: newDigest() }, BY)).toBeNull();
    world.clock.now += 2 * HOUR;
    expect(await access().sessions.reauthenticate(next, { digest: newDigest() }, BY)).toBeNull();
    expect((await records()).map(([action]) => action)).toEqual(['session.begin', 'session.reauthenticate']);
    expect((await records())[1]).toEqual(['session.reauthenticate', 'session', renewed?.id, undefined]);
    expect(renewed?.id).not.toBe(id);
  });

  it('session id: a proof gives it another, the old one ends at once, and nothing else about it changes', async () => {
    const other = await begin();
    const { digest, id } = await begin({ stamp: 'first' });
    world.clock.now += MINUTE;
    const before = (await access().sessions.look(digest))?.session;
    const next = newDigest();
    const renewed = await access().sessions.reauthenticate(digest, { digest: next }, BY);
    expect([await isGood(digest), await isGood(next), await isGood(other.digest)]).toEqual([
      false,
      true,
      true,
    ]);
    const after = (await access().sessions.look(next))?.session;
    expect(after).toEqual({
      ...before,
      id: renewed?.id,
      authenticatedAt: world.clock.now,
      seenAt: world.clock.now,
      expiresAt: after?.expiresAt,
    });
    expect(await access().sessions.end({ id }, BY)).toBe(false);
    const listed = await access().sessions.list(ANN.id, 10);
    expect(listed.map((one) => one.id).sort()).toEqual([other.id, renewed?.id].sort());
    // It ends when the first one would have, however often it was renewed.
    const lasting = await access().sessions.reauthenticate(next, { digest: newDigest() }, BY);
    expect(lasting?.leftMs).toBe(renewed?.leftMs);
    expect(await access().sessions.list(ANN.id, 10)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: lasting?.id, stamp: 'first' }),
        expect.objectContaining({ id: other.id }),
      ]),
    );
    // Of two tabs that prove at once one is in, and the other has the same cookie.
    expect(await access().sessions.reauthenticate(next, { digest: newDigest() }, BY)).toBeNull();
    expect(await access().sessions.endAll(ANN.id, {}, BY)).toBe(2);
    expect(await world.redis.hlen(world.keys.global('accessSessions'))).toBe(0);
  });
});

describe('sessions end', () => {
  it('by sign-out, by their person, or by somebody who may end those of others', async () => {
    const [a, b, c] = [await begin(), await begin(), await begin()];
    expect(await access().sessions.end({ digest: a.digest }, BY)).toBe(true);
    expect(await access().sessions.end({ digest: a.digest }, BY)).toBe(false);
    expect(await access().sessions.end({ id: b.id, userId: 'local:bob' }, BY)).toBe(false);
    expect(await isGood(b.digest)).toBe(true);
    expect(await access().sessions.end({ id: b.id, userId: ANN.id }, BY)).toBe(true);
    expect(await access().sessions.end({ id: c.id }, BY)).toBe(true);
    expect(await access().sessions.end({ id: 'no such' }, BY)).toBe(false);
    expect([await isGood(a.digest), await isGood(b.digest), await isGood(c.digest)]).toEqual([
      false,
      false,
      false,
    ]);
    expect((await records()).slice(3)).toEqual(
      [a, b, c].map(({ id }) => ['session.end', 'session', id, undefined]),
    );
    expect(await world.redis.hlen(world.keys.global('accessSessions'))).toBe(0);
  });

  it('all but one, and those of nobody else', async () => {
    const mine = [await begin(), await begin(), await begin()];
    const [first] = mine;
    const bob = await begin({ person: { ...ANN, id: 'local:bob' } });
    expect(await access().sessions.endAll(ANN.id, { except: first?.digest }, BY)).toBe(2);
    expect(await Promise.all(mine.map(({ digest }) => isGood(digest)))).toEqual([true, false, false]);
    expect(await access().sessions.endAll(ANN.id, { exceptId: first?.id }, BY)).toBe(0);
    expect(await access().sessions.endAll(ANN.id, {}, BY)).toBe(1);
    expect(await isGood(bob.digest)).toBe(true);
    expect((await records()).slice(4)).toEqual([
      ['session.end-all', 'user', ANN.id, '2'],
      ['session.end-all', 'user', ANN.id, '0'],
      ['session.end-all', 'user', ANN.id, '1'],
    ]);
  });
});

describe('their number is bounded', () => {
  it('50 of a person: the oldest goes', async () => {
    const all = [];
    for (let i = 0; i < 53; i += 1) all.push(await begin());
    expect(await Promise.all(all.slice(0, 5).map(({ digest }) => isGood(digest)))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(await access().sessions.list(ANN.id, 100)).toHaveLength(50);
  });

  it('those that are over make room first, a bounded number at a time', async () => {
    for (let i = 0; i < 120; i += 1) await begin({ person: { ...ANN, id: `local:p${i % 5}` } });
    world.clock.now += 2 * HOUR;
    expect(await access().sessions.list(null, 1_000)).toEqual([]);
    const sizes = [];
    for (let i = 0; i < 3; i += 1) {
      await begin();
      sizes.push(await world.redis.zcard(world.keys.global('accessSessionEnds')));
    }
    expect(sizes).toEqual([71, 22, 3]);
    // Rows and lists of those who are gone are gone with them.
    expect(await world.redis.hlen(world.keys.global('accessSessions'))).toBe(4);
  });

  it('5,000 in all: who would end soonest goes', async () => {
    for (let i = 0; i < 500; i += 1)
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          begin({ person: { ...ANN, id: `local:p${i}` }, idleMs: HOUR + n }),
        ),
      );
    expect(await world.redis.zcard(world.keys.global('accessSessionEnds'))).toBe(5_000);
    const [soonest = ''] = await world.redis.zrange(world.keys.global('accessSessionEnds'), '0', '0');
    const { digest } = await begin();
    expect(await isGood(digest)).toBe(true);
    expect(await world.redis.zcard(world.keys.global('accessSessionEnds'))).toBe(5_000);
    expect(await world.redis.zscore(world.keys.global('accessSessionEnds'), String(soonest))).toBeNull();
    expect(await access().sessions.list(null, 10_000)).toHaveLength(5_000);
    expect(await access().sessions.list(null, 7)).toHaveLength(7);
  });

  it('10,000 people: whoever was away longest is forgotten, and what was given to them is not', async () => {
    await access().users.change('local:old', { grants: [] }, BY);
    const rows = Array.from({ length: 10_000 }, (_, i) => [
      i === 0 ? 'local:old' : `local:x${i}`,
      `1 ${i < 9_000 ? 5 : 9}\n{"name":"x","method":"local","groups":[]}`,
    ]);
    await world.redis.hset(world.keys.global('accessUsers'), Object.fromEntries(rows));
    const { digest } = await begin();
    expect(await world.redis.hlen(world.keys.global('accessUsers'))).toBe(10_000);
    expect((await access().sessions.look(digest))?.person.seen?.name).toBe('Ann B');
    expect((await access().users.get('local:old')).grants).toEqual([]);
    // Among twenty at random, one who was away longer is nearly always found.
    expect((await access().users.list()).filter(({ seen }) => seen?.lastSeenAt === 9).length).toBe(1_000);
  });
});

describe('while Redis takes no writes', () => {
  it('who is signed in stays so, and nobody new comes in', async () => {
    const { digest } = await begin();
    await world.redis.config('SET', 'maxmemory', '1');
    try {
      world.clock.now += 2 * MINUTE;
      // Its use is noted all the same: the script begins with a removal.
      expect((await access().sessions.look(digest))?.session.id).toBeDefined();
      expect((await access().sessions.look(digest))?.session.seenAt).toBe(world.clock.now);
      expect(await access().sessions.end({ digest }, BY)).toBe(true);
      expect((await begin()).id).toBeDefined();
    } finally {
      await world.redis.config('SET', 'maxmemory', '0');
    }
  });

  it('of any kind: a look needs none', async () => {
    const { digest } = await begin();
    await world.redis.config('SET', 'min-replicas-to-write', '1');
    try {
      world.clock.now += 2 * MINUTE;
      expect(await isGood(digest)).toBe(true);
      await expect(begin()).rejects.toMatchObject({ code: 'REDIS_UNAVAILABLE' });
    } finally {
      await world.redis.config('SET', 'min-replicas-to-write', '0');
    }
  });

  it('nor records: nothing is done that could not be entered', async () => {
    const { digest, id } = await begin();
    await world.redis.del(world.keys.global('accessAudit'));
    await world.redis.set(world.keys.global('accessAudit'), 'of another type');
    const before = await dump();
    await expect(begin()).rejects.toThrow();
    await expect(access().sessions.end({ digest }, BY)).rejects.toThrow();
    await expect(access().sessions.end({ id }, BY)).rejects.toThrow();
    await expect(access().sessions.endAll(ANN.id, {}, BY)).rejects.toThrow();
    await expect(access().sessions.reauthenticate(digest, { digest: newDigest() }, BY)).rejects.toThrow();
    await expect(access().users.change(ANN.id, { disabled: true }, BY)).rejects.toThrow();
    expect(await dump()).toEqual(before);
  });
});

describe('what cannot be', () => {
  it.each([
    ['a digest that is none', { digest: 'abc' }],
    ['a person whose id breaks a row', { person: { ...ANN, id: 'local:a\nb' } }],
    ['no person', { person: { ...ANN, id: '' } }],
    ['no end', { maxMs: 1e15 }],
    ['half a millisecond', { idleMs: 1_000.5 }],
  ])('is refused: %s', async (_, over) => {
    await expect(
      access().sessions.begin({ ...START, digest: newDigest(), ...over }, BY),
    ).rejects.toMatchObject({
      code: 'VALIDATION',
    });
    expect(await world.redis.dbsize()).toBe(0);
  });

  it('a damaged row is no session, and does not stand in the way', async () => {
    const { digest, id } = await begin();
    for (const row of ['', 'x', '1 2 3', `1 2 3 4 5 ${digest}\nlocal:ann\n\nnot json`]) {
      await world.redis.hset(world.keys.global('accessSessions'), id, row);
      expect(await isGood(digest)).toBe(false);
      expect(await access().sessions.list(ANN.id, 10)).toEqual([]);
    }
    for (let i = 0; i < 60; i += 1) await begin();
    expect(await access().sessions.list(ANN.id, 100)).toHaveLength(50);
  });
});
