/** Connections that an application brings: an option works, or is refused by name before the first call. */
import { Cluster, type ClusterOptions, type RedisOptions } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { createBroker } from '@/testing/create-broker';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const redis = await setUpRedis();
const clusters: Cluster[] = [];
afterEach(() => {
  for (const cluster of clusters.splice(0)) cluster.disconnect();
});
const cluster = (options: ClusterOptions) => {
  const made = new Cluster([{ host: '127.0.0.1', port: 1 }], { lazyConnect: true, ...options });
  clusters.push(made);
  return made;
};

describe('an option of a connection', () => {
  it.each<[string, RedisOptions]>([
    ['stringNumbers', { stringNumbers: true }],
    ['replyMapping', { replyMapping: 'resp3' }],
    ['monitor', { monitor: true }],
    ['enableAutoPipelining', { enableAutoPipelining: true, keyPrefix: 'app:' }],
  ])('that breaks answers is refused: %s', (name, options) => {
    const connection = redis.connect({ lazyConnect: true, ...options });
    expect(() => createBroker({ redis: connection })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION',
        message: expect.stringContaining(`redis.options.${name}: `),
      }),
    );
  });

  it.each<[string, ClusterOptions]>([
    ['keyPrefix', { keyPrefix: 'app:' }],
    ['scaleReads', { scaleReads: 'slave' }],
    ['redisOptions.stringNumbers', { redisOptions: { stringNumbers: true } }],
    ['redisOptions.keyPrefix', { redisOptions: { keyPrefix: 'app:' } }],
  ])('that breaks a Cluster is refused: %s', (name, options) => {
    expect(() => createBroker({ redis: cluster(options) })).toThrow(
      new RegExp(`redis\\.options\\.${name}: `),
    );
  });

  it.each<[string, RedisOptions]>([
    ['none', {}],
    ['a key prefix', { keyPrefix: 'app:' }],
    ['no queue while it is away', { enableOfflineQueue: false }],
    ['auto-pipelining', { enableAutoPipelining: true }],
    ['RESP2', { protocol: 2 }],
    ['the legacy shape of answers', { replyMapping: 'legacy', stringNumbers: false }],
  ])('that does no harm is taken, and jobs go through: %s', async (what, options) => {
    const broker = createBroker({ redis: redis.connect(options) });
    const queue = what.replace(/\W/g, '-');
    await broker.ready();
    await broker.enqueueMany(queue, [{ jobType: 'demo.run', payload: '{"n":1}' }]);
    const [job] = (await broker.claim(queue, { worker: 'w' })).jobs;
    expect(job?.payload.toString()).toBe('{"n":1}');
    expect(await broker.ack(queue, [{ jobId: job?.jobId ?? '', token: job?.token ?? '' }])).toEqual([
      'completed',
    ]);
    expect((await broker.inspect.snapshot([queue]))[0]?.counts.completed).toBe(1);
    broker.close();
  });
});
