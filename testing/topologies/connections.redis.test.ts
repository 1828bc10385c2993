/** Every way to reach Redis, by configuration alone, and what is said when there is no way. */
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BrokerOptions } from '@/lib/broker';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { type Certificates, makeCertificates } from '@/testing/worlds/certificates';
import { portFree } from '@/testing/worlds/processes';
import { startRedis, startRedisOnPort, type TestRedis } from '@/testing/worlds/redis-server';
import { jobs } from '@/testing/worlds/world';

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
      message: expect.stringMatching(
        /certificate was not accepted .*(?:tls\.caFile or REDIS_CA_FILE|tls\.servername)\./,
      ),
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
  it('F5: a server without it is named as the cause within two seconds', async () => {
    const plain = await startRedisOnPort();
    try {
      for (const scheme of ['rediss', 'rediss+cluster', 'rediss+sentinel']) {
        const name = scheme.endsWith('sentinel') ? '/mymaster' : '';
        const broker = connect({ url: plain.url.replace('redis', scheme) + name });
        for (let i = 0; i < 2; i++) {
          const startedAt = performance.now();
          const error = await refusal(broker);
          expect(error).toMatchObject({
            code: 'REDIS_UNAVAILABLE',
            message: expect.stringMatching(/does not speak TLS there; start the address with redis:\/\//),
          });
          expect(error.message).not.toContain('127.0.0.1');
          await expectWithin(performance.now() - startedAt, 2_000);
        }
      }
    } finally {
      await plain.stop();
    }
  });
  it.each(['redis', 'redis+cluster', 'redis+sentinel'])(
    'F5: is named as the cause where %s:// meets a server that speaks nothing else',
    async (scheme) => {
      const name = scheme.endsWith('sentinel') ? '/mymaster' : '';
      const broker = connect({ url: url.replace('rediss', scheme) + name });
      expect(await refusal(broker)).toMatchObject({
        code: 'REDIS_UNAVAILABLE',
        message: expect.stringMatching(
          /it speaks TLS there, and the address does not; start it with rediss:\/\//,
        ),
      });
    },
  );
  it.each(['rediss+cluster', 'rediss+sentinel'])(
    'F5: a certificate that is not accepted is the cause named for %s://, too',
    async (scheme) => {
      const name = scheme.endsWith('sentinel') ? '/mymaster' : '';
      const broker = connect({ url: url.replace('rediss', scheme) + name });
      expect(await refusal(broker)).toMatchObject({
        code: 'REDIS_UNAVAILABLE',
        message: expect.stringMatching(
          /its certificate was not accepted \(self-signed[^.]*\); name the authority/,
        ),
      });
    },
  );
  it('F5: once the server speaks as it should, work goes on by itself', async () => {
    const port = await portFree();
    const plain = await startRedis(['--port', `${port}`]);
    const { caFile } = certificates;
    const broker = connect({ url: `rediss://127.0.0.1:${port}`, tls: { caFile } });
    expect((await refusal(broker)).message).toMatch(/does not speak TLS/);
    await plain.stop();
    const secure = await startRedis(certificates.redisArgs(port));
    try {
      await until(() => broker.enqueueMany('email', jobs(1)), { what: 'work to go on', timeoutMs: 15_000 });
    } finally {
      await secure.stop();
    }
  });
});

describe('something else there', () => {
  it.each([
    ['Redis where Sentinels should be', 'redis+sentinel', '/mymaster', /what answers there is no Sentinel/],
    [
      'one server where a Cluster should be',
      'redis+cluster',
      '',
      /it is not a Cluster; start the address with redis/,
    ],
  ])('F5: %s is said', async (_, scheme, name, words) => {
    const plain = await startRedisOnPort();
    try {
      const error = await refusal(connect({ url: plain.url.replace('redis', scheme) + name }));
      expect(error).toMatchObject({ code: 'REDIS_UNAVAILABLE', message: expect.stringMatching(words) });
    } finally {
      await plain.stop();
    }
  });
});

describe('nothing there', () => {
  it.each([
    ['a port', async () => `redis://127.0.0.1:${await portFree()}`, /nothing listens at 127\.0\.0\.1:\d+/],
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
});

describe('after close()', () => {
  const CLOSED = {
    code: 'CLIENT_CLOSED',
    message: expect.stringMatching(/^This client is closed: close\(\)/),
  };
  const refused = async (broker: Broker) => {
    const ref = { jobId: 'j', token: '1-AAAAAAAAAA' };
    const calls = [
      () => broker.enqueueMany('email', jobs(1)),
      () => broker.claim('email', { worker: 'w1' }),
      () => broker.exchange('email', [ref], { worker: 'w1' }),
      () => broker.ack('email', [ref]),
      () => broker.extend('email', [ref], 1_000),
      () => broker.maintain('email'),
      () => broker.ready(),
      () => broker.inspect.queues(),
      () => broker.inspect.snapshot(['email']),
      () => broker.workers.list(),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(CLOSED);
  };

  it('F5: a call says that the client is closed, at once and ever after, whatever came before', async () => {
    const server = await startRedis();
    try {
      const used = connect({ url: server.path });
      await works(used);
      const waiter = used.waiter();
      const waiting = waiter.wait(['email'], 60_000);
      used.close();
      await refused(used);
      expect(await waiting).toBeNull();
      expect(await waiter.wait(['email'], 60_000)).toBeNull();
      expect(await used.waiter().wait(['email'], 60_000)).toBeNull();
      const admin = server.connect();
      await until(
        async () =>
          String(await admin.client('LIST'))
            .trim()
            .split('\n').length === 1,
        {
          what: 'its connections to be gone',
        },
      );
      await refused(used);
    } finally {
      await server.stop();
    }
  });
  it('F5: so does one made while it still connects, and one on a connection that its owner goes on using', async () => {
    const server = await startRedis();
    try {
      const fresh = connect({ url: server.path });
      const under = fresh.enqueueMany('email', jobs(1));
      fresh.close();
      await expect(under).rejects.toMatchObject(CLOSED);
      const redis = new Redis(server.path);
      const brought = connect({ redis });
      await works(brought);
      brought.close();
      await refused(brought);
      expect(await redis.ping()).toBe('PONG');
      redis.disconnect();
    } finally {
      await server.stop();
    }
  });
  it('F5: so does one where no Redis ever was', async () => {
    const broker = connect({ url: '/tmp/redrive-no-such.sock' });
    expect(await refusal(broker)).toMatchObject({ code: 'REDIS_UNAVAILABLE' });
    broker.close();
    await refused(broker);
  });
});
