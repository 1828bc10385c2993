/** Networks that go silent, hang up or swallow replies: every call ends, and work goes on afterwards. */
import { afterEach, describe, expect, it } from 'vitest';
import type { BrokerOptions } from '@/lib/broker';
import { openRedis } from '@/lib/broker/redis/redis-connection';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { startLoad, summary } from '@/testing/worlds/load';
import { startProxy, type TestProxy } from '@/testing/worlds/network-proxy';
import { startRedis, type TestRedis } from '@/testing/worlds/redis-server';
import { jobs } from '@/testing/worlds/world';

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});
const server = async (args: string[] = []): Promise<TestRedis> => {
  const redis = await startRedis(args);
  ending.push(() => redis.stop());
  return redis;
};
const brokerOn = (options: BrokerOptions): Broker => {
  const broker = createBroker(options);
  ending.push(() => broker.close());
  return broker;
};
const behindProxy = async (redis: TestRedis): Promise<{ proxy: TestProxy; url: string }> => {
  const proxy = await startProxy({ path: redis.path });
  ending.push(() => proxy.close());
  return { proxy, url: `redis://127.0.0.1:${proxy.port}` };
};
/** An outage has a length: the one thing here that is time itself. */
const lasts = (ms: number) => {
  const end = performance.now() + ms;
  return until(() => performance.now() >= end, { what: 'the outage to last', timeoutMs: ms + 2_000 });
};
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'no code',
  );

describe('B1 B2 a blocking wait through outages', () => {
  const BLOCK_MS = 1_000;
  const kinds = [
    ['a black hole', (proxy: TestProxy) => proxy.set('stall')],
    [
      'hung up, and nobody there',
      (proxy: TestProxy) => {
        proxy.set('refuse');
        proxy.reset();
      },
    ],
  ] as const;
  it.each(kinds.flatMap(([kind, begin]) => [0.5, 1, 2, 5].map((times) => [kind, times, begin] as const)))(
    '%s of %d × the block: the next job wakes it, on a connection that works',
    async (_, times, begin) => {
      const redis = await server();
      const { proxy, url } = await behindProxy(redis);
      const direct = brokerOn({ url: redis.path });
      const waiter = brokerOn({ url }).waiter();
      let woken = 0;
      let stopped = false;
      const waiting = (async () => {
        while (!stopped) {
          const askedAt = performance.now();
          if (await waiter.wait(['orders'], BLOCK_MS)) woken += 1;
          // As a worker does: one that is refused at once comes back a little later.
          else if (performance.now() - askedAt < 20) await new Promise((resolve) => setTimeout(resolve, 20));
        }
      })();
      await until(async () => /blocked_clients:1/.test(await redis.connect().info('clients')), {
        what: 'the waiter to block',
      });
      begin(proxy);
      await lasts(times * BLOCK_MS);
      proxy.set('pass');
      const healedAt = performance.now();
      // The token may go to a connection that is dead without Redis knowing; a later one must not.
      await until(
        async () => {
          await direct.enqueueMany('orders', jobs(1, Math.round(performance.now())));
          return woken > 0;
        },
        { what: 'a wake-up', everyMs: 50 },
      );
      await expectWithin(performance.now() - healedAt, 5_000);
      stopped = true;
      waiter.close();
      await waiting;
    },
  );
});

describe('B1 a worker behind a black hole', () => {
  it('is told so within the deadline, and runs a new job within seconds of the end', async () => {
    const redis = await server();
    const { proxy, url } = await behindProxy(redis);
    const direct = brokerOn({ url: redis.path });
    const behind = brokerOn({ url });
    const load = startLoad({ url, queues: ['orders'] });
    await until(() => load.runs > 20, { what: 'the load to run' });
    await behind.ready();
    proxy.set('stall');
    const startedAt = performance.now();
    // Silence ends the call at its deadline, and the connection with it: the next call is refused at once.
    expect(await codeOf(behind.enqueueMany('other', jobs(1)))).toBe('UNKNOWN_OUTCOME');
    await until(async () => (await codeOf(behind.enqueueMany('other', jobs(1)))) === 'REDIS_UNAVAILABLE', {
      what: 'the loss to be known',
    });
    await lasts(8_000 - (performance.now() - startedAt));
    proxy.set('pass');
    const healedAt = performance.now();
    await direct.enqueueMany('orders', [{ jobId: 'after', jobType: 'load', payload: '"after"' }]);
    await until(async () => (await direct.inspect.job('orders', 'after')).state === 'completed', {
      what: 'the job to run',
      timeoutMs: 10_000,
    });
    const healedMs = performance.now() - healedAt;
    const history = await load.finish();
    console.info(
      `8 s of black hole, next job run ${Math.round(healedMs)} ms after its end: ${summary(history)}`,
    );
    expect(history).toMatchObject({ lost: [], unknown: [] });
    expect(await direct.inspect.ledger('orders')).toMatchObject({ difference: 0, strayRows: 0 });
  });
});

describe('connections reset again and again', () => {
  it('lose nothing, and no call is left without an answer', async () => {
    const redis = await server();
    const { proxy, url } = await behindProxy(redis);
    const load = startLoad({ url, queues: ['orders', 'mail'] });
    for (let round = 0; round < 10; round++) {
      const before = load.acked;
      await until(() => load.acked > before + 10, { what: 'enqueues between resets', timeoutMs: 10_000 });
      proxy.reset();
    }
    const history = await load.finish();
    console.info(`10 resets: ${summary(history)}`);
    expect(history).toMatchObject({ lost: [], unexpected: [], unknown: [] });
    const direct = brokerOn({ url: redis.path });
    expect(await direct.inspect.ledger('orders')).toMatchObject({ difference: 0, strayRows: 0 });
  });
});

describe('a reply that is swallowed', () => {
  it('is an unknown outcome: the call is made once, is not sent again, and a resend finds what it did', async () => {
    const redis = await server();
    const { proxy, url } = await behindProxy(redis);
    const broker = brokerOn({ redis: ownedBy(openRedis(url, { commandTimeout: 400, socketTimeout: 600 })) });
    await until(() => broker.enqueueMany('orders', jobs(1)), { what: 'the first job to be in' });
    const calls = async () =>
      Number((await redis.connect().info('commandstats')).match(/cmdstat_evalsha:calls=(\d+)/)?.[1] ?? 0);
    const before = await calls();
    proxy.set('drop-replies');
    expect(await codeOf(broker.enqueueMany('orders', jobs(1, 1)))).toBe('UNKNOWN_OUTCOME');
    await until(async () => (await codeOf(broker.ready())) !== 'done', {
      what: 'the connection to be given up',
    });
    proxy.set('pass');
    proxy.reset();
    await until(() => broker.ready(), { what: 'the broker to be back' });
    expect(await calls()).toBe(before + 1);
    const direct = brokerOn({ url: redis.path });
    expect((await direct.enqueueMany('orders', jobs(1, 1)))[0]?.outcome).toBe('duplicate');
    expect((await direct.inspect.snapshot(['orders']))[0]?.counts.ready).toBe(2);
  });

  it('ends in time on a connection whose owner set no deadline', async () => {
    const redis = await server();
    const { proxy, url } = await behindProxy(redis);
    const { Redis } = await import('ioredis');
    const careless = new Redis(url);
    ending.push(() => careless.disconnect());
    const broker = brokerOn({ redis: careless });
    await broker.enqueueMany('orders', jobs(1));
    proxy.set('drop-replies');
    expect(await codeOf(broker.enqueueMany('orders', jobs(1, 1)))).toBe('UNKNOWN_OUTCOME');
  });
});
const ownedBy = <T extends { disconnect(): void }>(redis: T): T => {
  ending.push(() => redis.disconnect());
  return redis;
};
