/** A connection is where its address says, or it is refused: after each connect, reconnect and failover. */
import { Redis, type RedisOptions } from 'ioredis';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { BrokerOptions } from '@/lib/broker';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { startProxy } from '@/testing/worlds/network-proxy';
import { Processes } from '@/testing/worlds/processes';
import { type DataNode, startSentinels } from '@/testing/worlds/redis-sentinel';
import { startRedis, startRedisOnPort, type TestRedis } from '@/testing/worlds/redis-server';
import { jobs } from '@/testing/worlds/world';

const ending: (() => unknown)[] = [];
const processes = new Processes();
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});
afterAll(() => processes.stopAll());
const brokerOn = (options: BrokerOptions): Broker => {
  const broker = createBroker(options);
  ending.push(() => broker.close());
  return broker;
};
const stopping = <T extends TestRedis>(redis: T): T => {
  ending.push(() => redis.stop());
  return redis;
};
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'no code',
  );
/** As which user `app` may do all but what is given. */
const allow = (admin: Redis, ...rules: string[]) =>
  admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '&*', '+@all', ...rules);
const OUT_OF_RANGE = /names database 99, and this Redis does not open it: it has fewer databases/;
const NOT_ALLOWED = /names database 3, and this Redis does not open it: its user may not use SELECT/;

/** Enqueues on and on; what each call was answered. */
function hammer(broker: Broker) {
  const answers = new Set<string>();
  let stopped = false;
  let [sent, done] = [0, 0];
  const one = async () => {
    while (!stopped) {
      const answer = await codeOf(broker.enqueueMany('orders', jobs(1, sent++)));
      answers.add(answer);
      if (answer === 'done') done += 1;
      else await new Promise(setImmediate);
    }
  };
  const running = Promise.all([one(), one(), one()]);
  return {
    answers,
    done: () => done,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

describe('F1: a database that Redis refuses', () => {
  it('F1: is refused in a sentence, and nothing is written into database 0', async () => {
    const server = stopping(await startRedisOnPort());
    const admin = server.connect();
    await allow(admin, '-select');
    await brokerOn({ url: server.path }).enqueueMany('orders', jobs(1));
    // A broker records its data set beside its first call.
    await until(async () => (await admin.exists('rd:{.dataset}:id', 'rd:{.dataset}:formats')) === 2, {
      what: 'the data set to be recorded',
    });
    const writes = async () => /rdb_changes_since_last_save:(\d+)/.exec(await admin.info('persistence'))?.[1];
    const before = await writes();
    for (const [url, words] of [
      [`${server.url}/99`, OUT_OF_RANGE],
      [`unix://${server.path}?db=99`, OUT_OF_RANGE],
      [`unix://app:secret@${server.path}?db=3`, NOT_ALLOWED],
    ] as const) {
      const broker = brokerOn({ url });
      const waiter = broker.waiter();
      for (const call of [
        () => broker.ready(),
        () => broker.enqueueMany('orders', jobs(1, 7)),
        () => broker.claim('orders', { worker: 'w1' }),
        () => broker.inspect.queues(),
        () => broker.maintain('orders'),
      ])
        await expect(call()).rejects.toMatchObject({
          code: 'REDIS_UNSAFE',
          message: expect.stringMatching(words),
        });
      // The wake token of that queue lies in database 0.
      expect(await waiter.wait(['orders'], 300)).toBeNull();
    }
    expect(await writes()).toBe(before);
    expect(await admin.exists('rd:{orders}:wake')).toBe(1);
    await brokerOn({ url: `${server.url}/5` }).enqueueMany('orders', jobs(1));
    expect(await admin.info('keyspace')).toContain('db5:');
  });

  it('F1: after a reconnect is refused before any command, and taken again when it is allowed again', async () => {
    const server = stopping(await startRedis());
    const admin = server.connect();
    await allow(admin);
    const broker = brokerOn({ url: `unix://app:secret@${server.path}?db=3` });
    await broker.enqueueMany('first', jobs(1));
    const load = hammer(broker);
    await until(() => load.done() > 20, { what: 'the load to run' });
    await allow(admin, '-select');
    await admin.client('KILL', 'USER', 'app');
    await until(() => load.answers.has('REDIS_UNSAFE'), { what: 'the refusal' });
    const done = load.done();
    for (let i = 0; i < 5; i++) {
      await admin.client('KILL', 'USER', 'app');
      await until(async () => (await codeOf(broker.ready())) === 'REDIS_UNSAFE', { what: 'another refusal' });
    }
    expect(load.done()).toBe(done);
    expect(await admin.info('keyspace')).not.toContain('db0:');
    await allow(admin);
    await until(() => load.done() > done + 20, { what: 'work to go on', timeoutMs: 10_000 });
    await load.stop();
    expect([...load.answers].filter((one) => !/done|UNKNOWN_OUTCOME|REDIS_UN/.test(one))).toEqual([]);
    expect(await admin.info('keyspace')).not.toContain('db0:');
  });

  it('F1: by a server that was started again with fewer databases, too', async () => {
    const first = await startRedisOnPort();
    const broker = brokerOn({ url: `${first.url}/9` });
    const load = hammer(broker);
    await until(() => load.done() > 20, { what: 'the load to run' });
    await first.stop();
    const port = first.url.split(':').at(-1) as string;
    const second = stopping(await startRedis(['--port', port, '--databases', '4']));
    await until(() => load.answers.has('REDIS_UNSAFE'), { what: 'the refusal', timeoutMs: 10_000 });
    await load.stop();
    await expect(broker.ready()).rejects.toThrow(/names database 9, .*: it has fewer databases/);
    expect(await second.connect().dbsize()).toBe(0);
  });

  it('F1: by the master that a failover made, too', async () => {
    const sentinels = await startSentinels();
    ending.push(() => sentinels.stop());
    const first = await sentinels.master();
    const second = sentinels.nodes.find((node) => node !== first) as DataNode;
    await allow(first.redis);
    await allow(second.redis, '-select');
    const broker = brokerOn({ url: `${sentinels.url.replace('://', '://app:secret@')}?db=3` });
    const load = hammer(broker);
    await until(() => load.done() > 20, { what: 'the load to run', timeoutMs: 10_000 });
    await sentinels.failover();
    await until(() => load.answers.has('REDIS_UNSAFE'), { what: 'the refusal', timeoutMs: 20_000 });
    await expect(broker.ready()).rejects.toThrow(NOT_ALLOWED);
    expect(await second.redis.info('keyspace')).not.toContain('db0:');
    const done = load.done();
    await allow(second.redis);
    await until(() => load.done() > done, { what: 'work to go on', timeoutMs: 20_000 });
    await load.stop();
    expect(await second.redis.info('keyspace')).not.toContain('db0:');
  }, 60_000);

  it('F1: ends a worker process, with the sentence and exit code 1', async () => {
    const server = stopping(await startRedisOnPort());
    const worker = processes.node(['--import', 'tsx', 'worker/index.ts'], {
      name: 'the worker',
      env: { REDIS_URL: `${server.url}/16`, REDRIVE_LAB: 'on' },
    });
    await worker.prints(/names database 16, and this Redis does not open it/, 20_000);
    expect((await worker.exited).code).toBe(1);
    expect(await server.connect().dbsize()).toBe(0);
  }, 30_000);
});

describe('F1: a Redis that does not open a database now, and will', () => {
  it('F1: is away while a script keeps it BUSY, and is used when that is over', async () => {
    const server = stopping(await startRedis(['--busy-reply-threshold', '50']));
    const admin = server.connect();
    const running = server.connect().eval('while true do end', 0);
    const ended = codeOf(running);
    await until(
      () =>
        admin.ping().then(
          () => false,
          (error: Error) => error.message.startsWith('BUSY'),
        ),
      { what: 'Redis to be BUSY' },
    );
    for (const db of [0, 3]) {
      const broker = brokerOn({ url: `unix://${server.path}?db=${db}` });
      await expect(broker.ready(), `database ${db}`).rejects.toMatchObject({
        code: 'REDIS_UNAVAILABLE',
        message: expect.stringContaining('(BUSY)'),
      });
    }
    const broker = brokerOn({ url: `unix://${server.path}?db=3` });
    const codes = new Set<string>();
    const sent = broker.enqueueManyUntil('orders', jobs(1));
    for (let i = 0; i < 3; i++) codes.add(await codeOf(broker.ready()));
    await admin.script('KILL');
    await ended;
    expect((await sent)[0]?.outcome).toBe('ready');
    expect([...codes]).toEqual(['REDIS_UNAVAILABLE']);
    expect(await admin.info('keyspace')).not.toContain('db0:');
  });

  it('F1: is away while it takes no more clients', async () => {
    const server = stopping(await startRedisOnPort());
    const admin = server.connect();
    await admin.ping();
    await admin.config('SET', 'maxclients', '1');
    const broker = brokerOn({ url: `${server.url}/3` });
    await expect(broker.ready()).rejects.toMatchObject({ code: 'REDIS_UNAVAILABLE' });
    await admin.config('SET', 'maxclients', '100');
    await until(async () => (await codeOf(broker.ready())) === 'done', { what: 'room for a client' });
  });
});

describe('F1: a connection that the application brings', () => {
  const bring = (options: RedisOptions): Redis => {
    const redis = new Redis(options);
    redis.on('error', () => undefined);
    ending.push(() => redis.disconnect());
    return redis;
  };

  it('F1: is held to its own options: in the database they name, as the user they name', async () => {
    const server = stopping(await startRedis());
    const admin = server.connect();
    await allow(admin);
    const ready = (redis: Redis) => brokerOn({ redis }).ready();
    const { path } = server;
    await ready(bring({ path }));
    await ready(bring({ path, db: 3, username: 'app', password: 'secret' }));
    const lost = bring({ path, db: 99 });
    await until(() => lost.status === 'ready', { what: 'ioredis to be content' });
    await expect(ready(lost)).rejects.toMatchObject({
      code: 'REDIS_UNSAFE',
      message: expect.stringMatching(
        /is in database 0 of Redis, and its address or options name database 99/,
      ),
    });
    const moved = bring({ path });
    const broker = brokerOn({ redis: moved });
    await broker.enqueueMany('orders', jobs(1));
    await moved.select(5);
    await expect(broker.enqueueMany('orders', jobs(1, 1))).rejects.toThrow(
      /is in database 5 .* name database 0/,
    );
    await moved.select(0);
    await broker.enqueueMany('orders', jobs(1, 1));
    const somebody = bring({ path });
    await somebody.auth('app', 'secret');
    await expect(ready(somebody)).rejects.toThrow(/not the Redis user that its address or options name/);
  });

  it('F1: sends nothing into database 0 after a reconnect, not even what ioredis sends again by itself', async () => {
    const server = stopping(await startRedis());
    const admin = server.connect();
    await allow(admin);
    const redis = bring({ path: server.path, db: 3, username: 'app', password: 'secret' });
    const broker = brokerOn({ redis });
    const load = hammer(broker);
    await until(() => load.done() > 20, { what: 'the load to run' });
    await allow(admin, '-select');
    await admin.client('KILL', 'USER', 'app');
    await until(() => load.answers.has('REDIS_UNSAFE'), { what: 'the refusal', timeoutMs: 10_000 });
    await load.stop();
    expect(await admin.info('keyspace')).not.toContain('db0:');
  }, 30_000);
});

describe('F1: a user who may not ask where it is', () => {
  it.each([
    ['CLIENT', ['-client']],
    ['CLIENT and ACL', ['-client', '-acl']],
    ['CLIENT, ACL and SELECT', ['-client', '-acl', '-select']],
  ])('F1: without %s works where it can be told, and is refused elsewhere', async (_, rules) => {
    const server = stopping(await startRedis());
    const admin = server.connect();
    await allow(admin, ...rules);
    const at = (db: number) => brokerOn({ url: `unix://app:secret@${server.path}?db=${db}` });
    await at(0).enqueueMany('orders', jobs(1));
    expect(await codeOf(at(99).ready())).toBe('REDIS_UNSAFE');
    expect(await codeOf(at(3).ready())).toBe(rules.includes('-select') ? 'REDIS_UNSAFE' : 'done');
  });
});

describe('F1: a server behind a proxy that leaves CLIENT out', () => {
  it.each([
    "ERR Command is not available: 'CLIENT'. See the manual of this service",
    'ERR command not supported',
    "ERR unsupported command 'client'",
  ])('F1: and says "%s" is used in its database', async (words) => {
    const server = stopping(await startRedis());
    const proxy = await startProxy(server, (reply) =>
      reply.replace(/^[$=]\d+\r\n(?:txt:)?id=[^\r]*\r\n/, `-${words}\r\n`),
    );
    ending.push(() => proxy.close());
    await brokerOn({ url: `redis://127.0.0.1:${proxy.port}/3` }).enqueueMany('orders', jobs(1));
    expect(proxy.rewritten).toBeGreaterThan(0);
    expect(await server.connect().info('keyspace')).toContain('db3:');
    expect(await codeOf(brokerOn({ url: `redis://127.0.0.1:${proxy.port}/99` }).ready())).toBe(
      'REDIS_UNSAFE',
    );
  });
});
