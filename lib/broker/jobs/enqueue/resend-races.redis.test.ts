/** What is sent again is recognised, also when the queue changed meanwhile: its sharding, its window, or all of it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createContext } from '@/lib/broker/redis/broker-context';
import { layoutOf, shardOfJob } from '@/lib/broker/shards/shard-layout';
import { type ShardedContext, withShards } from '@/lib/broker/shards/sharded-context';
import { RedriveError } from '@/lib/contract/redrive-error';
import { operate, startOperation } from '@/testing/worlds/operation-runs';
import { BY, claimAll, idMadeAt, jobs, setUpWorld } from '@/testing/worlds/world';
import { enqueueMany } from './enqueue-jobs';

const world = await setUpWorld();
let queue: string;
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
      ({ jobId = '' }) => shardOfJob(layout, { jobId, tenantId: 'x' }) === 0,
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
        if (name === 'enqueue-new' && scripts++ === 0)
          throw new RedriveError('REDIS_UNAVAILABLE', 'It is away.');
        const reply = await context.run(name, at, args);
        if (name === 'enqueue-new') throw new RedriveError('UNKNOWN_OUTCOME', 'The answer was lost.');
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

const MINUTE = 60_000;
const TOO_LATE = { code: 'RESEND_TOO_LATE' };
/** A job that was completed; its row is not kept. */
async function completed(job: { jobId: string }) {
  await world.broker.enqueue(queue, { jobType: 'demo', ...job });
  await world.broker.ack(queue, await claimAll(world.broker, queue));
  return { jobType: 'demo', ...job };
}

describe('what a queue says it does not know', () => {
  it('M4: stays unknown after a change of the sharding, also when ids were remembered before it', async () => {
    await world.broker.sharding.set(queue, { count: 2 }, BY);
    await world.broker.config.change(queue, { completedKeep: 0 }, BY);
    for (let i = 0; i < 3; i++) {
      world.clock.now += 11 * MINUTE;
      await world.broker.maintain(queue);
    }
    await world.broker.enqueueMany(queue, jobs(20));
    await world.broker.ack(queue, await claimAll(world.broker, queue));
    const rememberedSince = world.clock.now;
    world.clock.now += 9 * MINUTE;
    const [before, after] = [
      layoutOf(queue, { count: 2, by: 'id' }, 1),
      layoutOf(queue, { count: 2, by: 'tenant' }, 2),
    ];
    const place = { tenantId: 't', jobId: idMadeAt(world.clock.now) };
    while (shardOfJob(before, place) === shardOfJob(after, place)) place.jobId = idMadeAt(world.clock.now);
    const job = await completed(place);
    for (let i = 0; i < 5; i++) await world.broker.maintain(queue);
    world.clock.now += 1_000;
    await world.broker.sharding.set(queue, { count: 2, by: 'tenant' }, BY);
    world.clock.now = rememberedSince + 10 * MINUTE + 1_000;
    for (let i = 0; i < 3; i++) await world.broker.maintain(queue);
    await expect(world.broker.enqueue(queue, job)).rejects.toMatchObject(TOO_LATE);
    expect(await claimAll(world.broker, queue)).toEqual([]);
  });

  it('M4: is all from before a shard learned its sharding from jobs that were moved there', async () => {
    const target = world.freshQueue();
    await world.broker.sharding.set(target, { count: 2 }, BY);
    const job = { jobType: 'demo', jobId: idMadeAt(world.clock.now) };
    world.clock.now += 1_000;
    await world.broker.enqueueMany(queue, jobs(20));
    for (const name of [target, `${target}#1`])
      await world.redis.del(world.column(name, 'config'), world.column(name, 'finishedBefore'));
    await operate(world.broker, { kind: 'move', q: 'type:demo', queue, target });
    await expect(world.broker.enqueue(target, job)).rejects.toMatchObject(TOO_LATE);
  });

  it('M4: stays unknown when the window is made longer, from then on it is known for longer', async () => {
    await world.broker.config.change(queue, { completedKeep: 0, resendWindowMs: MINUTE }, BY);
    const job = await completed({ jobId: idMadeAt(world.clock.now) });
    for (let i = 0; i < 10; i++) {
      world.clock.now += MINUTE;
      await world.broker.maintain(queue);
    }
    await world.broker.config.change(queue, { resendWindowMs: 60 * MINUTE }, BY);
    await expect(world.broker.enqueue(queue, job)).rejects.toMatchObject(TOO_LATE);
    const later = await completed({ jobId: idMadeAt(world.clock.now) });
    for (let i = 0; i < 5; i++) {
      world.clock.now += 11 * MINUTE;
      await world.broker.maintain(queue);
      await expect(world.broker.enqueue(queue, job)).rejects.toMatchObject(TOO_LATE);
    }
    expect((await world.broker.enqueue(queue, later)).outcome).toBe('duplicate');
  });

  it('M4: is all from before the queue was deleted, for the window', async () => {
    const job = await completed({ jobId: idMadeAt(world.clock.now) });
    world.clock.now += 1_000;
    const { id } = await startOperation(
      world.broker,
      { kind: 'delete-queue', queue },
      { control: { typedName: queue } },
    );
    for (let i = 0; i < 3; i++) await world.broker.operations.runSlice(id, 'runner-1');
    world.clock.now += 5_000;
    await expect(world.broker.enqueue(queue, job)).rejects.toMatchObject(TOO_LATE);
    expect(await claimAll(world.broker, queue)).toEqual([]);
    const left = await world.redis.pttl(world.column(queue, 'finishedBefore'));
    expect(left).toBeGreaterThan(9 * MINUTE);
    expect(left).toBeLessThanOrEqual(10 * MINUTE);
    await world.broker.maintain(queue);
    expect(await world.redis.exists(world.column(queue, 'finished'))).toBe(0);
    // A change of the settings makes the mark the queue's own, which no clock of Redis ends.
    await world.broker.config.change(queue, { resendWindowMs: 60 * MINUTE }, BY);
    expect(await world.redis.pttl(world.column(queue, 'finishedBefore'))).toBe(-1);
    world.clock.now += 30 * MINUTE;
    await expect(world.broker.enqueue(queue, job)).rejects.toMatchObject(TOO_LATE);
  });
});
