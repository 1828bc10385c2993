/** Redis frozen, full, restarted, forgetful: every call ends with a designed answer, and work goes on afterwards. */
import { describe, expect, it } from 'vitest';
import { checkServer } from '@/lib/broker/redis/server-check';
import { readRaw, violations } from '@/testing/model/invariants';
import { until } from '@/testing/poll';
import {
  BY,
  CRASH,
  claimAll,
  claimOne,
  enqueueAll,
  failure,
  impatient,
  jobs,
  killAll,
  openWorld,
  setUpWorld,
  stateOf,
  type World,
} from '@/testing/worlds/world';

const world = await setUpWorld();

const JOB = 'j000000';
const sound = async (queue: string, where = world) =>
  expect(violations(await readRaw(where.redis, where.keys, queue))).toEqual([]);

/** A script that Redis does not know yet costs a second round trip, which a lost reply would cut short. */
async function knowScripts(broker: World['broker']): Promise<void> {
  const queue = world.freshQueue();
  await killAll(broker, queue, jobs(1));
  await enqueueAll(broker, queue, jobs(1, 1));
  const job = await claimOne(broker, queue);
  await broker.claim(queue, { worker: 'w', nonce: 'NOBODYSNONCE' });
  await broker.release(queue, [job]);
  await broker.ack(queue, [job]);
  await broker.abandon(queue, 'NOBODYSNONCE');
}

describe('a frozen Redis', () => {
  it('ends each call as an unknown outcome at its deadline; sent again, each counts once', async () => {
    const queue = world.freshQueue();
    const redis = impatient(world.server.path, 150);
    const broker = world.another({ redis });
    await knowScripts(world.broker);
    await enqueueAll(world.broker, queue, jobs(6));
    const [acked, failed, released] = await claimAll(world.broker, queue, { most: 4 });
    // A process that has worked on the queue knows its shards and its retry rules; one that has not asks for them first.
    await until(() => broker.enqueueMany(queue, jobs(6)), { what: 'the shards to be known' });
    await until(() => broker.retryRules(queue), { what: 'the rules to be known' });
    if (!acked || !failed || !released) throw new Error('six jobs were there');
    const calls = [
      () => broker.enqueueMany(queue, jobs(1, 10)),
      () => broker.ack(queue, [acked]),
      () => broker.fail(queue, [{ ...failed, failure: failure() }]),
      () => broker.release(queue, [released]),
      () => broker.claim(queue, { worker: 'w2', count: 2, nonce: 'LOSTREPLY00' }),
    ];
    await world.server.kill('SIGSTOP');
    const outcomes = await Promise.allSettled(calls.map((call) => call()));
    await world.server.kill('SIGCONT');
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'UNKNOWN_OUTCOME' } });
    // The reply to the claim is lost, so what it took is given back, with its attempt.
    const { broker: patient } = world;
    const taken = await patient.abandon(queue, 'LOSTREPLY00');
    expect(await patient.abandon(queue, 'LOSTREPLY00')).toBe(0);
    expect(taken).toBe(2);
    expect((await patient.enqueueMany(queue, jobs(1, 10)))[0]?.outcome).toBe('duplicate');
    expect(await patient.ack(queue, [acked])).toEqual(['already']);
    expect(await patient.fail(queue, [{ ...failed, failure: failure() }])).toEqual(['already']);
    expect(await patient.inspect.ledger(queue)).toMatchObject({ enqueued: 7, difference: 0, strayRows: 0 });
    await sound(queue);
    for (const job of await claimAll(patient, queue, { worker: 'w3' })) {
      expect(job.attempt).toBe(1);
      expect(await patient.ack(queue, [job])).toEqual(['completed']);
    }
    redis.disconnect();
  });

  it('wakes a waiting worker once it runs again', async () => {
    const queue = world.freshQueue();
    const waiter = world.broker.waiter();
    const woken = waiter.wait([queue], 10_000);
    await until(async () => /blocked_clients:1/.test(await world.redis.info('clients')), {
      what: 'the waiter to block',
    });
    await world.server.kill('SIGSTOP');
    const sent = world.broker.enqueueMany(queue, jobs(1));
    await world.server.kill('SIGCONT');
    await sent;
    expect(await woken).toBe(queue);
    waiter.close();
  });
});

describe('B27: a forgotten script cache', () => {
  it('is not noticed, between calls or during them', async () => {
    const queue = world.freshQueue();
    let done = false;
    let flushes = 0;
    const flushing = (async () => {
      while (!done) {
        await world.redis.script('FLUSH');
        flushes += 1;
      }
    })();
    const brokers = [world.another(), world.another(), world.another()];
    await Promise.all(
      brokers.map(async (broker, b) => {
        for (let i = 0; i < 40; i++) {
          await broker.enqueueMany(queue, jobs(2, b * 1_000 + i * 2));
          const { jobs: taken } = await broker.claim(queue, { worker: `w${b}`, count: 2 });
          await broker.ack(queue, taken.slice(0, 1));
          await broker.release(queue, taken.slice(1));
          await broker.inspect.snapshot([queue, 'another']);
          await broker.maintain(queue);
        }
      }),
    );
    done = true;
    await flushing;
    expect(flushes).toBeGreaterThan(20);
    await sound(queue);
  });
});

describe('a full Redis', () => {
  it('refuses new jobs and changes nothing, while what runs can be ended, kept alive and taken back', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(9));
    await killAll(world.broker, world.freshQueue(), jobs(1));
    const held = await claimAll(world.broker, queue, { most: 7 });
    const [acked, failed, retried, released, extended, lost] = held;
    if (!acked || !failed || !retried || !released || !extended || !lost)
      throw new Error('seven jobs were there');
    const before = await world.broker.inspect.ledger(queue);
    await world.redis.config('SET', 'maxmemory', '1');
    try {
      await expect(world.broker.enqueueMany(queue, jobs(5, 100))).rejects.toMatchObject({
        code: 'REDIS_FULL',
      });
      expect(await world.broker.inspect.ledger(queue)).toEqual(before);
      expect(await world.broker.extend(queue, [extended], 60_000)).toEqual(['extended']);
      expect(await world.broker.ack(queue, [acked])).toEqual(['completed']);
      const retry = { ...failure('X', 'retryable'), retryInMs: 1 };
      expect(
        await world.broker.fail(queue, [
          { ...failed, failure: failure() },
          { ...retried, failure: retry },
        ]),
      ).toEqual(['dead', 'retry']);
      expect(await world.broker.release(queue, [released])).toEqual(['released']);
      world.clock.now += 15_000;
      expect(await world.broker.reclaim(queue)).toEqual({ returned: 2, died: 0 });
      expect(await world.broker.maintain(queue)).toMatchObject({ promoted: 1 });
      expect(await world.broker.maintain(queue)).toMatchObject({ promoted: 0, reclaimed: 0 });
      expect(await world.broker.reclaimWorker(queue, 'nobody', CRASH)).toMatchObject({ returned: 0 });
      expect(await world.broker.reclaimWorker(queue, 'w1', CRASH)).toMatchObject({ returned: 1 });
      expect(await world.broker.purge(queue, [failed.jobId], BY)).toEqual(['ok']);
      expect(await world.broker.restore(queue, [failed.jobId], BY)).toEqual(['ok']);
      expect(await world.broker.redrive(queue, [failed.jobId], BY)).toEqual(['ok']);
      expect(await world.broker.remove(queue, [failed.jobId])).toEqual(['ok']);
      const next = await claimOne(world.broker, queue, 'w2');
      expect(await world.broker.cancel(queue, [next.jobId], BY)).toEqual(['ok']);
    } finally {
      await world.redis.config('SET', 'maxmemory', '0');
    }
    await sound(queue);
    expect((await world.broker.enqueueMany(queue, jobs(5, 100))).map((result) => result.outcome)).toEqual(
      Array(5).fill('ready'),
    );
  });

  it('lets a pause be ended', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(2));
    await world.broker.pause(queue, { scope: 'tenant:default', reason: 'a test' }, BY);
    await claimAll(world.broker, queue);
    await world.redis.config('SET', 'maxmemory', '1');
    try {
      expect(await world.broker.resume(queue, 'tenant:default')).toBe(true);
      expect(await claimAll(world.broker, queue)).toHaveLength(2);
    } finally {
      await world.redis.config('SET', 'maxmemory', '0');
    }
    await sound(queue);
  });
});

describe('an unsafe Redis', () => {
  it.each(['allkeys-lru', 'volatile-ttl', 'allkeys-random'])(
    'with %s is refused, and says how to mend it',
    async (policy) => {
      const broker = world.another();
      await world.redis.config('SET', 'maxmemory-policy', policy);
      try {
        const queue = world.freshQueue();
        await expect(broker.enqueueMany(queue, jobs(1))).rejects.toMatchObject({
          code: 'REDIS_UNSAFE',
          message: expect.stringMatching(new RegExp(`${policy}.*CONFIG SET maxmemory-policy noeviction`)),
        });
        expect(await world.redis.exists(world.column(queue, 'jobs'))).toBe(0);
        await expect(
          world.another({ allowEviction: true }).enqueueMany(queue, jobs(1)),
        ).resolves.toHaveLength(1);
      } finally {
        await world.redis.config('SET', 'maxmemory-policy', 'noeviction');
      }
      // Mended while it ran: the same broker asks again.
      await expect(broker.ready()).resolves.toHaveProperty('version');
    },
  );

  it.each([
    ['6.0.16', false],
    ['5.0.7', false],
    ['', false],
    ['6.2.0', true],
    ['7.0.15', true],
    ['8.0.1', true],
    ['10.0.0', true],
  ])('of version %s: taken %s', async (version, taken) => {
    const server = {
      info: async () => `# Server\r\nredis_version:${version}\r\nmaxmemory_policy:noeviction\r\n`,
      call: async () => 'id=1 db=0 user=default',
      options: {},
    };
    const checked = checkServer(server as unknown as Parameters<typeof checkServer>[0], false);
    if (taken) await expect(checked).resolves.toEqual({ version });
    else
      await expect(checked).rejects.toMatchObject({
        code: 'REDIS_UNSAFE',
        message: expect.stringContaining('6.2 or newer'),
      });
  });
});

describe('a restarted Redis', () => {
  it('that was killed comes back with every job where it was, and old claims still count', async () => {
    const durable = await openWorld(['--appendonly', 'yes', '--appendfsync', 'always']);
    try {
      const queue = durable.freshQueue();
      await enqueueAll(durable.broker, queue, jobs(500));
      const held = await claimAll(durable.broker, queue, { most: 100 });
      await durable.broker.ack(queue, held.slice(0, 40));
      await durable.broker.fail(
        queue,
        held.slice(40, 60).map((job) => ({ ...job, failure: failure() })),
      );
      const before = await durable.broker.inspect.snapshot([queue]);
      await durable.server.kill('SIGKILL');
      const away = await durable.broker
        .enqueueMany(queue, jobs(1, 900))
        .catch((error: { code: string }) => error.code);
      expect(['REDIS_UNAVAILABLE', 'UNKNOWN_OUTCOME']).toContain(away);
      await durable.server.restart();
      await until(() => durable.broker.ready(), { what: 'the broker to find Redis again' });
      const after = await until(() => durable.broker.inspect.snapshot([queue]), { what: 'a snapshot' });
      expect(after).toEqual(before);
      expect(await durable.broker.ack(queue, held.slice(60, 61))).toEqual(['completed']);
      expect(await durable.broker.ack(queue, held.slice(0, 1))).toEqual(['already']);
      expect(await stateOf(durable.broker, queue, JOB)).toBe('completed');
      await sound(queue, durable);
    } finally {
      await durable.close();
    }
  });
});
