/** Servers that refuse, each for a real reason: said in a sentence of its own, and work goes on when it is over. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { BrokerOptions } from '@/lib/broker';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { startLoad, summary } from '@/testing/worlds/load';
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

describe('B9 what Redis refuses is said in a sentence of its own, and is over when its cause is', () => {
  /** Breaks the server, sees the sentence, mends it, and sees work go on. */
  async function refuses(
    broker: Broker,
    words: RegExp,
    breaks: () => unknown,
    mends: () => unknown,
    call = () => broker.enqueueMany('refused', jobs(1, 10)),
  ): Promise<void> {
    await broker.enqueueMany('refused', jobs(1));
    await breaks();
    const seen = await until(
      () =>
        call().then(
          () => null,
          (error: Error & { code: string }) => (words.test(error.message) ? error : null),
        ),
      { what: `an error like ${words}` },
    );
    expect(seen.code).toBe(words.source.startsWith('memory') ? 'REDIS_FULL' : 'REDIS_UNAVAILABLE');
    await mends();
    // A read first: a write on a connection that is being replaced would have an unknown outcome.
    const reads = () =>
      broker.inspect.queues().then(
        () => true,
        () => false,
      );
    await until(reads, { what: 'reads to go on' });
    const outcome = await until(() => broker.enqueueMany('refused', jobs(1, 10)), { what: 'work to go on' });
    // Nothing had been done: it is new.
    expect(outcome[0]?.outcome).toBe('ready');
    expect(await broker.inspect.ledger('refused')).toMatchObject({ difference: 0, strayRows: 0 });
  }

  it('BUSY: a script of somebody else runs on and on, until it is killed', async () => {
    const redis = await server(['--busy-reply-threshold', '50']);
    const [hog, admin] = [redis.connect(), redis.connect()];
    let hogged: Promise<unknown> = Promise.resolve();
    await refuses(
      brokerOn({ url: redis.path }),
      /\(BUSY\).*SCRIPT KILL.*Nothing was changed/,
      async () => {
        hogged = hog.eval('while true do end', 0).catch(() => undefined);
        // A call that overtakes the script would enqueue the jobs.
        const isBusy = () =>
          admin.ping().then(
            () => false,
            ({ message }: Error) => message.startsWith('BUSY'),
          );
        await until(isBusy, { what: 'Redis to be busy' });
      },
      async () => {
        await admin.script('KILL');
        await hogged;
      },
    );
  });

  it('B28 READONLY: the server becomes a replica under load, and a master again', async () => {
    const redis = await server();
    const admin = redis.connect();
    const load = startLoad({ url: redis.path, queues: ['orders'] });
    await until(() => load.runs > 20, { what: 'the load to run', timeoutMs: 10_000 });
    await refuses(
      brokerOn({ url: redis.path }),
      /\(READONLY\).*replica/,
      // Of a master nobody has ever seen: it refuses writes all the same.
      () => admin.call('REPLICAOF', '127.0.0.1', '1'),
      () => admin.call('REPLICAOF', 'NO', 'ONE'),
    );
    const history = await load.finish();
    console.info(`READONLY under load: ${summary(history)}`);
    expect(history).toMatchObject({ lost: [], unexpected: [], unknown: [] });
  });

  it('MASTERDOWN: a replica that lost its master and may not serve old data', async () => {
    const redis = await server(['--replica-serve-stale-data', 'no']);
    const admin = redis.connect();
    const broker = brokerOn({ url: redis.path });
    await refuses(
      broker,
      /\(MASTERDOWN\).*lost its master/,
      () => admin.call('REPLICAOF', '127.0.0.1', '1'),
      () => admin.call('REPLICAOF', 'NO', 'ONE'),
      () => broker.inspect.queues() as Promise<never>,
    );
  });

  it('NOREPLICAS: fewer replicas than asked for', async () => {
    const redis = await server();
    const admin = redis.connect();
    await refuses(
      brokerOn({ url: redis.path }),
      /\(NOREPLICAS\).*min-replicas-to-write/,
      () => admin.config('SET', 'min-replicas-to-write', '1'),
      () => admin.config('SET', 'min-replicas-to-write', '0'),
    );
  });

  it('MISCONF: it cannot save its data', async () => {
    const redis = await server();
    const admin = redis.connect();
    await refuses(
      brokerOn({ url: redis.path }),
      /\(MISCONF\).*disk/,
      async () => {
        await admin.config('SET', 'save', '3600 1');
        // A folder where its file should be: as good as a full disk, and nobody needs to be root.
        await mkdir(join(redis.dir, 'dump.rdb'));
        await admin.bgsave();
        await until(async () => /rdb_last_bgsave_status:err/.test(await admin.info('persistence')), {
          what: 'the save to fail',
        });
      },
      () => admin.config('SET', 'save', ''),
    );
  });

  it('OOM: its memory is full', async () => {
    const redis = await server();
    const admin = redis.connect();
    await refuses(
      brokerOn({ url: redis.path }),
      /memory limit.*Nothing was changed/,
      () => admin.config('SET', 'maxmemory', '1'),
      () => admin.config('SET', 'maxmemory', '0'),
    );
  });

  it('LOADING: it is reading its data after a start', async () => {
    // Ten milliseconds a key at its next start.
    const redis = await server([
      ...['--key-load-delay', '10000', '--loading-process-events-interval-bytes', '1024'],
    ]);
    const admin = redis.connect();
    for (let i = 0; i < 300; i++) await admin.set(`filler:${i}`, 'x'.repeat(500));
    const broker = brokerOn({ url: redis.path });
    await broker.enqueueMany('orders', jobs(1));
    await admin.save();
    await redis.kill('SIGKILL');
    const slow = redis.restart();
    // One that only comes now waits for it, as long as for any call.
    const late = brokerOn({ url: redis.path });
    await until(
      () =>
        broker.ready().then(
          () => false,
          (error: Error) => /\(LOADING\)/.test(error.message),
        ),
      { what: 'LOADING', everyMs: 5 },
    );
    await slow;
    for (const one of [broker, late])
      expect(
        (await until(() => one.enqueueMany('orders', jobs(1)), { what: 'work to go on' }))[0]?.outcome,
      ).toBe('duplicate');
  });
});
