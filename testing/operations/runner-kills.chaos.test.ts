/**
 * Runners killed outright (SIGKILL) at whatever they are doing, and Redis with them: each job is moved once, none is passed over,
 * and every count is exact.
 */

import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claim } from '@/lib/broker/jobs/claim/claim-jobs';
import { fail } from '@/lib/broker/jobs/claim/settle-jobs';
import { enqueueMany } from '@/lib/broker/jobs/enqueue/enqueue-jobs';
import type { MoveSpec } from '@/lib/broker/operations/kinds/move-spec';
import { readShardProgress } from '@/lib/broker/operations/kinds/shard-progress';
import { createContext } from '@/lib/broker/redis/broker-context';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import { type ShardedContext, withShards } from '@/lib/broker/shards/sharded-context';
import type { RawQueue } from '@/testing/model/compare-ids';
import { readRaw, violations } from '@/testing/model/invariants';
import { until } from '@/testing/poll';
import { specFor } from '@/testing/worlds/operation-chunks';
import { Processes, type Spawned } from '@/testing/worlds/processes';
import { startRedis, type TestRedis } from '@/testing/worlds/redis-server';
import { enqueueAll, failure, jobs } from '@/testing/worlds/world';
import { setUpProgram } from '../worlds/set-up-program';

const RUNNER = await setUpProgram(new URL('./move-process.ts', import.meta.url));
const KILLS = 20;
const processes = new Processes();
const keys = createKeys('rd');
let server: TestRedis;
let redis: Redis;
let ctx: ShardedContext;

async function open(args: string[] = []): Promise<void> {
  server = await startRedis(args);
  redis = server.connect();
  ctx = withShards(createContext({ url: server.path }));
}
async function close(): Promise<void> {
  await processes.stopAll();
  ctx.close();
  await server.stop();
}

async function bury(queue: string, count: number): Promise<void> {
  const own = {
    enqueueMany: (name: string, inputs: Parameters<typeof enqueueMany>[2]) => enqueueMany(ctx, name, inputs),
  };
  for (let from = 0; from < count; from += 10_000) {
    await enqueueAll(own, queue, jobs(Math.min(10_000, count - from), from));
    for (;;) {
      const taken = (await claim(ctx, queue, { worker: 'w', count: 500 })).jobs;
      if (taken.length === 0) break;
      await fail(
        ctx,
        queue,
        taken.map(({ jobId, token }) => ({ jobId, token, failure: failure() })),
      );
    }
  }
}

const start = (queue: string, spec: MoveSpec, cutoff: number): Spawned =>
  processes.node([RUNNER, server.path, queue, JSON.stringify(spec), String(cutoff)], {
    name: `a runner on ${queue}`,
  });
const movedBy = (runner: Spawned): number =>
  Number(/moved (\d+)\n(?:failed.*\n|over\n)*$/.exec(runner.output())?.[1] ?? 0);

/**
 * Somewhere in the next part of the way, if the kills that are left are spread over what is left of its first three quarters: behind
 * the last of them is work for as long as the machine may stand still.
 */
const nextPoint = (moved: number, count: number, left: number): number =>
  Math.floor(moved + (Math.random() * Math.max(0, 0.75 * count - moved)) / (left + 1));

/**
 * Two runners at a time; the one that is ahead is killed, and another takes its place, until as many as that were killed while they
 * worked. One that had ended by itself, or had not come to anything yet, does not count: then the next point is another's.
 */
async function killing(queue: string, spec: MoveSpec, count: number): Promise<void> {
  const cutoff = Date.now() + 60_000;
  const runners = [start(queue, spec, cutoff), start(queue, spec, cutoff)];
  await Promise.all(runners.map((runner) => runner.prints(/up/, 60_000)));
  let killed = 0;
  let moved = 0;
  for (let tries = 0; killed < KILLS && tries < 3 * KILLS; tries++) {
    const point = nextPoint(moved, count, KILLS - killed);
    const reached = await until(
      async () => {
        const progress = await readShardProgress(ctx, { name: queue }, spec.id);
        return progress.moved >= point ? progress : null;
      },
      { what: `${point} jobs to be moved`, timeoutMs: 120_000, everyMs: 1 },
    );
    moved = reached.moved;
    if (reached.status !== 'running') break;
    runners.sort((a, b) => movedBy(b) - movedBy(a));
    const victim = runners.shift();
    const working = victim?.running() === true && /up/.test(victim.output());
    victim?.kill();
    runners.push(start(queue, spec, cutoff));
    // Killed in the middle: there was work left when it was, and it had begun.
    const after = await readShardProgress(ctx, { name: queue }, spec.id);
    if (working && after.status === 'running') killed += 1;
    moved = after.moved;
  }
  expect(killed).toBe(KILLS);
  await until(async () => (await readShardProgress(ctx, { name: queue }, spec.id)).status === 'done', {
    what: 'the operation to end',
    timeoutMs: 120_000,
  });
  for (const runner of runners) await runner.stop();
}

/** Every job has this line in its history, once. */
const linesOf = (raw: RawQueue, kind: string): number[] => [
  ...new Set([...raw.hash('history').values()].map((log) => log.split(` ${kind} `).length - 1)),
];
const soundly = (raw: RawQueue) => {
  expect(violations(raw)).toEqual([]);
  return raw;
};

describe(`${KILLS} runners killed in the middle`, () => {
  beforeAll(() => open());
  afterAll(close);

  it('of a re-drive of 40,000: each job is moved once', { timeout: 600_000 }, async () => {
    const count = 40_000;
    await bury('redriven', count);
    const spec = specFor({ kind: 'redrive', state: 'dead' });
    await killing('redriven', spec, count);
    expect(await readShardProgress(ctx, { name: 'redriven' }, spec.id)).toMatchObject({
      moved: count,
      skipped: 0,
      scanned: count,
    });
    const raw = soundly(await readRaw(redis, keys, 'redriven'));
    expect(raw.states.get('ready')?.size).toBe(count);
    expect(raw.counter('redriven')).toBe(count);
    expect(linesOf(raw, 'redriven')).toEqual([1]);
    expect(raw.hash('redriven').size).toBe(count);
    expect((await redis.xrange(keys.column('redriven', 'changes'), '-', '+')).length).toBe(2);
  });

  it('of a move to another queue: each job arrives once, or is where it was', {
    timeout: 600_000,
  }, async () => {
    const count = 10_000;
    await bury('left', count);
    const taken = jobs(50, 1_000);
    await enqueueMany(ctx, 'arrived', taken);
    const spec = specFor({ kind: 'move', state: 'dead', target: 'arrived' });
    await killing('left', spec, count);
    expect(await readShardProgress(ctx, { name: 'left' }, spec.id)).toMatchObject({
      moved: count - 50,
      skipped: 50,
      skips: { 'id-taken': 50 },
      scanned: count,
    });
    const [left, arrived] = [await readRaw(redis, keys, 'left'), await readRaw(redis, keys, 'arrived')].map(
      soundly,
    );
    expect([...(left?.states.get('dead')?.keys() ?? [])].sort()).toEqual(taken.map(({ jobId }) => jobId));
    expect(arrived?.states.get('ready')?.size).toBe(count);
    expect(arrived && linesOf(arrived, 'moved')).toEqual([1]);
    expect(arrived?.counter('enqueued')).toBe(count);
  });
});

describe('Redis killed and started again', () => {
  beforeAll(() => open(['--appendonly', 'yes', '--appendfsync', 'always']));
  afterAll(close);

  // Of a re-drive: `runner-takeover.slow.redis.test.ts`.
  it('in the middle of a move loses and repeats nothing', { timeout: 600_000 }, async () => {
    const [count, from, to] = [10_000, 'from-move', 'to-move'];
    await bury(from, count);
    const spec = specFor({ kind: 'move', state: 'dead', target: to });
    const cutoff = Date.now() + 60_000;
    const runners = [start(from, spec, cutoff), start(from, spec, cutoff)];
    for (const point of [500, 2_500, 5_000, 7_500]) {
      await until(async () => (await readShardProgress(ctx, { name: from }, spec.id)).moved >= point, {
        what: `${point} jobs to be moved`,
        timeoutMs: 120_000,
        everyMs: 1,
      });
      await server.kill();
      await server.restart();
    }
    await Promise.all(runners.map((runner) => runner.prints(/over/, 120_000)));
    // Each connection finds its own way back: the runners may be over before this one has.
    const ended = await until(() => readShardProgress(ctx, { name: from }, spec.id), {
      what: 'Redis to be back here',
      timeoutMs: 20_000,
    });
    expect(ended).toMatchObject({ status: 'done', moved: count, skipped: 0 });
    soundly(await readRaw(redis, keys, from));
    const raw = soundly(await readRaw(redis, keys, to));
    expect(raw.states.get('ready')?.size).toBe(count);
    expect(linesOf(raw, 'moved')).toEqual([1]);
  });
});
