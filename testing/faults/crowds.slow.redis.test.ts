/**
 * Numbers at which other brokers stalled or broke, by the numbers of docs/bug-catalogue.md: what a script touches is bounded,
 * however long the queue is and however much is asked for at once.
 */
import { describe, expect, it } from 'vitest';
import type { ScriptName } from '@/lib/broker/lua.generated';
import { readRaw, violations } from '@/testing/model/invariants';
import { watchScripts } from '@/testing/model/watch-scripts';
import { operate, startOperation } from '@/testing/worlds/operation-runs';
import { BY, CRASH, claimAll, enqueueAll, failure, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

/** What a call may ask of one script … */
const ASKED_MAX = 500;
/** … and what else it may deal with on its way: due jobs, ended pauses, tenants with room again, history past its limit. */
const UPKEEP_MAX: Partial<Record<ScriptName, number>> = { claim: 300, exchange: 750 };

const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const sound = async (queue: string) =>
  expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);

/** All that can be done to a queue, each at its largest, with thousands waiting for it to happen. */
async function everything(queue: string, crowd: number): Promise<void> {
  const { broker, clock } = world;
  await enqueueAll(broker, queue, jobs(crowd));
  await enqueueAll(broker, queue, jobs(1_000, 100_000, { delayMs: 1_000 }));
  await enqueueAll(broker, queue, jobs(1_000, 110_000, { tenantId: 'slow', priority: 5 }));
  await broker.pause(queue, { scope: 'tenant:slow', reason: 'a test', forMs: 1_000 }, BY);
  const held = await claimAll(broker, queue, { most: 3_000 });
  const again = { ...failure('X', 'retryable' as const), retryInMs: 1_000 };
  await broker.fail(
    queue,
    held.slice(0, 1_000).map((job) => ({ ...job, failure: again })),
  );
  clock.now += 2_000;
  await broker.maintain(queue);
  await broker.extend(queue, held.slice(1_000, 2_000), 20_000);
  await broker.ack(queue, held.slice(1_000, 2_000));
  await broker.exchange(queue, held.slice(2_000, 2_500), { worker: 'w2', count: 500 });
  await broker.release(queue, held.slice(2_500, 2_700));
  await broker.reclaimWorker(queue, 'w2', CRASH);
  await broker.config.change(queue, { tenantLimit: { concurrency: 5_000 }, completedKeep: 10 }, BY);
  clock.now += 60_000;
  await broker.reclaim(queue);
  await broker.maintain(queue);
  const last = await claimAll(broker, queue, { most: 1_000 });
  await broker.fail(
    queue,
    last.map((job) => ({ ...job, failure: failure() })),
  );
  const dead = last.map((job) => job.jobId);
  await broker.suppress(queue, dead.slice(0, 300), BY);
  await broker.restore(queue, dead.slice(0, 300), BY);
  await broker.redrive(queue, dead.slice(0, 300), BY);
  await broker.purge(queue, dead.slice(300, 600), BY);
  await broker.config.change(
    queue,
    { deadKeepMs: 60_000, trashGraceMs: 1_000, completedKeepBytes: 1_024 },
    BY,
  );
  const { id } = await startOperation(broker, { kind: 'purge', q: `queue:${queue}` });
  for (let n = 0; n < 20 && (await broker.operations.runSlice(id, 'r1')).operation.status === 'running'; n++);
  clock.now += 120_000;
  await broker.maintain(queue);
  await broker.cancel(queue, names(500), BY);
  await broker.remove(queue, names(500));
  await broker.promote(queue, names(500, 100_000), BY);
  await broker.inspect.snapshot([queue]);
  for (const state of ['ready', 'dead', 'completed'] as const)
    await broker.inspect.list(queue, { state, limit: 500 });
  await broker.inspect.search({ state: 'dead', q: 'type:demo tenant:default', queue }, { limit: 500 });
  await broker.inspect.search({ state: 'ready', q: '"demo"', queue }, { limit: 500 });
  await broker.inspect.facets({ q: 'age:>1s', queue });
  await broker.inspect.groups({ q: '' });
  await broker.inspect.job(queue, 'j002999').catch(() => undefined);
  await sound(queue);
}

describe('invariant 21', () => {
  it('a script takes what it was asked for, and a bounded number besides, by its own account to Redis', {
    timeout: 60_000,
  }, async () => {
    const watch = await watchScripts(world);
    await everything(world.freshQueue(), 5_000);
    for (const [name, { jobs: touched, calls }] of await watch.stop())
      expect(touched, `${name}, the largest of ${calls}`).toBeLessThanOrEqual(
        ASKED_MAX + (UPKEEP_MAX[name] ?? 0),
      );
  });

  it('B7: does no more commands on a queue of 20,000 than on one of 2,000', { timeout: 60_000 }, async () => {
    const measure = async (crowd: number) => {
      const queue = world.freshQueue();
      await enqueueAll(world.broker, queue, jobs(crowd));
      await killAll(world.broker, queue, jobs(crowd / 2, 200_000, { priority: 9 }));
      await world.broker.maintain(queue);
      const watch = await watchScripts(world);
      await enqueueAll(world.broker, queue, jobs(100, 300_000));
      const held = await claimAll(world.broker, queue, { most: 100 });
      await world.broker.ack(queue, held);
      await world.broker.maintain(queue);
      await world.broker.inspect.snapshot([queue]);
      await world.broker.inspect.facets({ q: '', queue });
      await world.broker.redrive(queue, names(20, 200_000), BY);
      await world.broker.cancel(queue, names(20, 300_050), BY);
      await world.broker.remove(queue, names(20, 300_080));
      await world.broker.enqueue(queue, { jobType: 'demo' });
      return [...(await watch.stop())].map(([name, { commands, calls }]) => [name, commands, calls]);
    };
    expect(await measure(20_000)).toEqual(await measure(2_000));
  });

  it('B7: with 100,000 jobs waiting, nothing is in the slow log', { timeout: 60_000 }, async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(100_000));
    await killAll(world.broker, world.freshQueue(), jobs(5_000, 200_000));
    // What walks through 100,000 entries takes several times this; a script that is only interrupted by others does not.
    await world.redis.config('SET', 'slowlog-log-slower-than', '50000');
    const slow: string[][] = [];
    for (let round = 0; round < 5; round++) {
      await world.redis.slowlog('RESET');
      const held = await claimAll(world.broker, queue, { most: 500 });
      await world.broker.ack(queue, held.slice(0, 300));
      await world.broker.release(queue, held.slice(300, 400));
      await world.broker.reclaimWorker(queue, 'w1', CRASH);
      await world.broker.maintain(queue);
      await world.broker.inspect.snapshot([queue]);
      await world.broker.inspect.list(queue, { state: 'ready', limit: 500 });
      await world.broker.inspect.search({ state: 'dead', q: '' }, { limit: 200 });
      await world.broker.pause(queue, { scope: 'tenant:default', reason: 'a test' }, BY);
      await claimAll(world.broker, queue);
      await world.broker.resume(queue, 'tenant:default', BY);
      const log = (await world.redis.slowlog('GET', 50)) as [number, number, number, string[]][];
      slow.push(log.map(([, , , [command, sha]]) => `${command} ${sha}`));
    }
    // The log goes by the clock on the wall, so a stall of the machine is in it, too: what walks is in it every time.
    expect(slow[0]?.filter((one) => slow.every((round) => round.includes(one)))).toEqual([]);
  });

  it('B7: a page of jobs with long histories costs no more than reading them', {
    timeout: 60_000,
  }, async () => {
    const queue = world.freshQueue();
    const long = {
      ...failure('LONG', 'retryable'),
      message: 'm'.repeat(4_000),
      stack: 's'.repeat(8_000),
      retryInMs: 1,
    };
    await enqueueAll(world.broker, queue, jobs(50));
    for (let round = 0; round < 2; round++) {
      const held = await claimAll(world.broker, queue);
      await world.broker.fail(
        queue,
        held.map((job) => ({ ...job, failure: long })),
      );
      world.clock.now += 10;
    }
    await world.redis.config('SET', 'slowlog-log-slower-than', '50000');
    const slow: number[] = [];
    for (let round = 0; round < 3; round++) {
      await world.redis.slowlog('RESET');
      const page = await world.broker.inspect.list(queue, { state: 'retry', limit: 500 });
      expect(page.jobs).toHaveLength(50);
      slow.push(Number(await world.redis.slowlog('LEN')));
    }
    expect(Math.min(...slow)).toBe(0);
  });
});

describe('B8: more than a Lua stack holds', () => {
  it.each([7_999, 8_000, 20_000])(
    '%i dead jobs are purged, by hand and in bulk, and gone in the end',
    {
      timeout: 60_000,
    },
    async (count) => {
      const queue = world.freshQueue();
      await killAll(world.broker, queue, jobs(count));
      for (let from = 0; from < 2_000; from += 1_000)
        expect(await world.broker.purge(queue, names(1_000, from), BY)).toEqual(new Array(1_000).fill('ok'));
      const { moved } = await operate(world.broker, { kind: 'purge', q: `queue:${queue} class:permanent` });
      expect(moved).toBe(count - 2_000);
      await sound(queue);
      world.clock.now += 3_600_000;
      let gone = 0;
      while (gone < count) {
        const { expired } = await world.broker.maintain(queue);
        expect(expired).toBeGreaterThan(0);
        gone += expired;
      }
      expect(await world.redis.hlen(world.column(queue, 'jobs'))).toBe(0);
      await sound(queue);
    },
  );

  it.each([7_999, 8_000, 20_000])(
    '%i jobs that fall due together are promoted',
    { timeout: 60_000 },
    async (count) => {
      const queue = world.freshQueue();
      await enqueueAll(world.broker, queue, jobs(count, 0, { delayMs: 1_000 }));
      world.clock.now += 1_000;
      let promoted = 0;
      while (promoted < count) {
        const result = await world.broker.maintain(queue);
        expect(result.promoted).toBeGreaterThan(0);
        promoted += result.promoted;
      }
      expect(promoted).toBe(count);
      await sound(queue);
    },
  );
});

describe('B6: a bulk purge of thousands', () => {
  it('goes in steps of a few hundred, lets others through between them, and stops when told', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(20_000));
    await enqueueAll(world.broker, queue, jobs(400, 50_000));
    const { id } = await startOperation(world.broker, { kind: 'purge', q: `queue:${queue}` });
    let done = false;
    let claimed = 0;
    const working = (async () => {
      const worker = world.another();
      while (!done) {
        const { jobs: taken } = await worker.claim(queue, { worker: 'w1', count: 1 });
        await worker.ack(queue, taken);
        claimed += taken.length;
      }
    })();
    let before = 0;
    for (let step = 0; step < 40; step++) {
      const { moved } = (await world.broker.operations.runSlice(id, 'r1', { sliceMs: 0 })).operation;
      expect(moved - before).toBeLessThanOrEqual(500);
      before = moved;
    }
    const { moved } = await world.broker.operations.act(id, 'cancel', BY);
    expect((await world.another().operations.runSlice(id, 'r2')).operation.status).toBe('cancelled');
    done = true;
    await working;
    expect(claimed, 'others were served all the while').toBeGreaterThan(20);
    expect(moved).toBe(before);
    expect(await world.redis.zcard(world.column(queue, 'trash'))).toBe(moved);
    expect(await world.redis.zcard(world.column(queue, 'dead'))).toBe(20_000 - moved);
    await sound(queue);
  });
});
