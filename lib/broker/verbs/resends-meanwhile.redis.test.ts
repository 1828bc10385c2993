/** What is sent again is recognised, also when the queue changed meanwhile: its sharding, its window, or all of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RedriveError } from '@/lib/contract/errors';
import { BY, claimAll, jobs, openWorld, type World } from '@/testing/world';
import { createContext } from '../context';
import { enqueueMany } from '../sharded/enqueue';
import { layoutOf, placeOf } from '../sharded/layout';
import { type ShardedContext, withShards } from '../shards';

let world: World;
let queue: string;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  queue = world.freshQueue();
});

const fresh = (count: number) => Array.from({ length: count }, () => ({ jobType: 'demo' }));

describe('a batch that comes while somebody is changing the sharding', () => {
  /** Two shards; the first holds a job, so that it cannot be closed, and the second is closed: it says `newer`. */
  async function halfClosed(newer: string) {
    await world.broker.sharding.set(queue, { count: 2 }, BY);
    await world.broker.config.change(queue, { completedKeep: 0 }, BY);
    const layout = layoutOf(queue, { count: 2, by: 'id' }, 1);
    const stays = jobs(50, 0, { delayMs: 3_600_000 }).filter(
      ({ jobId = '' }) => placeOf(layout, { jobId, tenantId: 'x' }) === 0,
    );
    await world.broker.enqueueMany(queue, stays.slice(0, 1));
    const producer = world.another();
    // It knows how the queue is sharded.
    await producer.sharding.get(queue);
    await world.redis.hset(world.column(`${queue}#1`, 'config'), 'sharding', newer);
    return producer;
  }

  it('F2: runs no job twice whose shard took it at once and forgot its row', async () => {
    const producer = await halfClosed('2 4 id');
    const runs: string[] = [];
    const work = async () => {
      const taken = await claimAll(world.broker, queue);
      runs.push(...taken.map(({ jobId }) => jobId));
      await world.broker.ack(queue, taken);
    };
    let isOver = false;
    const worker = (async () => {
      while (!isOver) await work();
    })();
    const sent = await producer.enqueueManyUntil(queue, fresh(20)).finally(() => {
      isOver = true;
    });
    await worker;
    await work();
    expect(runs.toSorted()).toEqual(sent.map(({ jobId }) => jobId).toSorted());
  });

  it('F2: that ends without an answer does not say that nothing is in', async () => {
    const producer = await halfClosed('9 ?');
    const sent = producer.enqueueMany(queue, fresh(20));
    await expect(sent).rejects.toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      message: expect.stringContaining('may be in'),
    });
    expect(await world.redis.hlen(world.column(queue, 'jobs'))).toBeGreaterThan(1);
  });
});

describe('a batch of which one part is surely not in and another may be', () => {
  /** Redis does all it is asked from the second script on, and none of the answers arrive. */
  function losing(): ShardedContext {
    const context = createContext({ url: world.server.path, clock: () => world.clock.now });
    let scripts = 0;
    return withShards({
      ...context,
      async run(name, at, args) {
        if (name === 'enqueue' && scripts++ === 0) throw new RedriveError('REDIS_UNAVAILABLE', 'It is away.');
        const reply = await context.run(name, at, args);
        if (name === 'enqueue') throw new RedriveError('UNKNOWN_OUTCOME', 'The answer was lost.');
        return reply;
      },
    });
  }

  it.each([1, 2])('F2: ends as an unknown outcome, with %i shards', async (count) => {
    if (count > 1) await world.broker.sharding.set(queue, { count }, BY);
    const ctx = losing();
    await ctx.shards.fresh(queue);
    const sent = enqueueMany(ctx, queue, fresh(400)).finally(() => ctx.close());
    await expect(sent).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME' });
    expect((await world.broker.inspect.snapshot([queue]))[0]?.counts.ready).toBeGreaterThan(0);
  });
});
