/** The marks behind `once`: who may start, whose word counts at the end, and what a full or forgetful Redis does to it. */

import { beforeEach, describe, expect, it } from 'vitest';
import { ONCE_RESULT_MAX_BYTES } from '@/lib/contract/jobs/job-limits';
import { openWorld, setUpWorld } from '@/testing/worlds/world';
import type { OnceKept } from './once-records';

const world = await setUpWorld();
let keys = 0;
let key: string;
beforeEach(() => {
  key = `charge invoice ${++keys}`;
});

const [A, B] = ['AAAAAAAAAAAA', 'BBBBBBBBBBBB'];
const ref = (token: string, scope = 'billing') => ({ scope, key, token });
const begin = (token: string, times = {}) =>
  world.broker.once.begin(ref(token), { leaseMs: 1_000, ...times });
const json = (value: unknown): OnceKept => ({ kind: 'json', json: JSON.stringify(value) });
const marks = () => world.redis.keys('rd:{.once.*');

describe('a mark', () => {
  it('lets one run start, and tells the others how long its lease still is', async () => {
    expect(await begin(A)).toEqual({ outcome: 'started', leaseMs: 1_000 });
    world.clock.now += 400;
    expect(await begin(B)).toEqual({ outcome: 'busy', leaseLeftMs: 600 });
  });

  it('is renewed by its owner, and lost to the next one when it runs out', async () => {
    await begin(A);
    world.clock.now += 900;
    expect(await world.broker.once.begin(ref(A), { leaseMs: 1_000 }, true)).toMatchObject({
      outcome: 'started',
    });
    world.clock.now += 900;
    expect((await begin(B)).outcome).toBe('busy');
    world.clock.now += 100;
    expect((await begin(B)).outcome).toBe('started');
    expect((await world.broker.once.begin(ref(A), { leaseMs: 1_000 }, true)).outcome).toBe('busy');
  });

  it('keeps what the run returned, byte for byte, and forgets it in time', async () => {
    for (const kept of [
      json({ text: 'é\u2028\0😀 "\\', big: 12345678901234567890n.toString(), list: [], none: null }),
      json(''),
      { kind: 'none' },
      { kind: 'lost', why: 'it is no JSON' },
    ] satisfies OnceKept[]) {
      key = `kept ${++keys}`;
      await begin(A);
      expect(await world.broker.once.finish(ref(A), kept, 60_000)).toBe(true);
      expect(await begin(B)).toEqual({ outcome: 'done', kept });
      // Even its owner does not start again.
      expect(await begin(A)).toEqual({ outcome: 'done', kept });
    }
    for (const mark of await marks()) {
      const leftMs = await world.redis.pttl(mark);
      expect(leftMs, mark).toBeGreaterThan(0);
      expect(leftMs).toBeLessThanOrEqual(86_400_000 + 1_000);
    }
  });

  it('takes the word of its owner only', async () => {
    await begin(A);
    expect(await world.broker.once.finish(ref(B), json(1))).toBe(false);
    expect(await world.broker.once.cancel(ref(B))).toBe(false);
    expect((await begin(B)).outcome).toBe('busy');
    expect(await world.broker.once.cancel(ref(A))).toBe(true);
    expect(await world.broker.once.cancel(ref(A))).toBe(false);
    expect((await begin(B)).outcome).toBe('started');
    expect(await world.broker.once.finish(ref(A), json('late'))).toBe(false);
    await world.broker.once.finish(ref(B), json('mine'));
    expect(await world.broker.once.cancel(ref(B))).toBe(false);
    expect(await world.broker.once.finish(ref(A), json('late'))).toBe(false);
    expect(await begin(A)).toEqual({ outcome: 'done', kept: json('mine') });
  });

  it('takes the word of an owner whose lease ran out, as long as nobody else began', async () => {
    await begin(A);
    world.clock.now += 5_000;
    expect(await world.broker.once.finish(ref(A), json('slow, but done'))).toBe(true);
    expect(await begin(B)).toEqual({ outcome: 'done', kept: json('slow, but done') });
  });

  it('answers a resend as the first time', async () => {
    expect((await begin(A)).outcome).toBe('started');
    expect((await begin(A)).outcome).toBe('started');
    expect(await world.broker.once.finish(ref(A), json(1))).toBe(true);
    expect(await world.broker.once.finish(ref(A), json(1))).toBe(true);
  });

  it('starts one run of many that ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => begin(`TOKEN${String(i).padStart(4, '0')}`)),
    );
    expect(answers.filter(({ outcome }) => outcome === 'started')).toHaveLength(1);
    expect(answers.filter(({ outcome }) => outcome === 'busy')).toHaveLength(49);
  });

  it('is kept apart by scope and prefix, and no text of a user is in its name', async () => {
    await begin(A);
    const other = await world.broker.once.begin(ref(B, 'mail'), { leaseMs: 1_000 });
    expect(other.outcome).toBe('started');
    const elsewhere = world.another({ prefix: 'other' });
    expect((await elsewhere.once.begin(ref(B), { leaseMs: 1_000 })).outcome).toBe('started');
    for (const odd of ['{a}', 'a\nb', '*', ' ', '😀', 'x'.repeat(1_000)]) {
      key = odd;
      expect((await begin(A)).outcome).toBe('started');
    }
    for (const mark of await marks()) expect(mark).toMatch(/^rd:\{\.once\.[0-9a-f]{40}\}$/);
  });

  it('that somebody else wrote over counts as none', async () => {
    await begin(A);
    for (const row of ['garbage', 'running', 'done x', '']) {
      for (const name of await marks()) await world.redis.set(name, row, 'PX', 60_000);
      expect((await begin(B)).outcome, row).toBe('started');
    }
  });
});

describe('what is asked', () => {
  it('is refused by the name of its field when it makes no sense', async () => {
    const { once } = world.broker;
    for (const [call, field] of [
      [() => once.begin({ ...ref(A), key: '' }), 'key'],
      [() => once.begin({ ...ref(A), key: 'x'.repeat(1_001) }), 'key'],
      [() => once.begin({ ...ref(A), scope: 'a b' }), 'scope'],
      [() => once.begin({ ...ref(A), token: 'a b' }), 'token'],
      [() => once.begin(ref(A), { leaseMs: 1 }), 'leaseMs'],
      [() => once.begin(ref(A), { ttlMs: 400 * 86_400_000 }), 'ttlMs'],
      [() => once.finish(ref(A), json('x'.repeat(ONCE_RESULT_MAX_BYTES))), 'result'],
    ] as const)
      await expect(call()).rejects.toMatchObject({ code: 'VALIDATION', fields: [{ field }] });
  });
});

describe('a full Redis', () => {
  it('still lets jobs start and end their work', async () => {
    const { used_memory: used } = Object.fromEntries(
      String(await world.redis.info('memory'))
        .split('\r\n')
        .map((line) => line.split(':')),
    );
    await world.redis.config('SET', 'maxmemory', String(Math.floor(Number(used) / 2)));
    try {
      await expect(world.redis.set('more', 'x')).rejects.toThrow(/OOM/);
      expect((await begin(A)).outcome).toBe('started');
      expect(await world.broker.once.finish(ref(A), json(1))).toBe(true);
      expect(await begin(B)).toMatchObject({ outcome: 'done' });
      key = 'another';
      await begin(A);
      expect(await world.broker.once.cancel(ref(A))).toBe(true);
    } finally {
      await world.redis.config('SET', 'maxmemory', '0');
    }
  });
});

describe('the counters', () => {
  it('say how many runs started, took over, were turned away and were answered with an old result', async () => {
    const fresh = await openWorld();
    try {
      const once = (token: string) =>
        fresh.broker.once.begin({ scope: 's', key: 'k', token }, { leaseMs: 1_000 });
      expect(await fresh.broker.inspect.onceCounts()).toEqual({ started: 0, reused: 0, busy: 0, expired: 0 });
      await once(A);
      await once(B);
      await once(B);
      fresh.clock.now += 1_000;
      await once(B);
      // A renewal is no new run.
      await fresh.broker.once.begin({ scope: 's', key: 'k', token: B }, { leaseMs: 1_000 }, true);
      await fresh.broker.once.finish({ scope: 's', key: 'k', token: B }, { kind: 'none' });
      for (let i = 0; i < 3; i++) await once(A);
      expect(await fresh.broker.inspect.onceCounts()).toEqual({ started: 2, reused: 3, busy: 2, expired: 1 });
      expect(await fresh.redis.hgetall('rd:{.once}:counters')).toEqual({
        started: '2',
        reused: '3',
        busy: '2',
        expired: '1',
      });
    } finally {
      await fresh.close();
    }
  });
});
