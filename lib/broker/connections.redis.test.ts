/** Every way to reach Redis, by configuration alone, and what is said when there is no way. */
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { portFree } from '@/testing/processes';
import { startRedis, startRedisOnPort, type TestRedis } from '@/testing/redis';
import { type Certificates, makeCertificates } from '@/testing/tls';
import { jobs } from '@/testing/world';
import { type Broker, type BrokerOptions, createBroker } from './index';

const open: Broker[] = [];
const connect = (options: BrokerOptions): Broker => {
  const broker = createBroker(options);
  open.push(broker);
  return broker;
};
/** One job's life: through every kind of call that needs a connection. */
async function works(broker: Broker, queue = 'email'): Promise<void> {
  const waiter = broker.waiter();
  try {
    await broker.enqueueMany(queue, jobs(2));
    expect(await waiter.wait([queue], 2_000)).toBe(queue);
    const { jobs: taken } = await broker.claim(queue, { worker: 'w1', count: 2 });
    expect(taken).toHaveLength(2);
    expect(await broker.ack(queue, taken)).toEqual(['completed', 'completed']);
    expect(await broker.inspect.ledger(queue)).toMatchObject({ difference: 0, strayRows: 0 });
  } finally {
    waiter.close();
  }
}
const refusal = (broker: Broker): Promise<Error & { code: string }> =>
  broker.enqueueMany('email', jobs(1)).then(
    () => Promise.reject(new Error('It was let in.')),
    (error) => error,
  );

afterEach(() => {
  vi.unstubAllEnvs();
  for (const broker of open.splice(0)) broker.close();
});

describe('one server', () => {
  let server: TestRedis & { url: string };
  beforeAll(async () => {
    server = await startRedisOnPort();
    const admin = server.connect();
    await admin.call('ACL', 'SETUSER', 'ann', 'on', '>s@/cret#1', '~*', '+@all');
    await admin.config('SET', 'requirepass', 'hunter2');
  });
  afterAll(() => server.stop());
  const at = (credentials: string, rest = '') => server.url.replace('://', `://${credentials}@`) + rest;

  it('by password, on a database of its own', async () => {
    await works(connect({ url: at(':hunter2', '/3') }));
    const other = connect({ url: at(':hunter2') });
    expect(await other.inspect.queues()).toEqual([]);
  });
  it('as an ACL user, whose password may hold anything', () =>
    works(connect({ url: at('ann:s%40%2Fcret%231') }), 'ann'));
  it('by unix socket', async () => {
    await works(connect({ url: `unix://:hunter2@${server.path}` }), 'socket');
    await works(connect({ url: `redis+unix://ann:s%40%2Fcret%231@${server.path}?db=2` }), 'socket');
  });
  it('on a connection the application owns, which it also closes', async () => {
    const redis = new Redis(at(':hunter2'));
    const broker = connect({ redis });
    await works(broker, 'owned');
    broker.close();
    expect(await redis.ping()).toBe('PONG');
    redis.disconnect();
  });

  it.each([
    ['the wrong password', () => at(':hunter3'), /WRONGPASS.*does not know this user and password/],
    ['an unknown user', () => at('bob:hunter3'), /WRONGPASS/],
    ['no password', () => server.url, /NOAUTH.*redis:\/\/user:password@host:port/],
  ])('refuses %s in words that hold no password', async (_, url, words) => {
    const error = await refusal(connect({ url: url() }));
    expect(error).toMatchObject({ code: 'REDIS_UNAVAILABLE', message: expect.stringMatching(words) });
    expect(inspect(error, { depth: 9 })).not.toMatch(/hunter/);
  });
});

describe('TLS', () => {
  let certificates: Certificates;
  let server: TestRedis;
  let url: string;
  beforeAll(async () => {
    certificates = await makeCertificates();
    const port = await portFree();
    server = await startRedis(certificates.redisArgs(port));
    url = `rediss://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await server.stop();
    await certificates.remove();
  });

  it('with an authority of our own, named by option, address or environment', async () => {
    const { caFile } = certificates;
    await works(connect({ url, tls: { caFile } }));
    await works(connect({ url: `${url}?caFile=${encodeURIComponent(caFile)}` }), 'two');
    vi.stubEnv('REDIS_CA_FILE', caFile);
    await works(connect({ url: url.replace('127.0.0.1', 'localhost') }), 'three');
  });
  it.each([
    ['the system’s authorities', () => ({})],
    ['another authority', () => ({ caFile: certificates.strangerCaFile })],
    ['a name that is not on it', () => ({ caFile: certificates.caFile, servername: 'elsewhere' })],
  ])('refuses a certificate checked against %s', async (_, tls) => {
    const error = await refusal(connect({ url, tls: tls() }));
    expect(error).toMatchObject({
      code: 'REDIS_UNAVAILABLE',
      message: expect.stringMatching(/certificate was not accepted .*tls\.caFile or REDIS_CA_FILE/),
    });
  });
  it('with a certificate of the client’s own, where the server asks for one', async () => {
    const port = await portFree();
    const strict = await startRedis([...certificates.redisArgs(port), '--tls-auth-clients', 'yes']);
    try {
      const { caFile, certFile, keyFile } = certificates;
      const strictUrl = `rediss://127.0.0.1:${port}`;
      await works(connect({ url: strictUrl, tls: { caFile, certFile, keyFile } }));
      expect(await refusal(connect({ url: strictUrl, tls: { caFile } }))).toMatchObject({
        code: 'REDIS_UNAVAILABLE',
      });
    } finally {
      await strict.stop();
    }
  });
  it('is not spoken to a server without it', async () => {
    const plain = await startRedisOnPort();
    try {
      const error = await refusal(connect({ url: plain.url.replace('redis:', 'rediss:') }));
      expect(error).toMatchObject({ code: 'REDIS_UNAVAILABLE' });
    } finally {
      await plain.stop();
    }
  });
});

describe('nothing there', () => {
  it.each([
    ['a port', async () => `redis://127.0.0.1:${await portFree()}`, /nobody listens at 127\.0\.0\.1:\d+/],
    ['a socket', async () => '/tmp/redrive-no-such.sock', /the unix socket does not exist/],
    ['a host', async () => `redis://${'x'.repeat(64)}.invalid`, /its host name is not known/],
    [
      'a Cluster',
      async () => `redis+cluster://127.0.0.1:${await portFree()}`,
      /no node of the Cluster answered/,
    ],
    ['Sentinels', async () => `redis+sentinel://127.0.0.1:${await portFree()}/m`, /no Sentinel answered/],
  ])('at %s is said at once, and again', async (_, url, words) => {
    const broker = connect({ url: await url() });
    for (let i = 0; i < 2; i++) {
      const error = await refusal(broker);
      expect(error).toMatchObject({ code: 'REDIS_UNAVAILABLE', message: expect.stringMatching(words) });
      expect(error.message).toMatch(/Nothing was changed/);
    }
  });
  it('after close() either', async () => {
    const broker = connect({ url: '/tmp/redrive-no-such.sock' });
    broker.close();
    expect(await refusal(broker)).toMatchObject({ code: 'REDIS_UNAVAILABLE' });
  });
});
