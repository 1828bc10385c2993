/** Failure groups that many queues share: what a page of them costs Redis, and that it is right all the same. */
import { describe, expect, it } from 'vitest';
import { commandsFor, failure, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const QUEUES = 24;
const GROUPS = 10;
const STEP_MS = 5 * 60_000;

describe('groups that many queues share', () => {
  it('cost one look a queue and group, and one job row a group', async () => {
    const queues = Array.from({ length: QUEUES }, () => world.freshQueue());
    for (const [q, queue] of queues.entries())
      for (let group = 0; group < GROUPS; group++) {
        world.clock.now += 1;
        await killAll(world.broker, queue, jobs(2, group * 2), {
          ...failure(`SHARED_${group}`),
          message: `of queue ${q}`,
        });
      }
    const read = () => world.broker.inspect.groups({ q: 'code:SHARED_*' });
    const { groups } = await read();
    expect(groups.map(({ code }) => code).sort()).toEqual(
      Array.from({ length: GROUPS }, (_, i) => `SHARED_${i}`),
    );
    const newest = queues.at(-1) ?? '';
    for (const group of groups) {
      expect(group).toMatchObject({ count: QUEUES * 2, message: `of queue ${QUEUES - 1}` });
      expect(group.sample?.queue).toBe(newest);
      expect(group.lastHour?.at(-1)).toBe(QUEUES * 2);
    }
    // Each queue besides: what it has of dead letters, and whether it has groups.
    const commands = await commandsFor(world.redis, read);
    expect(commands).toBeLessThan(QUEUES * GROUPS + QUEUES * 14 + GROUPS * 8);
  });
});

describe('groups with facets', () => {
  it('say what both say alone, and read the matches once', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(600, 0), failure('BOTH'));
    // The aggregates decide the first query; the second reads payloads.
    for (const q of [`queue:${queue}`, `queue:${queue} demo`]) {
      const groups = () => world.broker.inspect.groups({ q });
      const facets = () => world.broker.inspect.facets({ q });
      const both = () => world.broker.inspect.groups({ q, facets: true });
      const { facets: counted, ...page } = await both();
      expect(page.groups).toHaveLength(1);
      expect(page).toEqual(await groups());
      expect(counted).toEqual(await facets());
      const alone = (await commandsFor(world.redis, groups)) + (await commandsFor(world.redis, facets));
      expect(await commandsFor(world.redis, both)).toBeLessThan(alone);
    }
    // The scan of the payloads is most of what facets cost.
    const q = `queue:${queue} demo`;
    const list = await commandsFor(world.redis, () => world.broker.inspect.groups({ q }));
    expect(await commandsFor(world.redis, () => world.broker.inspect.groups({ q, facets: true }))).toBe(list);
  });
});

describe('the last hour of a group', () => {
  it('is counted in the same steps, whether few or many died', async () => {
    const queue = world.freshQueue();
    const read = async () =>
      (await world.broker.inspect.groups({ q: `queue:${queue}` })).groups[0]?.lastHour ?? null;
    const start = world.clock.now;
    // The bounds of each step, and the last moment before.
    for (const [n, ago] of [60, 55, 50, 35, 30, 5].entries()) {
      world.clock.now = start - ago * 60_000;
      await killAll(world.broker, queue, jobs(1, n * 2), failure('BOUNDS'));
      world.clock.now -= 1;
      await killAll(world.broker, queue, jobs(1, n * 2 + 1), failure('BOUNDS'));
    }
    world.clock.now = start;
    const few = await read();
    // 60 minutes ago is within the hour; a millisecond before is not.
    expect(few).toEqual([2, 2, 1, 0, 1, 2, 1, 0, 0, 0, 1, 1]);
    await killAll(world.broker, queue, jobs(3, 20), failure('BOUNDS'));
    expect(await read()).toEqual(few?.map((count, step) => (step === 11 ? count + 3 : count)));
    world.clock.now += STEP_MS;
    expect(await read()).toEqual([2, 1, 0, 1, 2, 1, 0, 0, 0, 1, 1, 3]);
  });
});
