/** Jobs that come one by one to a sharded queue: a wake-up costs a claim in one shard, and one that is lost costs no job. */
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type ShardLayout, shardOfId } from '@/lib/broker/shards/shard-layout';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { shardedQueue } from '@/testing/worlds/sharded-queues';
import { setUpWorld } from '@/testing/worlds/world';
import { createWorker } from './create-worker';
import { defineHandler } from './run/handler';
import type { WorkerEvent } from './worker-types';

const world = await setUpWorld();

/** An idle worker, and when each job ran. */
async function idleWorker(queue: string, { maintains }: { maintains: boolean }) {
  const ranAtMs = new Map<string, number>();
  let idles = 0;
  const broker = world.another({ clock: undefined });
  const worker = createWorker(maintains ? broker : { ...broker, maintain: async () => NOTHING_DUE }, {
    queues: { [queue]: 1 },
    concurrency: 20,
    handlers: [
      defineHandler({
        type: 'demo',
        schema: z.unknown(),
        run: (_, { job }) => {
          ranAtMs.set(job.jobId, performance.now());
        },
      }),
    ],
    onEvent: ({ type }: WorkerEvent) => {
      if (type === 'idle') idles += 1;
    },
  });
  onTestFinished(() => worker.stop());
  worker.start();
  await until(() => idles > 0, { what: 'the worker to be idle' });
  return { ranAtMs, idles: () => idles };
}
const NOTHING_DUE = { promoted: 0, reclaimed: 0, expired: 0, nextAt: null };

const enqueueOne = (queue: string, jobId: string) => world.broker.enqueue(queue, { jobId, jobType: 'demo' });

/** Waits before the worker does, so that it is woken for the first job: a worker that then dies instead of claiming. */
async function dyingWorker(layout: ShardLayout): Promise<{ woken: Promise<unknown> }> {
  const connection = world.redis.duplicate({ commandTimeout: undefined });
  onTestFinished(() => connection.disconnect());
  const id = await connection.client('ID');
  const woken = connection.bzpopmin(...layout.names.map((name) => world.column(name, 'wake')), 60);
  const isBlocked = async () => / flags=\w*b/.test(String(await world.redis.client('LIST', 'ID', id)));
  await until(isBlocked, { what: 'the dying worker to wait' });
  return { woken: woken.finally(() => connection.disconnect()) };
}

it('runs three scripts for a job: its enqueue, its claim and its ack', async () => {
  const { queue } = await shardedQueue(world, { count: 8 });
  const { ranAtMs, idles } = await idleWorker(queue, { maintains: false });
  const count = 40;
  await world.redis.config('RESETSTAT');
  for (let i = 0; i < count; i++) {
    const idle = idles();
    await enqueueOne(queue, `job-${i}`);
    await until(() => ranAtMs.has(`job-${i}`) && idles() > idle, { what: 'the job to run', everyMs: 1 });
  }
  const [, calls] = /cmdstat_evalsha:calls=(\d+)/.exec(await world.redis.info('commandstats')) ?? [];
  // Shards that were not asked for a second are asked as well, which a busy machine makes more of.
  expect(Number(calls)).toBeLessThan(count * 6);
});

it('runs the job of a worker that died between its wake-up and its claim after the next maintenance', async () => {
  const { queue, layout } = await shardedQueue(world, { count: 4 });
  const dying = await dyingWorker(layout);
  const { ranAtMs } = await idleWorker(queue, { maintains: true });
  await enqueueOne(queue, 'lost');
  await dying.woken;
  const diedAtMs = performance.now();
  const ranMs = await until(() => ranAtMs.get('lost'), { what: 'the job to run' });
  await expectWithin(ranMs - diedAtMs, 1_000);
});

it('runs that job without maintenance as well, while jobs of other shards wake the worker', async () => {
  const { queue, layout } = await shardedQueue(world, { count: 4 });
  const dying = await dyingWorker(layout);
  const { ranAtMs } = await idleWorker(queue, { maintains: false });
  await enqueueOne(queue, 'lost');
  await dying.woken;
  const diedAtMs = performance.now();
  const elsewhere = (_: unknown, i: number) => `other-${i}`;
  const others = Array.from({ length: 10_000 }, elsewhere).filter(
    (id) => shardOfId(layout, id) !== shardOfId(layout, 'lost'),
  );
  const ranMs = await until(
    async () => {
      const jobId = others.pop() ?? '';
      await enqueueOne(queue, jobId);
      await until(() => ranAtMs.has(jobId), { what: 'the other job to run', everyMs: 1 });
      return ranAtMs.get('lost');
    },
    { what: 'the lost job to run', everyMs: 1 },
  );
  await expectWithin(ranMs - diedAtMs, 1_500);
});
