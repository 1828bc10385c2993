/** A worker on a sharded queue: all shards are worked off, and one that is away does not hold up the others. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { physicalName } from '@/lib/broker/shards/shard-layout';
import { until } from '@/testing/poll';
import { shardedQueue } from '@/testing/worlds/sharded-queues';
import { enqueueAll, jobs, setUpWorld } from '@/testing/worlds/world';
import { createWorker } from './create-worker';
import { defineHandler } from './run/handler';

const world = await setUpWorld();

const done = async (queue: string) =>
  (await world.broker.inspect.snapshot([queue]))[0]?.totals.completed ?? 0;

describe('a worker on a sharded queue', () => {
  it('runs every job of every shard once', async () => {
    const { queue, sound } = await shardedQueue(world, { count: 4 });
    const runs = new Map<string, number>();
    const handlers = [
      defineHandler({
        type: 'demo',
        schema: z.unknown(),
        run: (_, { job }) => {
          runs.set(job.jobId, (runs.get(job.jobId) ?? 0) + 1);
        },
      }),
    ];
    const worker = createWorker(world.another({ clock: undefined }), {
      queues: { [queue]: 1 },
      concurrency: 20,
      handlers,
    });
    worker.start();
    try {
      await enqueueAll(world.broker, queue, jobs(600));
      await until(async () => (await done(queue)) === 600, {
        what: 'all jobs to be done',
        timeoutMs: 20_000,
      });
      // One at a time, each through the wake-up of an idle worker.
      for (let i = 0; i < 8; i++) {
        await world.broker.enqueue(queue, { jobId: `single-${i}`, jobType: 'demo' });
        await until(() => runs.has(`single-${i}`), { what: 'the idle worker to be woken', timeoutMs: 5_000 });
      }
      await until(async () => (await done(queue)) === 608, { what: 'the last acks', timeoutMs: 5_000 });
      expect(new Set(runs.values())).toEqual(new Set([1]));
      await sound();
    } finally {
      await worker.stop();
    }
  });

  it('goes on with the other shards while one is away, and takes it up again', async () => {
    const made = await shardedQueue(world, { count: 3 });
    const { queue } = made;
    await enqueueAll(world.broker, queue, jobs(300));
    const away = physicalName(queue, 1);
    const columns = ['claims', 'inflight', 'ready', 'pauses'] as const;
    // All at once: a worker that came by in between would see what no shard ever looks like.
    const SWAP = {
      broken:
        "for _, key in ipairs(KEYS) do if redis.call('EXISTS', key) == 1 then redis.call('RENAME', key, key .. '.away') end redis.call('SET', key, 'another type') end",
      mended:
        "for _, key in ipairs(KEYS) do redis.call('DEL', key) if redis.call('EXISTS', key .. '.away') == 1 then redis.call('RENAME', key .. '.away', key) end end",
    };
    const shardIs = (how: keyof typeof SWAP) =>
      world.redis.eval(SWAP[how], columns.length, ...columns.map((column) => world.column(away, column)));
    const breakIt = () => shardIs('broken');
    const mend = () => shardIs('mended');
    let started = 0;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const handlers = [
      defineHandler({
        type: 'demo',
        schema: z.unknown(),
        // The first ones wait, so that some of each shard are in hand when the shard goes away.
        run: async () => {
          started += 1;
          if (started <= 40) await held;
        },
      }),
    ];
    const worker = createWorker(world.another({ clock: undefined }), {
      queues: { [queue]: 1 },
      concurrency: 40,
      leaseMs: 20_000,
      handlers,
    });
    worker.start();
    try {
      await until(() => started === 40, { what: 'all slots to be busy', timeoutMs: 10_000 });
      const elsewhere = (await made.ids()).filter((_, shard) => shard !== 1).flat().length;
      await breakIt();
      release();
      await until(async () => (await done(queue)) === elsewhere, {
        what: 'the jobs of the other shards to be done',
        timeoutMs: 15_000,
      });
      expect((await world.broker.inspect.snapshot([queue]))[0]?.shards.unavailable).toEqual([1]);
      await mend();
      await until(async () => (await done(queue)) === 300, {
        what: 'all jobs to be done',
        timeoutMs: 30_000,
      });
      await made.sound();
    } finally {
      await mend().catch(() => undefined);
      await worker.stop();
    }
  });
});
