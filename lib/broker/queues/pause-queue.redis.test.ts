/** While something is paused nothing of it is handed out, by whatever road it became ready; resuming loses nothing. */
import { describe, expect, it } from 'vitest';
import type { PauseScope } from '@/lib/contract/queues/pause-schemas';
import { readRaw, violations } from '@/testing/model/invariants';
import { startProxy } from '@/testing/worlds/network-proxy';
import { operate } from '@/testing/worlds/operation-runs';
import {
  BY,
  CRASH,
  claimAll,
  claimOne,
  enqueueAll,
  failure,
  ids,
  jobs,
  killAll,
  setUpWorld,
} from '@/testing/worlds/world';

const world = await setUpWorld();

const JOB = 'j000000';
const SCOPES: readonly PauseScope[] = ['queue', 'tenant:default', 'type:demo'];
const pause = (queue: string, scope: PauseScope, forMs?: number) =>
  world.broker.pause(queue, { scope, reason: 'a test', forMs }, BY);
const claimable = async (queue: string) => ids(await claimAll(world.broker, queue, { worker: 'w9' }));

/** Every road that leads into `ready`. Each leaves one job there, or on its way. */
const ROADS: Record<string, (queue: string, stop: () => Promise<void>) => Promise<void>> = {
  enqueue: async (queue, stop) => {
    await stop();
    await enqueueAll(world.broker, queue, jobs(1));
  },
  'waiting before the pause': async (queue, stop) => {
    await enqueueAll(world.broker, queue, jobs(1));
    await stop();
  },
  'a schedule that falls due': async (queue, stop) => {
    await enqueueAll(world.broker, queue, jobs(1, 0, { delayMs: 1_000 }));
    await stop();
    world.clock.now += 1_000;
    await world.broker.maintain(queue);
  },
  'a promotion by hand': async (queue, stop) => {
    await enqueueAll(world.broker, queue, jobs(1, 0, { delayMs: 1_000 }));
    await stop();
    expect(await world.broker.promote(queue, [JOB], BY)).toEqual(['ok']);
  },
  'a retry that falls due': async (queue, stop) => {
    await enqueueAll(world.broker, queue, jobs(1));
    const job = await claimOne(world.broker, queue);
    await stop();
    await world.broker.fail(queue, [{ ...job, failure: { ...failure('X', 'retryable'), retryInMs: 10 } }]);
    world.clock.now += 10;
  },
  'a release': async (queue, stop) => {
    await enqueueAll(world.broker, queue, jobs(1));
    const job = await claimOne(world.broker, queue);
    await stop();
    expect(await world.broker.release(queue, [job])).toEqual(['released']);
  },
  'an abandoned claim': async (queue, stop) => {
    await enqueueAll(world.broker, queue, jobs(1));
    await world.broker.claim(queue, { worker: 'w1', nonce: 'ABCDEFGH' });
    await stop();
    expect(await world.broker.abandon(queue, 'ABCDEFGH')).toBe(1);
  },
  'a lease that ran out': async (queue, stop) => {
    await enqueueAll(world.broker, queue, jobs(1));
    await claimOne(world.broker, queue);
    await stop();
    world.clock.now += 15_000;
    await world.broker.maintain(queue);
  },
  'a worker that died': async (queue, stop) => {
    await enqueueAll(world.broker, queue, jobs(1));
    await claimOne(world.broker, queue);
    await stop();
    await world.broker.reclaimWorker(queue, 'w1', CRASH);
  },
  'a re-drive': async (queue, stop) => {
    await killAll(world.broker, queue, jobs(1));
    await stop();
    expect(await world.broker.redrive(queue, [JOB], BY)).toEqual(['ok']);
  },
  'a bulk re-drive': async (queue, stop) => {
    await killAll(world.broker, queue, jobs(1));
    await stop();
    await operate(world.broker, { kind: 'redrive', q: `queue:${queue}` });
  },
};
const CASES = SCOPES.flatMap((scope) => Object.keys(ROADS).map((road) => ({ scope, road })));

describe('B14: a pause', () => {
  it.each(CASES)('of $scope stops what comes by $road, and resume lets it go', async ({ scope, road }) => {
    const queue = world.freshQueue();
    await ROADS[road]?.(queue, () => pause(queue, scope));
    expect(await claimable(queue)).toEqual([]);
    expect(await claimable(queue)).toEqual([]);
    expect(await world.broker.resume(queue, scope)).toBe(true);
    expect(await claimable(queue)).toEqual([JOB]);
    expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
  });

  it('lets others pass: only the tenant and the type that are paused are held, and counted', async () => {
    const queue = world.freshQueue();
    const mixed = jobs(12).map((job, i) => ({
      ...job,
      tenantId: `t${i % 3}`,
      jobType: i % 2 ? 'odd' : 'even',
    }));
    await enqueueAll(world.broker, queue, mixed);
    await pause(queue, 'tenant:t1');
    await pause(queue, 'type:odd');
    const passed = mixed
      .filter((job) => job.tenantId !== 't1' && job.jobType !== 'odd')
      .map((job) => job.jobId);
    expect(await claimable(queue)).toEqual(passed);
    const [shown] = await world.broker.inspect.snapshot([queue]);
    expect(shown?.counts.held).toBe(12 - passed.length);
    expect(shown?.ledger.difference).toBe(0);
    // Held for two reasons: freed by the one, still held by the other.
    expect(await world.broker.resume(queue, 'tenant:t1')).toBe(true);
    const evenT1 = mixed
      .filter((job) => job.tenantId === 't1' && job.jobType === 'even')
      .map((job) => job.jobId);
    expect(await claimable(queue)).toEqual(evenT1);
    await world.broker.resume(queue, 'type:odd');
    expect(await claimable(queue)).toEqual(
      mixed.filter((job) => job.jobType === 'odd').map((job) => job.jobId),
    );
  });

  it('pausing and resuming twice is pausing and resuming once', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(3));
    const since = world.clock.now;
    await pause(queue, 'queue');
    world.clock.now += 50;
    await pause(queue, 'queue');
    expect((await world.broker.inspect.snapshot([queue]))[0]?.pauses).toMatchObject([
      { scope: 'queue', since, until: null },
    ]);
    expect(await world.broker.resume(queue)).toBe(true);
    expect(await world.broker.resume(queue)).toBe(false);
    expect(await claimable(queue)).toHaveLength(3);
  });

  it.each(SCOPES)('of %s ends by itself at its time, and not before', async (scope) => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(3));
    await pause(queue, scope, 5_000);
    const held = await world.broker.claim(queue, { worker: 'w1' });
    expect([held.jobs.length, held.nextAt]).toEqual([0, world.clock.now + 5_000]);
    world.clock.now += 4_999;
    expect(await claimable(queue)).toEqual([]);
    world.clock.now += 1;
    expect(await claimable(queue)).toEqual(ids(jobs(3).map((job) => ({ jobId: job.jobId ?? '' }))));
    expect((await world.broker.inspect.snapshot([queue]))[0]?.pauses).toEqual([]);
  });

  it('is refused beyond 100 scopes, with a sentence', async () => {
    const queue = world.freshQueue();
    for (let i = 0; i < 100; i++) await pause(queue, `tenant:t${i}`);
    await expect(pause(queue, 'tenant:one-more')).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    await expect(pause(queue, 'tenant:t5')).resolves.toBeUndefined();
  });
});

it('M6: a pause that ended by itself gives its share back', async () => {
  const queue = world.freshQueue();
  const tina = { id: 'local:tina', name: 'tina', tenants: ['t'], isAdmin: false, seesAll: false };
  const by = { actor: 'tina', quotaOwner: tina };
  const pauseBy = (n: number, forMs?: number) =>
    world.broker.pause(queue, { scope: `tenant:t${n}`, reason: 'a test', forMs }, by);
  for (let n = 0; n < 25; n += 1) await pauseBy(n, n < 5 ? 1_000 : undefined);
  await expect(pauseBy(25)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  // Pausing the same again is no pause more.
  await pauseBy(24);
  world.clock.now += 1_000;
  await world.broker.maintain(queue);
  for (let n = 25; n < 30; n += 1) await pauseBy(n);
  await expect(pauseBy(30)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
});

describe('B14: thousands held', () => {
  /** 1,500 jobs of a paused tenant step aside; then the pause ends. */
  async function heldQueue(forMs?: number): Promise<string> {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1_500, 0, { tenantId: 'big' }));
    await pause(queue, 'tenant:big', forMs);
    while ((await world.broker.claim(queue, { worker: 'w1', count: 500 })).more);
    expect((await world.broker.inspect.snapshot([queue]))[0]?.counts).toMatchObject({
      ready: 0,
      held: 1_500,
    });
    return queue;
  }
  const line = jobs(1_500).map((job) => job.jobId);

  it('all come back in order when the pause ends by itself and only claims are made', async () => {
    const queue = await heldQueue(1_000);
    world.clock.now += 1_000;
    expect(await claimable(queue)).toEqual(line);
  });

  it('are not overtaken by jobs that arrive while they come back', async () => {
    const queue = await heldQueue(1_000);
    world.clock.now += 1_000;
    const order: string[] = [];
    for (let i = 0; i < 60 && order.length < 1_510; i++) {
      if (i < 10) await enqueueAll(world.broker, queue, jobs(1, 5_000 + i, { tenantId: 'big' }));
      order.push(...ids((await world.broker.claim(queue, { worker: 'w1', count: 40 })).jobs));
    }
    expect(order).toEqual([...line, ...jobs(10, 5_000).map((job) => job.jobId)]);
  });

  it('are not said to be unchanged when Redis refuses a later call of their resume', async () => {
    const queue = await heldQueue();
    let calls = 0;
    const proxy = await startProxy({ path: world.server.path }, (reply) =>
      reply === ':2\r\n' && ++calls === 2 ? '-NOREPLICAS Not enough good replicas to write.\r\n' : reply,
    );
    try {
      const broker = world.another({ url: `redis://127.0.0.1:${proxy.port}` });
      await broker.ready();
      await expect(broker.resume(queue, 'tenant:big', BY)).rejects.toMatchObject({
        code: 'UNKNOWN_OUTCOME',
        message: expect.stringMatching(/^(?!.*Nothing was).*\(NOREPLICAS\).*Send it again: that is safe/),
      });
      expect(proxy.rewritten).toBe(1);
      // Sent again, it does the rest.
      await broker.resume(queue, 'tenant:big', BY);
      expect(await claimable(queue)).toEqual(line);
    } finally {
      await proxy.close();
    }
  });

  it('come back by one resume, though workers claim all the while', async () => {
    const queue = await heldQueue();
    const order: string[] = [];
    let resumed = false;
    const claiming = (async () => {
      const broker = world.another();
      while (!resumed || order.length < 1_500)
        order.push(...ids((await broker.claim(queue, { worker: 'w1', count: 20 })).jobs));
    })();
    expect(await world.broker.resume(queue, 'tenant:big')).toBe(true);
    resumed = true;
    await claiming;
    expect(order).toEqual(line);
    expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
  });
});
