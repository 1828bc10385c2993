/** Changing how a queue is sharded: exact against producers that have not heard of it, and refused while a job could be lost. */
import { describe, expect, it } from 'vitest';
import type { RedriveError } from '@/lib/contract/redrive-error';
import type { Broker } from '@/testing/create-broker';
import { readShards, shardViolations } from '@/testing/model/invariants';
import { previewOf } from '@/testing/worlds/operation-runs';
import { shardedQueue } from '@/testing/worlds/sharded-queues';
import { BY, claimAll, enqueueAll, jobs, setUpWorld } from '@/testing/worlds/world';
import { layoutOf, physicalName, shardOfId } from '../shards/shard-layout';

const world = await setUpWorld();

const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const record = (queue: string) => world.redis.hget(world.keys.global('queuesSharding'), queue);
/** A broker that has looked at how its queues are sharded, and will go by it for a while. */
async function knowing(queue: string): Promise<Broker> {
  const broker = world.another();
  await broker.enqueueMany(queue, []);
  await broker.inspect.snapshot([queue]);
  return broker;
}
const stored = async (queue: string, count: number) =>
  (await readShards(world.redis, world.keys, queue, count)).map((raw) => [...raw.hash('jobs').keys()].sort());

describe('a queue without jobs', () => {
  it('has one shard until somebody says otherwise, and tells who did', async () => {
    const queue = world.freshQueue();
    expect(await world.broker.sharding.get(queue)).toEqual({ count: 1, by: 'id' });
    expect(await world.broker.sharding.set(queue, { count: 4 }, BY)).toEqual({ count: 4, by: 'id' });
    expect(await world.another().sharding.get(queue)).toEqual({ count: 4, by: 'id' });
    expect(await world.broker.sharding.set(queue, { count: 4 }, BY)).toEqual({ count: 4, by: 'id' });
    expect(await world.broker.sharding.set(queue, { count: 4, by: 'tenant' }, BY)).toEqual({
      count: 4,
      by: 'tenant',
    });
    const changes = (await world.broker.inspect.changes(queue, 10)).filter((one) => one.what === 'sharding');
    expect(changes.map(({ actor, reason, before, after }) => ({ actor, reason, before, after }))).toEqual([
      { ...BY, before: '{"count":4,"by":"id"}', after: '{"count":4,"by":"tenant"}' },
      { ...BY, before: '{"count":1,"by":"id"}', after: '{"count":4,"by":"id"}' },
    ]);
    expect((await world.broker.config.get(queue)).shards).toEqual({ count: 4, by: 'tenant' });
  });

  it.each([
    [{ count: 0 }, 'count'],
    [{ count: 65 }, 'count'],
    [{ count: 2.5 }, 'count'],
    [{ count: 2, by: 'moon' as 'id' }, 'by'],
    [{ count: 3 }, 'count'],
  ])('cannot be given %j', async (input, field) => {
    const { queue } = await shardedQueue(world, { count: 4 });
    await expect(world.broker.sharding.set(queue, input, BY)).rejects.toMatchObject({
      code: 'VALIDATION',
      fields: [{ field }],
    });
    expect(await world.broker.sharding.get(queue)).toEqual({ count: 4, by: 'id' });
  });

  it('that was used and is empty again may change', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(20));
    await world.broker.remove(queue, names(20));
    await world.broker.sharding.set(queue, { count: 3 }, BY);
    await enqueueAll(world.broker, queue, jobs(90));
    expect((await stored(queue, 3)).every((part) => part.length > 10)).toBe(true);
  });
});

describe('a queue with jobs', () => {
  it.each(['ready', 'scheduled', 'completed', 'dead', 'trashed'])(
    'keeps its sharding while one is %s, and goes on as before',
    async (state) => {
      const queue = world.freshQueue();
      await world.broker.enqueue(queue, {
        jobId: 'j',
        jobType: 'demo',
        ...(state === 'scheduled' ? { delayMs: 1_000 } : {}),
      });
      if (state === 'completed') await world.broker.ack(queue, await claimAll(world.broker, queue));
      if (state === 'dead' || state === 'trashed') await world.broker.cancel(queue, ['j'], BY);
      if (state === 'trashed') await world.broker.purge(queue, ['j'], BY);
      const before = await knowing(queue);
      await expect(world.broker.sharding.set(queue, { count: 2 }, BY)).rejects.toMatchObject({
        code: 'WRONG_STATE',
        message: expect.stringContaining(`${queue} holds 1 jobs`),
      });
      expect(await world.broker.sharding.get(queue)).toEqual({ count: 1, by: 'id' });
      // Neither those who knew nothing of it nor those who come later are in its way.
      expect((await before.enqueue(queue, { jobId: 'j', jobType: 'demo' })).outcome).toBe('duplicate');
      await before.enqueue(queue, { jobType: 'demo' });
      await world.another().enqueueMany(queue, jobs(50));
      expect(await world.redis.exists(world.column(physicalName(queue, 1), 'jobs'))).toBe(0);
    },
  );

  it('in its last shard only has all shards open again afterwards', async () => {
    const { queue, layout } = await shardedQueue(world, { count: 3 });
    const lonely = names(1_000).find((id) => shardOfId(layout, id) === 2) ?? '';
    await world.broker.enqueue(queue, { jobId: lonely, jobType: 'demo' });
    const before = await knowing(queue);
    await expect(world.broker.sharding.set(queue, { count: 5 }, BY)).rejects.toMatchObject({
      code: 'WRONG_STATE',
    });
    await before.enqueueMany(queue, jobs(100));
    await world.another().enqueueMany(queue, jobs(100, 100));
    expect((await stored(queue, 5)).slice(3)).toEqual([[], []]);
    expect((await stored(queue, 3)).flat()).toHaveLength(new Set([lonely, ...names(200)]).size);
    const what = (await world.broker.inspect.changes(queue, 10)).filter((one) => one.what === 'sharding');
    expect(what[0]).toMatchObject({
      after: '{"count":3,"by":"id"}',
      reason: expect.stringContaining('stays'),
    });
  });
});

describe('a producer that has not heard of the change', () => {
  it('is told by the shard, and its jobs go where everybody looks for them', async () => {
    for (const many of [true, false]) {
      const queue = world.freshQueue();
      const late = await knowing(queue);
      await world.broker.sharding.set(queue, { count: 3 }, BY);
      if (many) await late.enqueueMany(queue, jobs(120));
      else await Promise.all(jobs(120).map((job) => late.enqueue(queue, job)));
      const layout = layoutOf(queue, { count: 3, by: 'id' }, 1);
      expect(await stored(queue, 3)).toEqual(
        [0, 1, 2].map((shard) => names(120).filter((id) => shardOfId(layout, id) === shard)),
      );
    }
  });

  it('never enters a job twice, however changes and resends fall together', async () => {
    for (let round = 0; round < 24; round++) {
      const queue = world.freshQueue();
      const producers = await Promise.all([1, 2, 3].map(() => knowing(queue)));
      const batch = jobs(60);
      const settled = await Promise.allSettled([
        ...producers.map(async (producer, p) => {
          // A few round trips late, more each time: before, amid and after the change.
          for (let trips = 0; trips < round; trips++) await producer.inspect.exists('nobody');
          for (let i = p; i < batch.length; i += 5) await producer.enqueueMany(queue, batch.slice(i, i + 5));
        }),
        ...[2, 3, 4].map((count) =>
          world
            .another()
            .sharding.set(queue, { count }, BY)
            .catch((error: RedriveError) => {
              // Jobs were faster, or another change was.
              expect(['WRONG_STATE', 'CONFIG_CHANGED', 'VALIDATION']).toContain(error.code);
            }),
        ),
      ]);
      expect(settled.filter((one) => one.status === 'rejected')).toEqual([]);
      const again = await world.another().enqueueMany(queue, batch);
      expect(new Set(again.map((one) => one.outcome))).toEqual(new Set(['duplicate']));
      const shards = await readShards(world.redis, world.keys, queue, 4);
      expect(shardViolations(shards)).toEqual([]);
      const { count } = await world.broker.sharding.get(queue);
      const layout = layoutOf(queue, { count, by: 'id' }, 1);
      shards.forEach((raw, shard) => {
        for (const id of raw.hash('jobs').keys()) expect(shardOfId(layout, id)).toBe(shard);
      });
    }
  });
});

describe('a change that was not finished', () => {
  const say = (queue: string, shard: number, sharding: string) =>
    world.redis.hset(world.column(physicalName(queue, shard), 'config'), 'sharding', sharding);

  it('is finished by those who need the queue, if no job is in the way', async () => {
    const queue = world.freshQueue();
    await world.broker.pause(queue, { scope: 'tenant:slow', reason: 'a test' }, BY);
    // Its maker closed two of three shards and died.
    await say(queue, 0, '1 3 id');
    await say(queue, 1, '1 3 id');
    expect((await world.broker.enqueue(queue, { jobId: 'j', jobType: 'demo' })).outcome).toBe('ready');
    expect(await record(queue)).toBe('1 3 id');
    await world.another().enqueueMany(queue, jobs(90));
    expect((await stored(queue, 3)).every((part) => part.length > 10)).toBe(true);
    for (const shard of [0, 1, 2])
      expect(await world.redis.hkeys(world.column(physicalName(queue, shard), 'pauses'))).toEqual([
        'tenant:slow',
      ]);
  });

  it('does not come about if one is: the old sharding holds, for all', async () => {
    const { queue, layout } = await shardedQueue(world, { count: 2 });
    const [id = ''] = names(100).filter((one) => shardOfId(layout, one) === 1);
    await world.broker.enqueue(queue, { jobId: id, jobType: 'demo', payload: id.replace(/^j0*/, '') });
    await say(queue, 0, '2 3 id');
    await enqueueAll(world.broker, queue, jobs(100));
    expect(await record(queue)).toBe('3 2 id');
    expect(await world.broker.sharding.get(queue)).toEqual({ count: 2, by: 'id' });
    await enqueueAll(await knowing(queue), queue, jobs(40, 100));
    expect((await stored(queue, 3)).map((part) => part.length > 0)).toEqual([true, true, false]);
    expect((await stored(queue, 2)).flat()).toHaveLength(140);
  });

  it('or whose record was lost is restored from the shards, and no job with it', async () => {
    const { queue, sound } = await shardedQueue(world, { count: 4 });
    await enqueueAll(world.broker, queue, jobs(100));
    await world.redis.hdel(world.keys.global('queuesSharding'), queue);
    const again = await world.another().enqueueMany(queue, jobs(100));
    expect(new Set(again.map((one) => one.outcome))).toEqual(new Set(['duplicate']));
    expect(await record(queue)).toBe('1 4 id');
    expect((await world.another().inspect.snapshot([queue]))[0]?.counts.ready).toBe(100);
    await sound();
  });
});

describe('new shards', () => {
  it('start with the pauses, limits and draining of their queue', async () => {
    const queue = world.freshQueue();
    await world.broker.pause(queue, { scope: 'tenant:slow', reason: 'too slow' }, BY);
    await world.broker.config.change(queue, { concurrency: 9, maxDeliveries: 2 }, BY);
    await world.broker.drain(queue, { reason: 'moving' }, BY);
    await world.broker.sharding.set(queue, { count: 3 }, BY);
    for (const shard of [0, 1, 2]) {
      const config = await world.redis.hgetall(world.column(physicalName(queue, shard), 'config'));
      expect(config).toMatchObject({ concurrency: '3', maxDeliveries: '2', sharding: '1 3 id' });
      expect(config.draining).toContain('moving');
      expect(await world.redis.hkeys(world.column(physicalName(queue, shard), 'pauses'))).toEqual([
        'tenant:slow',
      ]);
    }
    expect((await world.broker.config.get(queue)).config).toMatchObject({ concurrency: 9, maxDeliveries: 2 });
    await world.broker.sharding.set(queue, { count: 4 }, BY);
    const parts = await Promise.all(
      [0, 1, 2, 3].map((shard) =>
        world.redis.hget(world.column(physicalName(queue, shard), 'config'), 'concurrency'),
      ),
    );
    expect(parts.map(Number)).toEqual([3, 2, 2, 2]);
    expect((await world.broker.config.get(queue)).config.concurrency).toBe(9);
  });

  it('are refused when the limits of the queue are too small for them', async () => {
    const queue = world.freshQueue();
    await world.broker.config.change(queue, { concurrency: 2 }, BY);
    await expect(world.broker.sharding.set(queue, { count: 3 }, BY)).rejects.toMatchObject({
      code: 'VALIDATION',
      fields: [{ field: 'concurrency', message: expect.stringContaining('at least 3') }],
    });
    expect(await world.broker.sharding.get(queue)).toEqual({ count: 1, by: 'id' });
    await world.broker.enqueue(queue, { jobType: 'demo' });
  });
});

describe('the name of a shard', () => {
  it('is none that a caller may use', async () => {
    const { queue } = await shardedQueue(world);
    await enqueueAll(world.broker, queue, jobs(30));
    const name = `${queue}#1`;
    const ref = { jobId: 'j', token: '1-0123456789' };
    const uses: (() => Promise<unknown>)[] = [
      () => world.broker.enqueue(name, { jobType: 'demo' }),
      () => world.broker.enqueueMany(name, jobs(1)),
      () => world.broker.claim(name, { worker: 'w' }),
      () => world.broker.exchange(name, [], { worker: 'w' }),
      () => world.broker.abandon(name, '0123456789'),
      () => world.broker.ack(name, [ref]),
      () => world.broker.extend(name, [ref], 1_000),
      () => world.broker.release(name, [ref]),
      () => world.broker.promote(name, ['j'], BY),
      () => world.broker.remove(name, ['j']),
      () => world.broker.reclaim(name),
      () => world.broker.reclaimWorker(name, 'w', { errorCode: 'X', message: '' }),
      () => world.broker.maintain(name),
      () => world.broker.pause(name, { reason: 'a test' }, BY),
      () => world.broker.resume(name),
      () => world.broker.drain(name, { reason: 'a test' }, BY),
      () => world.broker.config.get(name),
      () => world.broker.config.change(name, { concurrency: 1 }, BY),
      () => world.broker.sharding.get(name),
      () => world.broker.sharding.set(name, { count: 2 }, BY),
      () => world.broker.inspect.snapshot([name]),
      () => world.broker.inspect.list(name, { state: 'ready' }),
      () => world.broker.inspect.job(name, 'j'),
      () => world.broker.inspect.ledger(name),
      () => world.broker.inspect.minutes(name, world.clock.now, 5),
      () => world.lab.movements(name, '', 5),
      () => world.broker.inspect.changes(name, 5),
      () => world.broker.inspect.search({ state: 'dead', q: '', queue: name }),
      () => world.broker.inspect.facets({ q: '', queue: name }),
      () => previewOf(world.broker, { kind: 'purge', queue: name }),
      () => previewOf(world.broker, { kind: 'purge', jobs: [{ queue: name, jobId: 'j' }] }),
    ];
    for (const use of uses) await expect(use(), String(use)).rejects.toMatchObject({ code: 'VALIDATION' });
    expect((await stored(queue, 3)).flat()).toHaveLength(30);
  });
});
