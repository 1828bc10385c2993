/** Runners die, stall and race; Redis itself goes away and comes back. The set that was confirmed is worked off all the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readShardProgress } from '@/lib/broker/operations/kinds/shard-progress';
import { runSlice } from '@/lib/broker/operations/runner/run-slice';
import { LEASE_MS } from '@/lib/broker/operations/runner/runner-state';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { createBroker } from '@/testing/create-broker';
import { readRaw, violations } from '@/testing/model/invariants';
import { until } from '@/testing/poll';
import { contextOf } from '@/testing/worlds/operation-chunks';
import { startOperation } from '@/testing/worlds/operation-runs';
import { BY, jobs, killAll, openWorld, type World } from '@/testing/worlds/world';

const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');

describe('a runner that dies', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  const step = (id: string, runner: string) =>
    world.another().operations.runSlice(id, runner, { sliceMs: 0 });

  it('is missed for the length of its lease, not longer, and not at once', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(900));
    const { id } = await startOperation(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    const { moved } = (await step(id, 'dies')).operation;
    expect(moved).toBeGreaterThan(0);
    world.clock.now += LEASE_MS - 1;
    const early = await step(id, 'next');
    expect(early.operation.moved).toBe(moved);
    expect(early.waitMs).toBeGreaterThan(0);
    world.clock.now += 1;
    const { operation } = await step(id, 'next');
    expect(operation.moved).toBeGreaterThan(moved);
    expect(operation.events.map(({ type: what }) => what)).toContain('taken-over');
    // With a patrol every two seconds, and a waiting runner that looks every second, that is well within ten.
    expect(LEASE_MS).toBeLessThanOrEqual(8_000);
    await world.broker.operations.act(id, 'cancel', BY);
  });

  it('in the middle of a canary leaves it to the next, who moves no job beyond it', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(200));
    const { id } = await startOperation(
      world.broker,
      { kind: 'redrive', q: `queue:${queue}` },
      {
        control: {
          canary: { jobs: 50, maxDiedAgain: 0, waitMs: 600_000 },
          rate: { perSecond: 20, keepReadyBelow: null },
        },
      },
    );
    for (let i = 0; i < 12; i++) {
      world.clock.now += LEASE_MS + 1;
      await step(id, `r${i}`);
      expect(await world.redis.zcard(world.column(queue, 'ready'))).toBeLessThanOrEqual(50);
    }
    world.clock.now += LEASE_MS + 1;
    const { operation } = await step(id, 'last');
    expect(operation).toMatchObject({ status: 'running', phase: 'canary-wait', moved: 50 });
    await world.broker.operations.act(id, 'cancel', BY);
  });

  it('is not ended by a script that fails at once: the operation says so and goes on', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(5));
    const { id } = await startOperation(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    const own = contextOf(world);
    let fails = true;
    const shaky: ShardedContext = {
      ...own,
      run: (...call) =>
        fails && call[0] === 'redrive' ? Promise.reject(new Error('not now')) : own.run(...call),
    };
    const unheard: unknown[] = [];
    const hear = (error: unknown) => unheard.push(error);
    process.on('unhandledRejection', hear);
    try {
      const { operation } = await runSlice(shaky, id, 'r1', { sliceMs: 0 });
      expect(operation).toMatchObject({ status: 'running', trouble: expect.stringContaining('not now') });
      await new Promise(setImmediate);
      expect(unheard).toEqual([]);
    } finally {
      process.off('unhandledRejection', hear);
    }
    fails = false;
    const { status, moved } = await until(
      async () => {
        const { operation } = await runSlice(shaky, id, 'r1');
        return operation.status === 'running' ? null : operation;
      },
      { what: 'the operation to end', timeoutMs: 10_000 },
    );
    expect({ status, moved }).toEqual({ status: 'completed', moved: 5 });
  });

  it.each(['a person', 'itself'])(
    'whose call was not answered, and that is paused by %s then, says how much it moved',
    async (who) => {
      const queue = world.freshQueue();
      await killAll(world.broker, queue, jobs(300));
      const by = { ...BY, actorId: 'local:ann', method: 'local' as const, reason: 'a test' };
      const { id } = await startOperation(world.broker, { kind: 'purge', q: `queue:${queue}` }, { by });
      const own = contextOf(world);
      let calls = 0;
      const shaky: ShardedContext = {
        ...own,
        run: async (...call) => {
          if (call[0] !== 'set-aside') return own.run(...call);
          calls += 1;
          if (calls > 6) throw new Error('not now');
          const last = calls === 6;
          const reply = await own.run(...call);
          if (last) throw new Error('the reply was lost');
          return reply;
        },
      };
      const may = { sliceMs: 0, checkAuthorization: async () => ({ ok: true as const }) };
      await runSlice(shaky, id, 'r1', may);
      if (who === 'a person') await world.broker.operations.act(id, 'pause', BY);
      // It asks again before it asks the place again.
      const no = async () => ({ ok: false as const, sentence: 'Ann may no longer purge.' });
      const operation = await until(
        async () => {
          const stepped = await runSlice(shaky, id, 'r1', { ...may, checkAuthorization: no });
          return stepped.operation.status === 'paused' ? stepped.operation : null;
        },
        { what: 'the operation to be paused', timeoutMs: 20_000 },
      );
      const { moved } = await readShardProgress(own, { name: queue }, id);
      // Ten to forty jobs a script.
      expect(moved).toBeGreaterThanOrEqual(60);
      expect(moved).toBeLessThan(300);
      expect(operation.moved).toBe(moved);
      await world.broker.operations.act(id, 'cancel', BY);
    },
  );

  it('after cancelling one place of two leaves the rest of the cancellation to the next', async () => {
    const [one, two] = [world.freshQueue(), world.freshQueue()];
    for (const queue of [one, two]) await killAll(world.broker, queue, jobs(300));
    const { id } = await startOperation(world.broker, { kind: 'purge', q: `queue:${one} OR queue:${two}` });
    const { moved } = (await step(id, 'r1')).operation;
    // One of the two does not answer: its keys are of another type for now.
    await world.redis.rename(world.column(two, 'operations'), 'aside').catch(() => undefined);
    await world.redis.set(world.column(two, 'operations'), 'not a hash');
    const cancelling = await world.broker.operations.act(id, 'cancel', BY);
    expect(cancelling).toMatchObject({ status: 'running', trouble: expect.stringContaining(two) });
    expect((await step(id, 'r1')).operation.moved).toBe(moved);
    await world.redis.del(world.column(two, 'operations'));
    world.clock.now += LEASE_MS + 1;
    expect((await step(id, 'r2')).operation).toMatchObject({ status: 'cancelled', moved, trouble: null });
  });
});

it('Redis that is killed and comes back with its log costs an operation nothing', async () => {
  const world = await openWorld(['--appendonly', 'yes', '--appendfsync', 'always']);
  try {
    const queue = world.freshQueue();
    const COUNT = 6_000;
    await killAll(world.broker, queue, jobs(COUNT));
    const { id } = await startOperation(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    let restarts = 0;
    const runner = createBroker({ url: world.server.path, clock: () => world.clock.now });
    const done = (async () => {
      for (;;) {
        try {
          const { operation } = await runner.operations.runSlice(id, 'r1', { sliceMs: 5 });
          if (operation.status !== 'running') return operation;
        } catch {
          // As the console's runner: the faults of Redis pass.
          await until(() => world.redis.ping(), { what: 'Redis to be back', timeoutMs: 20_000 });
        }
      }
    })();
    while (restarts < 3) {
      const at = ((restarts + 1) * COUNT) / 5;
      await until(async () => (await world.redis.zcard(world.column(queue, 'ready'))) > at, {
        what: 'the operation to come so far',
        timeoutMs: 20_000,
        everyMs: 2,
      });
      await world.server.kill('SIGKILL');
      await world.server.restart();
      restarts += 1;
    }
    expect(await done).toMatchObject({ status: 'completed', moved: COUNT, skipped: 0 });
    runner.close();
    expect((await world.redis.zrange(world.column(queue, 'ready'), '0', '-1')).sort()).toEqual(names(COUNT));
    expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
    // Each connection finds its own way back: the runner may be over before this one has.
    await until(() => world.broker.ready(), { what: 'Redis to be back here', timeoutMs: 20_000 });
    const [shown] = await world.broker.inspect.snapshot([queue]);
    expect(shown?.totals.redriven).toBe(COUNT);
  } finally {
    await world.close();
  }
}, 120_000);
