/** More queues than one page of the registry: the last of them is found by everything that looks at all. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { previewOf } from '@/testing/worlds/operation-runs';
import { BY, setUpWorld } from '@/testing/worlds/world';

const OTHERS = 2_500;
const LAST = 'payments';

const world = await setUpWorld();
beforeAll(async () => {
  const at = world.clock.now;
  // One page and more are of the same millisecond.
  const junk = Array.from({ length: OTHERS }, (_, i) => [i < 1_200 ? at - 1 : at, `junk${i}`]);
  await world.redis.zadd(world.keys.global('queues'), ...junk.flat());
  world.clock.now += 60_000;
  await world.broker.enqueue(LAST, { jobId: 'p1', jobType: 'pay' });
  await world.broker.cancel(LAST, ['p1'], BY);
});

describe('H3: the queue behind thousands of others', () => {
  it('H3: is in the registry, which is read in pages, also while names are entered again', async () => {
    const all = await world.broker.inspect.queues();
    expect(all).toHaveLength(OTHERS + 1);
    expect(all).toContain(LAST);
    const other = world.another();
    const [found] = await Promise.all([
      world.broker.inspect.queues(),
      ...[1, 700, 1_300, 2_400].map((i) => other.enqueue(`junk${i}`, { jobType: 'demo' })),
    ]);
    expect(found).toHaveLength(OTHERS + 1);
    expect(await world.broker.inspect.registered()).toBe(OTHERS + 1);
  });

  it('H3: is found by searches, facets, groups and suggestions over all queues', async () => {
    const { inspect } = world.broker;
    expect(await inspect.search({ state: 'dead', q: 'id:p1' })).toMatchObject({
      jobs: [{ queue: LAST, jobId: 'p1' }],
      matching: { count: 1, exact: true },
    });
    expect((await inspect.facets({ q: '' })).facets.queue).toMatchObject([{ value: LAST, count: 1 }]);
    expect((await inspect.groups({ q: '' })).groups).toMatchObject([{ count: 1 }]);
    expect(await inspect.suggest({ state: 'dead', q: 'queue:pay', caret: 9 })).toMatchObject([
      { insert: LAST },
    ]);
    const exported: string[] = [];
    for await (const { summary } of inspect.matching(
      { state: 'dead', q: '' },
      { at: world.clock.now, cutoff: null, limit: 10 },
    ))
      exported.push(summary.queue);
    expect(exported).toEqual([LAST]);
  });

  it('H3: is reached by an operation over everything, and its changes come into the audit log', async () => {
    const preview = await previewOf(world.broker, { kind: 'redrive', q: 'id:p1' });
    expect(preview).toMatchObject({ count: 1, exact: true });
    await world.broker.audit.collect({ keys: [] });
    const entered: (string | null)[] = [];
    for await (const { queue } of world.broker.audit.matching({})) entered.push(queue);
    expect(entered).toContain(LAST);
  });
});

describe('H3: names that come and go', () => {
  it('H3: one that comes in the place of another is seen, also with an older time', async () => {
    const key = world.keys.global('queues');
    const other = world.another();
    const at = world.clock.now;
    await world.redis.zadd(key, at, 'goes', at + 1, 'stays');
    expect(await other.inspect.queues()).toEqual(expect.arrayContaining(['goes', 'stays']));
    await world.redis.zrem(key, 'goes');
    await world.redis.zadd(key, at - 30_000, 'comes');
    const names = await other.inspect.queues();
    expect(names).toContain('comes');
    expect(names).not.toContain('goes');
  });

  it('H3: one that comes with a much older time is seen within a minute', async () => {
    const key = world.keys.global('queues');
    const other = world.another();
    await world.redis.zadd(key, 1_000, 'old-goes');
    expect(await other.inspect.queues()).toContain('old-goes');
    await world.redis.zrem(key, 'old-goes');
    await world.redis.zadd(key, 1_000, 'old-comes');
    const nowMs = performance.now();
    const later = vi.spyOn(performance, 'now').mockImplementation(() => nowMs + 61_000);
    try {
      expect(await other.inspect.queues()).toContain('old-comes');
    } finally {
      later.mockRestore();
    }
  });

  it('H3: a name is entered again a minute later, whatever becomes of the clock of its producer', async () => {
    const realMs = Date.now();
    const nowMs = performance.now();
    const ahead = vi.spyOn(Date, 'now').mockImplementation(() => realMs + 3_600_000);
    const producer = world.another();
    const score = () => world.redis.zscore(world.keys.global('queues'), 'set-back');
    try {
      await producer.enqueue('set-back', { jobType: 'demo' });
    } finally {
      ahead.mockRestore();
    }
    const before = Number(await score());
    world.clock.now += 61_000;
    const later = vi.spyOn(performance, 'now').mockImplementation(() => nowMs + 120_000);
    try {
      await producer.enqueue('set-back', { jobType: 'demo' });
    } finally {
      later.mockRestore();
    }
    expect(Number(await score())).toBe(before + 61_000);
  });
});
