/** Counted attempts and one-time codes: exact, whoever else asks at the same time, and never too many rows. */
import { createHash, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
beforeEach(async () => {
  await world.redis.flushall();
});
const newDigest = () => createHash('sha256').update(randomBytes(16)).digest('hex');

describe('attempts', () => {
  const LIMIT = { limit: 5, windowMs: 60_000 };
  const name = (key: string) => ({ kind: 'name', key }) as const;
  const take = (key: string) => world.broker.access.attempts.take(name(key), LIMIT);
  const rows = () => world.redis.hlen(world.keys.global('accessAttempts'));

  it('so many are allowed in a stretch of time, then none until it is over', async () => {
    for (let i = 0; i < 5; i += 1) expect(await take('a')).toEqual({ allowed: true, retryAfterMs: 0 });
    world.clock.now += 20_000;
    expect(await take('a')).toEqual({ allowed: false, retryAfterMs: 40_000 });
    expect((await take('b')).allowed).toBe(true);
    world.clock.now += 40_000;
    expect((await take('a')).allowed).toBe(true);
  });

  it('of fifty at once exactly so many, over several connections', async () => {
    const brokers = [world.broker, world.another(), world.another()];
    const taken = await Promise.all(
      Array.from({ length: 50 }, (_, i) => brokers[i % 3]?.access.attempts.take(name('a'), LIMIT)),
    );
    expect(taken.filter((one) => one?.allowed)).toHaveLength(5);
  });

  it('a success forgets them', async () => {
    for (let i = 0; i < 6; i += 1) await take('a');
    await world.broker.access.attempts.forget(name('a'));
    expect((await take('a')).allowed).toBe(true);
  });

  it('one is taken back, and those before it stay counted', async () => {
    for (let i = 0; i < 5; i += 1) await take('a');
    await world.broker.access.attempts.giveBack(name('a'));
    expect([(await take('a')).allowed, (await take('a')).allowed]).toEqual([true, false]);
    for (let i = 0; i < 7; i += 1) await world.broker.access.attempts.giveBack(name('a'));
    expect(await rows()).toBe(0);
    for (let i = 0; i < 5; i += 1) expect((await take('a')).allowed).toBe(true);
    expect((await take('a')).allowed).toBe(false);
  });

  it('keeps no name or address, whatever was counted', async () => {
    await take('name:\n{secret} ann');
    expect(Object.entries(await world.redis.hgetall(world.keys.global('accessAttempts')))).toEqual([
      [expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^\d+ 1$/)],
    ]);
  });

  it('rows that are over go, some with each attempt; where none is, one of those that counted least', async () => {
    for (let i = 0; i < 100; i += 1) await take(`a${i}`);
    world.clock.now += 60_000;
    for (let i = 0; i < 5; i += 1) await take(`b${i}`);
    // Twenty with each, less the few of them that were new.
    expect(await rows()).toBeLessThanOrEqual(15);
    await world.redis.flushall();
    const full = Array.from({ length: 19_995 }, (_, i) => [`x${i}`, `${world.clock.now + 1_000 + i} 1`]);
    await world.redis.hset(world.keys.global('accessAttempts'), Object.fromEntries(full));
    for (let i = 0; i < 20; i += 1) await take(`c${i}`);
    expect(await rows()).toBe(20_000);
  });

  it('Likely 2: neither a /48 of addresses nor a flood of names pushes out what was counted of one name', async () => {
    const { attempts } = world.broker.access;
    for (let i = 0; i < 5; i += 1) await take('ann');
    const full = (kind: string) =>
      Object.fromEntries(
        Array.from({ length: 20_000 }, (_, i) => [`${kind} ${i}`, `${world.clock.now + 120_000 + i} 1`]),
      );
    await world.redis.hset(world.keys.global('accessNetworkAttempts'), full('place'));
    await world.redis.hset(world.keys.global('accessAttempts'), full('name'));
    for (let i = 0; i < 300; i += 1) {
      await attempts.take({ kind: 'place', key: `address 2001:db8:1:${i.toString(16)}::/64` }, LIMIT);
      await take(`name ${i}`);
    }
    expect((await take('ann')).allowed).toBe(false);
    expect(await rows()).toBeLessThanOrEqual(20_001);
    expect(await world.redis.hlen(world.keys.global('accessNetworkAttempts'))).toBe(20_000);
  });

  it('Likely 2: several at once are allowed together or not at all', async () => {
    const { attempts } = world.broker.access;
    const ann = { kind: 'user', key: 'ann' } as const;
    expect((await attempts.take(ann, LIMIT, 4)).allowed).toBe(true);
    world.clock.now += 20_000;
    expect(await attempts.take(ann, LIMIT, 2)).toEqual({ allowed: false, retryAfterMs: 40_000 });
    expect((await attempts.take(ann, LIMIT, 1)).allowed).toBe(true);
    expect(Object.values(await world.redis.hgetall(world.keys.global('accessUserAttempts')))).toEqual([
      expect.stringMatching(/^\d+ 5$/),
    ]);
    world.clock.now += 40_000;
    expect((await attempts.take(ann, LIMIT, 5)).allowed).toBe(true);
  });
});

describe('one-time codes', () => {
  const { put, take } = {
    put: (digest: string, ttlMs = 60_000) => world.broker.access.codes.put(digest, ttlMs),
    take: (digest: string) => world.broker.access.codes.take(digest),
  };

  it('are good once, and not for long', async () => {
    const [code, late] = [newDigest(), newDigest()];
    await put(code);
    await put(late);
    expect([await take(code), await take(code), await take(newDigest())]).toEqual([true, false, false]);
    world.clock.now += 60_000;
    expect(await take(late)).toBe(false);
    world.clock.now -= 1_000;
    expect(await take(late)).toBe(false);
  });

  it('of fifty who take one at once, one has it', async () => {
    const code = newDigest();
    await put(code);
    const brokers = [world.broker, world.another(), world.another()];
    const taken = await Promise.all(
      Array.from({ length: 50 }, (_, i) => brokers[i % 3]?.access.codes.take(code)),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('a hundred are kept: the one that runs out soonest goes', async () => {
    const first = newDigest();
    await put(first, 1_000);
    for (let i = 0; i < 100; i += 1) await put(newDigest(), 60_000 + i);
    expect(await world.redis.hlen(world.keys.global('accessLinks'))).toBe(100);
    expect(await take(first)).toBe(false);
  });
});
