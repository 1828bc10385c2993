/** Numbers that mislead: what consoles of other queues have shown that was not so, each by its name. */
import { describe, expect, it } from 'vitest';
import { parseQueryOrThrow } from '@/lib/contract/search/query';
import { claimOne, enqueueAll, failure, jobs, killAll, START, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const MINUTE_MS = 60_000;

describe('numbers that mislead', () => {
  it('a wait that goes quiet when a queue stalls: it grows, though no claim is there to be measured', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(3));
    for (const minutes of [1, 10, 60]) {
      world.clock.now = START + minutes * MINUTE_MS;
      const [reading] = await world.broker.inspect.snapshot([queue]);
      expect(reading?.oldestReadyAgeMs).toBe(minutes * MINUTE_MS);
    }
    world.clock.now = START;
  });

  it('the oldest error shown for the latest: lists, groups and searches tell the last one, the history all in order', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1));
    for (const code of ['FIRST', 'SECOND', 'THIRD']) {
      world.clock.now += 1_000;
      const again = code !== 'THIRD';
      const { jobId, token } = await claimOne(world.broker, queue);
      await world.broker.fail(queue, [
        {
          jobId,
          token,
          failure: { ...failure(code, 'retryable'), again, ...(again ? { retryInMs: 0 } : {}) },
        },
      ]);
      await world.broker.maintain(queue);
    }
    const search = (q: string) => world.broker.inspect.search({ state: 'dead', q, queue });
    expect((await search('')).jobs).toMatchObject([{ errorCode: 'THIRD', message: 'failed with THIRD' }]);
    expect((await search('code:THIRD "with third"')).jobs).toHaveLength(1);
    expect((await search('code:FIRST OR code:SECOND OR "with first"')).jobs).toEqual([]);
    const { groups } = await world.broker.inspect.groups({ q: `queue:${queue}` });
    expect(groups).toMatchObject([{ code: 'THIRD', message: 'failed with THIRD' }]);
    const { history } = await world.broker.inspect.job(queue, 'j000000');
    const failed = history.filter(({ errorCode }) => errorCode !== null);
    expect(failed.map(({ errorCode }) => errorCode)).toEqual(['FIRST', 'SECOND', 'THIRD']);
    expect(failed.map(({ at }) => at)).toEqual([...failed.map(({ at }) => at)].sort((a, b) => a - b));
    world.clock.now = START;
  });

  it('a day that ends somewhere else: ages and trends count back from now, over midnight of any zone', async () => {
    const queue = world.freshQueue();
    // START is midnight in UTC.
    for (const [n, offsetMs] of [-1_000, 1_000].entries()) {
      world.clock.now = START + offsetMs;
      await killAll(world.broker, queue, jobs(1, n));
    }
    world.clock.now = START + MINUTE_MS;
    const { facets } = await world.broker.inspect.facets({ q: `queue:${queue}` });
    expect(facets.age[0]).toEqual({ value: '<=5m', count: 2 });
    const [group] = (await world.broker.inspect.groups({ q: `queue:${queue}` })).groups;
    expect(group?.trend.slice(-2)).toEqual([1, 1]);
    world.clock.now = START;
  });

  it('large integers cut short: what is shown and found has every digit', async () => {
    const queue = world.freshQueue();
    const payload = '{"id":9007199254740993}';
    await killAll(world.broker, queue, jobs(1, 0, { payload }));
    expect((await world.broker.inspect.job(queue, 'j000000')).payload).toBe(payload);
    const found = async (q: string) =>
      (await world.broker.inspect.search({ state: 'dead', q, queue })).jobs.length;
    expect(parseQueryOrThrow('payload.id:9007199254740993')).toMatchObject({ value: '9007199254740993' });
    expect(await found('payload.id:9007199254740993')).toBe(1);
    expect(await found('payload.id:9007199254740992')).toBe(0);
    expect(await found('payload.id:>9007199254740992')).toBe(1);
  });
});
