/** An emptied or exchanged Redis is noticed, and what runs enters itself anew. */
import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import type { BrokerOptions } from '@/lib/broker';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import {
  documentedUsers,
  makeDocumentedUsers,
  startRedis,
  startRedisOnPort,
  type TestRedis,
} from '@/testing/worlds/redis-server';
import { BY, jobs } from '@/testing/worlds/world';

const ID = 'rd:{.dataset}:id';
const WITHIN_MS = 2_000;
const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});
const stopping = <T extends TestRedis>(redis: T): T => {
  ending.push(() => redis.stop());
  return redis;
};
const brokerOn = (options: BrokerOptions): Broker => {
  const broker = createBroker(options);
  ending.push(() => broker.close());
  return broker;
};
const idIn = (admin: Redis) => until(() => admin.get(ID), { what: 'the id of the data' });
/** Enqueues one by one, whatever happens, until the end of the test. */
function fill(broker: Broker, queue: string): void {
  let stopped = false;
  const filling = (async () => {
    for (let i = 0; !stopped; i++) {
      await broker.enqueueMany(queue, jobs(1, i)).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  ending.push(() => {
    stopped = true;
    return filling;
  });
}
/** What is promised within two seconds. */
async function soon<T>(probe: () => T | Promise<T>, what: string): Promise<NonNullable<T>> {
  const startedAt = performance.now();
  const value = await until(probe, { what });
  await expectWithin(performance.now() - startedAt, WITHIN_MS);
  return value;
}

describe('F3: data that are gone', () => {
  it.each([
    ['FLUSHALL', (server: TestRedis) => server.connect().flushall()],
    ['FLUSHDB', (server: TestRedis) => server.connect().flushdb()],
    ['a restart without its data', (server: TestRedis) => server.restart()],
  ])(
    'F3: after %s a queue that fills is listed within two seconds, and its producer knows',
    async (_, lose) => {
      const server = stopping(await startRedis());
      const [producer, observer] = [brokerOn({ url: server.path }), brokerOn({ url: server.path })];
      fill(producer, 'orders');
      const admin = server.connect();
      const first = await idIn(admin);
      await until(async () => (await observer.inspect.queues()).includes('orders'), { what: 'the queue' });
      const before = Date.now();
      await lose(server);
      const lostAt = Date.now();
      await soon(
        async () => (await observer.inspect.queues()).includes('orders'),
        'the queue to be listed again',
      );
      const loss = await soon(() => producer.dataset.state().loss, 'the producer to notice');
      expect(loss).toMatchObject({ kind: 'emptied' });
      expect(loss.lastSeenAt).toBeGreaterThan(before - 2_000);
      expect(loss.lastSeenAt).toBeLessThanOrEqual(lostAt);
      expect(producer.dataset.state().losses).toBe(1);
      expect(await idIn(server.connect())).not.toBe(first);
    },
  );

  it('F3: one job entered right after it is enough for its queue to be listed', async () => {
    const server = stopping(await startRedis());
    const admin = server.connect();
    const producer = brokerOn({ url: server.path });
    for (let i = 0; i < 3; i++) {
      await producer.enqueueMany('orders', jobs(1, i));
      await idIn(admin);
      await admin.flushall();
      await producer.enqueueMany('orders', jobs(1, 10 + i));
      await soon(async () => (await admin.zscore('rd:queues', 'orders')) !== null, 'the queue to be listed');
    }
  });

  it('F3: a lost connection ends what was remembered of the registry, whatever the data', async () => {
    const server = stopping(await startRedis());
    const admin = server.connect();
    const producer = brokerOn({ url: server.path });
    await producer.enqueueMany('orders', jobs(1));
    await admin.zrem('rd:queues', 'orders');
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await until(() => producer.enqueueMany('orders', jobs(1, 1)), { what: 'the producer to be back' });
    expect(await admin.zscore('rd:queues', 'orders')).not.toBeNull();
  });

  it('F3: another server behind the address is told from one that was emptied', async () => {
    const first = await startRedisOnPort();
    const other = stopping(await startRedis());
    const port = first.url.split(':').at(-1) as string;
    await other.connect().set(ID, `${'b'.repeat(32)} ${Date.now() - 3_600_000}`);
    await other.connect().config('SET', 'bind', '127.0.0.1');
    const producer = brokerOn({ url: first.url });
    await producer.enqueueMany('orders', jobs(1));
    await idIn(first.connect());
    await producer.dataset.look();
    await first.stop();
    await other.connect().config('SET', 'port', port);
    fill(producer, 'orders');
    const loss = await until(() => producer.dataset.state().loss, { what: 'the loss' });
    expect(loss).toMatchObject({ kind: 'other' });
    // Theirs stays theirs.
    expect(await other.connect().get(ID)).toMatch(/^b{32} /);
  });

  it('F3: sharded queues stay sharded as they were, so no job lies where nobody looks', async () => {
    const server = stopping(await startRedis());
    const admin = server.connect();
    const [producer, observer] = [brokerOn({ url: server.path }), brokerOn({ url: server.path })];
    await producer.sharding.set('orders', { count: 8, by: 'id' }, BY);
    await producer.enqueueMany('orders', jobs(16));
    const first = await idIn(admin);
    await admin.flushall();
    // Placed by what is remembered.
    await producer.enqueueMany('orders', jobs(32, 100));
    await soon(async () => ![null, first].includes(await admin.get(ID)), 'a new id');
    await soon(async () => (await observer.sharding.get('orders')).count === 8, 'the record to be back');
    await producer.enqueueMany('orders', jobs(32, 200));
    const taken = new Set<string>();
    await until(
      async () => {
        const { jobs: found } = await observer.claim('orders', { worker: 'w1', count: 100 });
        for (const { jobId } of found) taken.add(jobId);
        return taken.size === 64;
      },
      { what: 'all of them to be claimed' },
    );
  });
});

describe('F3: looking at it', () => {
  it('F3: costs one command a second, however many jobs, and none while nothing is done', async () => {
    const server = stopping(await startRedis());
    const admin = server.connect();
    const producer = brokerOn({ url: server.path });
    await producer.enqueueMany('orders', jobs(1));
    await idIn(admin);
    await admin.config('RESETSTAT');
    const startedAt = performance.now();
    let sent = 0;
    await until(
      async () => {
        for (let i = 0; i < 100; i++) await producer.enqueueMany('orders', jobs(1, ++sent));
        return performance.now() - startedAt > 2_500;
      },
      { what: 'two and a half seconds', everyMs: 1 },
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    const gets = async () =>
      Number((await admin.info('commandstats')).match(/cmdstat_get:calls=(\d+)/)?.[1] ?? 0);
    const during = await gets();
    expect(sent).toBeGreaterThan(200);
    expect(during).toBeGreaterThanOrEqual(1);
    expect(during).toBeLessThanOrEqual(seconds + 1);
    const quietAt = performance.now();
    await until(() => performance.now() - quietAt > 2_200, { what: 'quiet', timeoutMs: 5_000 });
    expect(await gets()).toBeLessThanOrEqual(during + 1);
  });

  it('F3: is left alone by those who may not: they work as before', async () => {
    const server = stopping(await startRedis());
    const admin = server.connect();
    await makeDocumentedUsers(admin);
    await admin.call(
      'ACL',
      'SETUSER',
      'old',
      'on',
      '>x',
      '~rd:{email}:*',
      '~rd:queues',
      '~rd:{.queues}:*',
      '+@all',
    );
    const old = brokerOn({ url: `unix://old:x@${server.path}` });
    await old.enqueueMany('email', jobs(1));
    await old.dataset.look();
    expect(await admin.exists(ID)).toBe(0);
    // A viewer reads it, and makes none.
    const { password } = documentedUsers().find(({ user }) => user === 'viewer') ?? { password: '' };
    const viewer = brokerOn({ url: `unix://viewer:${password}@${server.path}` });
    await viewer.dataset.look();
    expect(await admin.exists(ID)).toBe(0);
    await brokerOn({ url: server.path }).dataset.look();
    await viewer.dataset.look();
    await admin.flushall();
    await viewer.dataset.look();
    expect(viewer.dataset.state().loss).toMatchObject({ kind: 'emptied' });
    await viewer.dataset.look();
    expect(viewer.dataset.state().losses).toBe(1);
  });
});
