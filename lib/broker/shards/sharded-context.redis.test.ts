/** A queue of several shards is one queue: its jobs are entered once, claimed once, and ended where they were claimed. */
import { describe, expect, it } from 'vitest';
import type { ClaimedJob } from '@/lib/broker';
import { shardedQueue } from '@/testing/worlds/sharded-queues';
import { BY, CRASH, claimAll, enqueueAll, failure, ids, jobs, setUpWorld } from '@/testing/worlds/world';
import { shardOfId, shardOfJob } from './shard-layout';

const world = await setUpWorld();

const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const refs = (claimed: readonly ClaimedJob[]) => claimed.map(({ jobId, token }) => ({ jobId, token }));
const counts = async (queue: string) => (await world.broker.inspect.snapshot([queue]))[0]?.counts;

describe('jobs enqueued', () => {
  it('go where their id says, in every process, and the outcomes come back in their order', async () => {
    const { queue, layout, ids: stored, sound } = await shardedQueue(world);
    const batch = jobs(600);
    const results = await world.broker.enqueueMany(queue, batch);
    expect(results).toEqual(batch.map(({ jobId }) => ({ jobId, outcome: 'ready' })));
    const expected = layout.names.map((_, shard) =>
      names(600).filter((id) => shardOfId(layout, id) === shard),
    );
    expect(await stored()).toEqual(expected);
    expect(expected.every((part) => part.length > 150)).toBe(true);
    await Promise.all(
      names(50, 600).map((jobId) => world.another().enqueue(queue, { jobId, jobType: 'demo' })),
    );
    expect((await stored()).flat()).toHaveLength(650);
    expect(await world.broker.inspect.queues()).toContain(queue);
    expect((await world.broker.inspect.queues()).filter((name) => name.includes('#'))).toEqual([]);
    await sound();
  });

  it('are entered once, however often they are sent, and another content is a conflict', async () => {
    for (const by of ['id', 'tenant'] as const) {
      const { queue, sound } = await shardedQueue(world, { by });
      const batch = jobs(200).map((job, i) => ({
        ...job,
        tenantId: `t${i % 9}`,
        ...(i % 4 === 0 ? { unique: { key: `k${i}` } } : {}),
      }));
      await world.broker.enqueueMany(queue, batch);
      const again = await world.another().enqueueMany(queue, [...batch].reverse());
      expect(new Set(again.map((one) => one.outcome))).toEqual(new Set(['duplicate']));
      const other = await world.broker.enqueueMany(
        queue,
        batch.map((job) => ({ ...job, payload: 'other' })),
      );
      expect(new Set(other.map((one) => one.outcome))).toEqual(new Set(['conflict']));
      await expect(
        world.broker.enqueue(queue, { ...batch[1], jobType: 'demo', payload: 'x' }),
      ).rejects.toThrow(`already belongs to a job with another content in ${queue}.`);
      expect(await counts(queue)).toMatchObject({ ready: 200 });
      await sound();
    }
  });

  it('with one uniqueness key are one job at a time, though their ids say other shards', async () => {
    const { queue, sound } = await shardedQueue(world);
    const unique = { key: 'invoice-7' };
    await world.broker.enqueue(queue, { jobId: 'first', jobType: 'demo', unique });
    const others = await world.broker.enqueueMany(
      queue,
      jobs(20).map((job) => ({ ...job, unique })),
    );
    expect(others.every((one) => one.outcome === 'not-unique' && one.ownerId === 'first')).toBe(true);
    await world.broker.ack(queue, refs(await claimAll(world.broker, queue)));
    expect((await world.broker.enqueue(queue, { jobId: 'second', jobType: 'demo', unique })).outcome).toBe(
      'ready',
    );
    // Found by id although not where the id says.
    expect((await world.broker.inspect.job(queue, 'second')).state).toBe('ready');
    expect((await world.broker.inspect.job(queue, 'first')).state).toBe('completed');
    await sound();
  });

  it('that are not valid stop the whole batch before any of it is sent', async () => {
    const { queue, ids: stored } = await shardedQueue(world);
    const batch = [...jobs(30), { jobId: 'late', jobType: 'demo', payload: 'x'.repeat(70_000) }];
    await expect(world.broker.enqueueMany(queue, batch)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    await expect(
      world.broker.enqueueMany(queue, [...jobs(30), { jobId: 'b ad', jobType: 'demo' }]),
    ).rejects.toMatchObject({ code: 'VALIDATION', message: expect.stringContaining('jobs[30]') });
    expect((await stored()).flat()).toEqual([]);
  });

  it('of one tenant share a shard when the queue is sharded by tenant', async () => {
    const { queue, layout, raw } = await shardedQueue(world, { by: 'tenant', count: 4 });
    for (const tenantId of ['a', 'b', 'c', 'd', 'e'])
      await enqueueAll(
        world.broker,
        queue,
        jobs(10).map((job) => ({ ...job, jobId: `${tenantId}-${job.jobId}`, tenantId })),
      );
    (await raw()).forEach((shard, at) => {
      for (const [id] of shard.hash('jobs'))
        expect(shardOfJob(layout, { jobId: id, tenantId: id.charAt(0) })).toBe(at);
    });
  });
});

describe('a claim', () => {
  it('hands out every job once, as one of its queue, with a token that says where', async () => {
    const { queue, sound } = await shardedQueue(world, { count: 5 });
    await enqueueAll(world.broker, queue, jobs(400));
    const taken = await Promise.all([1, 2, 3].map(() => claimAll(world.another(), queue)));
    const all = taken.flat();
    expect(ids(all).sort()).toEqual(names(400));
    expect(all.every((job) => job.queue === queue && /^1-[0-9A-Za-z]+x[0-4]$/.test(job.token))).toBe(true);
    expect(new Set(all.map((job) => job.shardName)).size).toBe(5);
    expect(new Set(await world.broker.ack(queue, refs(all)))).toEqual(new Set(['completed']));
    expect(new Set(await world.another().ack(queue, refs(all)))).toEqual(new Set(['already']));
    expect(await counts(queue)).toMatchObject({ ready: 0, 'in-flight': 0, completed: 400 });
    await sound();
  });

  it('takes what was asked for from wherever it is, and no more', async () => {
    const { queue, layout } = await shardedQueue(world, { count: 8 });
    // All in one shard: the others have nothing to give.
    const lonely = names(4_000)
      .filter((id) => shardOfId(layout, id) === 5)
      .slice(0, 120);
    await enqueueAll(
      world.broker,
      queue,
      lonely.map((jobId) => ({ jobId, jobType: 'demo' })),
    );
    for (const count of [1, 7, 50]) {
      const { jobs: taken, more } = await world.broker.claim(queue, { worker: 'w', count });
      expect([taken.length, more]).toEqual([count, true]);
    }
    await enqueueAll(world.broker, queue, jobs(80, 5_000));
    const rest = await world.broker.claim(queue, { worker: 'w', count: 500 });
    expect(rest.jobs).toHaveLength(142);
    expect(await world.broker.claim(queue, { worker: 'w', count: 3 })).toMatchObject({
      jobs: [],
      more: false,
    });
  });

  it('says when the next job falls due, in whichever shard', async () => {
    const { queue } = await shardedQueue(world, { count: 4 });
    await enqueueAll(
      world.broker,
      queue,
      jobs(40).map((job, i) => ({ ...job, delayMs: 5_000 + ((i * 7) % 40) * 100 })),
    );
    expect((await world.broker.claim(queue, { worker: 'w' })).nextAt).toBe(world.clock.now + 5_000);
    expect((await world.broker.maintain(queue)).nextAt).toBe(world.clock.now + 5_000);
    world.clock.now += 5_000;
    expect((await world.broker.maintain(queue)).promoted).toBe(1);
    world.clock.now += 10_000;
    expect(await claimAll(world.broker, queue)).toHaveLength(40);
  });

  it('whose reply was lost is given back by its nonce, in all shards', async () => {
    const { queue, sound } = await shardedQueue(world);
    await enqueueAll(world.broker, queue, jobs(60));
    for (const nonce of ['0123456789abcdef', 'x'.repeat(32)]) {
      const { jobs: lost } = await world.broker.claim(queue, { worker: 'w', count: 60, nonce });
      expect(lost).toHaveLength(60);
      expect(await world.another().abandon(queue, nonce)).toBe(60);
      expect(await world.broker.ack(queue, refs(lost).slice(0, 3))).toEqual(['stale', 'stale', 'stale']);
    }
    expect(await claimAll(world.broker, queue)).toHaveLength(60);
    await sound();
  });

  it('travels with acks of any shard', async () => {
    const { queue, sound } = await shardedQueue(world);
    await enqueueAll(world.broker, queue, jobs(90));
    let held: readonly ClaimedJob[] = [];
    const done = new Set<string>();
    for (let round = 0; round < 50 && done.size < 90; round++) {
      const { acked, claimed } = await world.broker.exchange(queue, refs(held), { worker: 'w', count: 10 });
      expect(acked).toEqual(held.map(() => 'completed'));
      for (const { jobId } of held) done.add(jobId);
      held = claimed.jobs;
    }
    expect(done.size).toBe(90);
    await sound();
  });
});

describe('a claim that ends', () => {
  it('is kept, failed, released, or lost, each in its own shard', async () => {
    const { queue, sound } = await shardedQueue(world);
    await enqueueAll(world.broker, queue, jobs(120));
    const held = await claimAll(world.broker, queue, { leaseMs: 10_000 });
    const [kept, failed, dead, released] = [
      held.slice(0, 30),
      held.slice(30, 60),
      held.slice(60, 90),
      held.slice(90),
    ];
    world.clock.now += 9_000;
    expect(new Set(await world.broker.extend(queue, refs(kept), 60_000))).toEqual(new Set(['extended']));
    const retry = { errorClass: 'retryable', errorCode: 'X', message: '', retryInMs: 1_000 } as const;
    expect(
      new Set(
        await world.broker.fail(
          queue,
          refs(failed).map((ref) => ({ ...ref, failure: retry })),
        ),
      ),
    ).toEqual(new Set(['retry']));
    await world.broker.fail(
      queue,
      refs(dead).map((ref) => ({ ...ref, failure: failure() })),
    );
    expect(new Set(await world.broker.release(queue, refs(released)))).toEqual(new Set(['released']));
    expect(await counts(queue)).toMatchObject({ 'in-flight': 30, retry: 30, dead: 30, ready: 30 });
    expect(new Set(await world.broker.ack(queue, refs(dead)))).toEqual(new Set(['stale']));
    world.clock.now += 60_000;
    expect(await world.broker.reclaim(queue, 7)).toEqual({ returned: 7, died: 0 });
    expect(await world.broker.reclaim(queue)).toEqual({ returned: 23, died: 0 });
    await sound();
  });

  it('because its worker died is taken back everywhere at once', async () => {
    const { queue, sound } = await shardedQueue(world);
    await enqueueAll(world.broker, queue, jobs(50));
    await claimAll(world.broker, queue, { worker: 'gone', most: 30 });
    await claimAll(world.broker, queue, { worker: 'alive' });
    const back = await world.broker.reclaimWorker(queue, 'gone', CRASH);
    expect([back.returned, back.jobIds.length]).toEqual([30, 30]);
    expect(await counts(queue)).toMatchObject({ ready: 30, 'in-flight': 20 });
    await sound();
  });
});

describe('pausing', () => {
  it('admits nothing from any shard, is one pause, and its end brings everything back', async () => {
    const { queue, sound } = await shardedQueue(world);
    await enqueueAll(world.broker, queue, jobs(60));
    await world.broker.pause(queue, { reason: 'a test' }, BY);
    expect(await world.broker.claim(queue, { worker: 'w', count: 60 })).toMatchObject({
      jobs: [],
      paused: true,
    });
    const [paused] = await world.broker.inspect.snapshot([queue]);
    expect(paused?.pauses).toMatchObject([{ scope: 'queue', actor: BY.actor, reason: 'a test' }]);
    expect(await world.another().resume(queue)).toBe(true);
    expect(await world.broker.resume(queue)).toBe(false);
    await world.broker.pause(queue, { scope: 'type:demo', reason: 'a test', forMs: 5_000 }, BY);
    expect((await world.broker.claim(queue, { worker: 'w', count: 60 })).jobs).toEqual([]);
    expect(await counts(queue)).toMatchObject({ held: 60 });
    world.clock.now += 5_000;
    expect(await claimAll(world.broker, queue)).toHaveLength(60);
    await sound();
  });
});

describe('draining', () => {
  it('refuses new jobs in every shard until it is over', async () => {
    const { queue } = await shardedQueue(world);
    await enqueueAll(world.broker, queue, jobs(30));
    expect(await world.broker.drain(queue, { reason: 'moving out' }, BY)).toBe(true);
    const refused = await world.broker.enqueueMany(queue, jobs(30, 100));
    expect(new Set(refused.map((one) => one.outcome))).toEqual(new Set(['draining']));
    expect((await world.broker.inspect.snapshot([queue]))[0]?.draining).toBe(true);
    expect((await world.broker.config.get(queue)).draining).toMatchObject({
      actor: BY.actor,
      reason: 'moving out',
    });
    expect(await world.broker.drain(queue, { draining: false, reason: 'staying' }, BY)).toBe(true);
    expect((await world.broker.inspect.snapshot([queue]))[0]?.draining).toBe(false);
    await enqueueAll(world.broker, queue, jobs(30, 100));
  });
});

describe('waiting for work', () => {
  it('ends with a job in any shard, and the next claim finds it', async () => {
    const { queue } = await shardedQueue(world, { count: 6 });
    const [worker, waiter] = [world.another(), world.another()];
    await worker.claim(queue, { worker: 'w' });
    const waiting = worker.waiter();
    try {
      for (let i = 0; i < 12; i++) {
        const woken = waiting.wait(['another', queue], 20_000);
        await waiter.enqueue(queue, { jobId: `wake-${i}`, jobType: 'demo' });
        expect(await woken).toBe(queue);
        expect(ids((await worker.claim(queue, { worker: 'w' })).jobs)).toEqual([`wake-${i}`]);
      }
      const idle = waiting.wait([queue], 20_000);
      waiting.interrupt();
      expect(await idle).toBeNull();
    } finally {
      waiting.close();
    }
  });
});

describe('triage by id', () => {
  it.each(['id', 'tenant'] as const)('finds jobs wherever they are in a queue sharded by %s', async (by) => {
    const { queue, sound } = await shardedQueue(world, { by, count: 4 });
    const spread = (count: number, from: number, rest = {}) =>
      jobs(count, from, rest).map((job, i) => ({ ...job, tenantId: `t${i % 7}` }));
    await enqueueAll(world.broker, queue, spread(40, 0, { delayMs: 60_000 }));
    await enqueueAll(world.broker, queue, spread(40, 100));
    const all = (outcome: string, count: number) => new Array<string>(count).fill(outcome);
    expect(await world.broker.promote(queue, [...names(5), ...names(5, 100), 'nobody'], BY)).toEqual([
      ...all('ok', 5),
      ...all('wrong-state', 6),
    ]);
    expect(await world.broker.cancel(queue, [...names(20, 100), 'nobody'], BY)).toEqual([
      ...all('ok', 20),
      'not-found',
    ]);
    expect(await world.broker.suppress(queue, names(5, 100), BY)).toEqual(all('ok', 5));
    expect(await world.broker.purge(queue, names(15, 100), BY)).toEqual(all('ok', 15));
    expect(await world.broker.restore(queue, names(10, 100), BY)).toEqual(all('ok', 10));
    expect(await world.broker.redrive(queue, [...names(10, 100), 'nobody'], BY)).toEqual([
      ...all('ok', 10),
      'not-found',
    ]);
    expect(await world.broker.remove(queue, [...names(40), 'nobody'])).toEqual([
      ...all('ok', 40),
      'not-found',
    ]);
    expect((await world.broker.inspect.job(queue, 'j000103')).redrives).toBe(1);
    await expect(world.broker.inspect.job(queue, 'nobody')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    expect(await counts(queue)).toMatchObject({ ready: 30, dead: 5, trashed: 5, scheduled: 0 });
    await sound();
  });
});
