/** More queues than one page of the registry: the last of them is found by everything that looks at all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { previewOf } from '@/testing/operations';
import { BY, openWorld, type World } from '@/testing/world';

const OTHERS = 2_500;
const LAST = 'payments';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  const at = world.clock.now;
  // One page and more are of the same millisecond.
  const junk = Array.from({ length: OTHERS }, (_, i) => [i < 1_200 ? at - 1 : at, `junk${i}`]);
  await world.redis.zadd(world.keys.global('queues'), ...junk.flat());
  world.clock.now += 60_000;
  await world.broker.enqueue(LAST, { jobId: 'p1', jobType: 'pay' });
  await world.broker.cancel(LAST, ['p1'], BY);
});
afterAll(() => world.close());

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
