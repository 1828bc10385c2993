/** One shard that cannot be read or written is missing, and is said to be missing; the others go on. */
import { describe, expect, it } from 'vitest';
import type { Column } from '@/lib/broker/redis/redis-keys';
import { until } from '@/testing/poll';
import { startOperation } from '@/testing/worlds/operation-runs';
import { type ShardedQueue, shardedQueue } from '@/testing/worlds/sharded-queues';
import { BY, claimAll, enqueueAll, ids, jobs, killAll, setUpWorld } from '@/testing/worlds/world';
import { physicalName, shardOfId } from './shard-layout';

const world = await setUpWorld();

const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const BROKEN = 1;

/** Makes a shard unreadable and unwritable, as a node that is away would be; returns how to bring it back. */
async function breakShard(queue: string, shard = BROKEN): Promise<() => Promise<void>> {
  const columns: Column[] = [
    'jobs',
    'ready',
    'pauses',
    'deadBy',
    'dead',
    'claims',
    'config',
    'minutes',
    'events',
    'operations',
  ];
  const keys = columns.map((column) => world.column(physicalName(queue, shard), column));
  for (const key of keys) {
    if (await world.redis.exists(key)) await world.redis.rename(key, `${key}.away`);
    await world.redis.set(key, 'another type');
  }
  return async () => {
    for (const key of keys) {
      await world.redis.del(key);
      if (await world.redis.exists(`${key}.away`)) await world.redis.rename(`${key}.away`, key);
    }
  };
}
const elsewhere = ({ layout }: ShardedQueue, all: readonly string[]) =>
  all.filter((id) => shardOfId(layout, id) !== BROKEN);
const there = ({ layout }: ShardedQueue, all: readonly string[]) =>
  all.filter((id) => shardOfId(layout, id) === BROKEN);

describe('with one shard of three away', () => {
  it('counts are of the others, and say so; other queues are not touched', async () => {
    const made = await shardedQueue(world);
    const other = world.freshQueue();
    await enqueueAll(world.broker, made.queue, jobs(300));
    await enqueueAll(world.broker, other, jobs(7));
    const mend = await breakShard(made.queue);
    const readings = await world.broker.inspect.snapshot([made.queue, other]);
    expect(readings.map(({ counts, shards }) => [counts.ready, shards])).toEqual([
      [elsewhere(made, names(300)).length, { count: 3, unavailable: [BROKEN] }],
      [7, { count: 1, unavailable: [] }],
    ]);
    expect(await world.broker.inspect.ledger(made.queue)).toMatchObject({
      difference: 0,
      unavailable: [BROKEN],
    });
    const minutes = await world.broker.inspect.minutes(made.queue, world.clock.now, 1);
    expect(minutes[0]?.enqueued).toBe(elsewhere(made, names(300)).length);
    await mend();
    const [whole] = await world.broker.inspect.snapshot([made.queue]);
    expect([whole?.counts.ready, whole?.shards.unavailable]).toEqual([300, []]);
    await made.sound();
  });

  it('lists and dead letters show the others, and say so', async () => {
    const made = await shardedQueue(world);
    await enqueueAll(world.broker, made.queue, jobs(120, 0, { delayMs: 1_000 }));
    await killAll(world.broker, made.queue, jobs(120, 500));
    const mend = await breakShard(made.queue);
    const page = await world.broker.inspect.list(made.queue, { state: 'scheduled', limit: 500 });
    expect([page.unavailable, page.jobs.every((job) => job.queue === made.queue)]).toEqual([[BROKEN], true]);
    expect(ids(page.jobs)).toEqual(elsewhere(made, names(120)));
    const dead = await world.broker.inspect.search(
      { state: 'dead', q: '', queue: made.queue },
      { limit: 500 },
    );
    expect(ids(dead.jobs).sort()).toEqual(elsewhere(made, names(120, 500)));
    expect(dead.matching).toEqual({ count: dead.jobs.length, exact: false });
    expect(dead.unavailable).toEqual([{ queue: made.queue, shard: BROKEN }]);
    const { facets, unavailable } = await world.broker.inspect.facets({ q: '', queue: made.queue });
    expect(unavailable).toEqual([{ queue: made.queue, shard: BROKEN }]);
    expect(facets.class).toEqual([{ value: 'permanent', count: dead.jobs.length }]);
    expect((await world.lab.movements(made.queue, '', 50)).length).toBeGreaterThan(0);
    await mend();
    const after = await world.broker.inspect.search(
      { state: 'dead', q: '', queue: made.queue },
      { limit: 500 },
    );
    expect([after.jobs.length, after.unavailable, after.matching.exact]).toEqual([120, undefined, true]);
  });

  it('a job is found in the others, and never said to be gone', async () => {
    const made = await shardedQueue(world);
    await enqueueAll(world.broker, made.queue, jobs(60));
    const [here = '', away = ''] = [elsewhere(made, names(60))[0], there(made, names(60))[0]];
    const mend = await breakShard(made.queue);
    expect((await world.broker.inspect.job(made.queue, here)).state).toBe('ready');
    await expect(world.broker.inspect.job(made.queue, away)).rejects.not.toMatchObject({
      code: 'JOB_NOT_FOUND',
    });
    expect(await world.broker.cancel(made.queue, [here], BY)).toEqual(['ok']);
    await expect(world.broker.cancel(made.queue, [here, away], BY)).rejects.toMatchObject({
      code: 'REDIS_UNAVAILABLE',
      message: expect.stringContaining(`Shard ${BROKEN} of ${made.queue} cannot be read`),
    });
    await mend();
    expect((await world.broker.inspect.job(made.queue, away)).state).toBe('ready');
  });

  it('claims go on, and what is back is claimed again', async () => {
    const made = await shardedQueue(world);
    await enqueueAll(world.broker, made.queue, jobs(90));
    const mend = await breakShard(made.queue);
    const first = await claimAll(world.broker, made.queue);
    expect(ids(first).sort()).toEqual(elsewhere(made, names(90)));
    expect(new Set(await world.broker.ack(made.queue, first))).toEqual(new Set(['completed']));
    expect((await world.broker.claim(made.queue, { worker: 'w' })).jobs).toEqual([]);
    await world.broker.maintain(made.queue);
    await world.broker.reclaim(made.queue);
    await mend();
    const back: string[] = [];
    await until(
      async () => {
        back.push(...ids(await claimAll(world.broker, made.queue)));
        return back.length === 90 - first.length;
      },
      { timeoutMs: 10_000, what: 'the jobs of the shard that is back' },
    );
    expect(back.sort()).toEqual(there(made, names(90)));
    await made.sound();
  });

  it('a batch enters what it can, says how many, and is safe to send again', async () => {
    const made = await shardedQueue(world);
    await world.broker.inspect.snapshot([made.queue]);
    const mend = await breakShard(made.queue);
    const batch = jobs(120);
    const inside = elsewhere(made, names(120)).length;
    await expect(world.broker.enqueueMany(made.queue, batch)).rejects.toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      message: expect.stringContaining(`${inside} of 120 jobs are enqueued; shard ${BROKEN}`),
    });
    await mend();
    const again = await world.broker.enqueueMany(made.queue, batch);
    expect(again.filter((one) => one.outcome === 'ready')).toHaveLength(120 - inside);
    expect((await made.ids()).flat()).toHaveLength(120);
    await made.sound();
  });

  it('a change that must hold everywhere says where it does not, and is safe to send again', async () => {
    const made = await shardedQueue(world);
    await enqueueAll(world.broker, made.queue, jobs(30));
    const mend = await breakShard(made.queue);
    const partly = {
      code: 'UNKNOWN_OUTCOME',
      message: expect.stringMatching(
        new RegExp(`2 of the 3 shards of ${made.queue}, but not shard ${BROKEN}: .*again`),
      ),
    };
    await expect(world.broker.pause(made.queue, { reason: 'a test' }, BY)).rejects.toMatchObject(partly);
    await expect(world.broker.drain(made.queue, { reason: 'a test' }, BY)).rejects.toMatchObject(partly);
    const held = await world.broker.inspect.snapshot([made.queue]);
    expect(held[0]?.pauses).toHaveLength(1);
    await mend();
    await world.broker.pause(made.queue, { reason: 'a test' }, BY);
    expect(await world.broker.claim(made.queue, { worker: 'w', count: 30 })).toMatchObject({
      jobs: [],
      paused: true,
    });
  });

  it('an operation moves what it reaches, and the rest when the shard is back', async () => {
    const made = await shardedQueue(world);
    await killAll(world.broker, made.queue, jobs(600));
    const { id } = await startOperation(world.broker, { kind: 'redrive', q: `queue:${made.queue}` });
    const mend = await breakShard(made.queue);
    const reached = elsewhere(made, names(600)).length;
    const step = async () => (await world.broker.operations.runSlice(id, 'r1')).operation;
    await until(async () => (await step()).moved === reached, { what: 'all that can be reached' });
    expect(await step()).toMatchObject({
      status: 'running',
      moved: reached,
      trouble: expect.stringContaining(made.queue),
    });
    await mend();
    await until(async () => (await step()).status !== 'running', { what: 'the rest' });
    const done = await world.broker.operations.get(id);
    expect(done).toMatchObject({ status: 'completed', moved: 600, skipped: 0 });
    await made.sound();
  });
});

describe('with all shards away', () => {
  it('the queue is left out, others are shown, and calls say what is wrong', async () => {
    const made = await shardedQueue(world, { count: 2 });
    const other = world.freshQueue();
    await enqueueAll(world.broker, made.queue, jobs(10));
    await enqueueAll(world.broker, other, jobs(1));
    const mends = [await breakShard(made.queue, 0), await breakShard(made.queue, 1)];
    const readings = await world.broker.inspect.snapshot([made.queue, other]);
    expect(readings.map((reading) => reading.queue)).toEqual([other]);
    await expect(world.broker.inspect.list(made.queue, { state: 'ready' })).rejects.toThrow();
    await expect(world.broker.claim(made.queue, { worker: 'w' })).rejects.toThrow(/WRONGTYPE/);
    await expect(world.broker.maintain(made.queue)).rejects.toThrow();
    for (const mend of mends) await mend();
    expect(await claimAll(world.broker, made.queue)).toHaveLength(10);
  });
});
