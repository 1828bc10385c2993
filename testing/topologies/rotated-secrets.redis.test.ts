/** R9: passwords, certificates and addresses in files change while a process runs: it goes on without a restart, or says which part is wrong. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BrokerOptions, RedisCredentials } from '@/lib/broker';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { type Certificates, makeCertificates } from '@/testing/worlds/certificates';
import { portFree } from '@/testing/worlds/processes';
import { startCluster } from '@/testing/worlds/redis-cluster';
import { startRedis, startRedisOnPort, type TestRedis } from '@/testing/worlds/redis-server';
import { jobs } from '@/testing/worlds/world';

const dir = mkdtempSync(join(tmpdir(), 'redrive-secrets-'));
const open: Broker[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const broker of open.splice(0)) broker.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const connect = (options: BrokerOptions): Broker => {
  const broker = createBroker(options);
  open.push(broker);
  return broker;
};

let sent = 0;
/** A job's way through the connection of calls and through that of waits. */
async function works(broker: Broker): Promise<true> {
  const waiter = broker.waiter();
  try {
    sent += 1;
    const queue = `q${sent}`;
    await broker.enqueueMany(queue, jobs(1));
    expect(await waiter.wait([queue], 2_000)).toBe(queue);
    return true;
  } finally {
    waiter.close();
  }
}
const soonWorks = (broker: Broker) =>
  until(() => works(broker), { what: 'a broker that goes on with the new secret' });
const refusal = (broker: Broker): Promise<string> =>
  broker.enqueueMany('email', jobs(1)).then(
    () => 'none',
    (error: Error) => error.message,
  );
const soonRefused = (broker: Broker, words: RegExp) =>
  until(async () => words.test(await refusal(broker)), { what: `a refusal with ${words}` });

/** The user has this password, and no connection of an older one. */
async function setPassword(admins: readonly Redis[], password: string): Promise<void> {
  for (const admin of admins) {
    await admin.call('ACL', 'SETUSER', 'app', 'on', 'resetpass', `>${password}`, '~*', '&*', '+@all');
    await admin.call('CLIENT', 'KILL', 'USER', 'app');
  }
}

describe('a password', () => {
  let server: TestRedis & { url: string };
  let admin: Redis;
  beforeAll(async () => {
    server = await startRedisOnPort();
    admin = server.connect();
  });
  afterAll(() => server.stop());

  it('from a function that is asked before each connect', async () => {
    let password = 'one';
    await setPassword([admin], password);
    const broker = connect({ url: server.url, credentials: async () => ({ username: 'app', password }) });
    const waiter = broker.waiter();
    await works(broker);
    // A wait that is under way loses its connection, too.
    const cut = waiter.wait(['idle'], 5_000);
    password = 'two';
    await setPassword([admin], password);
    await soonWorks(broker);
    await cut;
    await broker.enqueueMany('idle', jobs(1));
    expect(await waiter.wait(['idle'], 2_000)).toBe('idle');
    waiter.close();
  });

  it('that the server has before the function: the next try takes it', async () => {
    let password = 'one';
    await setPassword([admin], password);
    const broker = connect({ url: server.url, credentials: () => ({ username: 'app', password }) });
    await works(broker);
    await setPassword([admin], 'three');
    await soonRefused(broker, /WRONGPASS.*function for credentials/);
    password = 'three';
    await soonWorks(broker);
  });

  it.each<[string, BrokerOptions['credentials'], RegExp]>([
    [
      'a function that fails',
      () => Promise.reject(new Error('the vault is sealed')),
      /^Redis cannot be reached: credentials: the function failed \(the vault is sealed\)\. Nothing was changed/,
    ],
    [
      'a function that throws',
      () => {
        throw new Error('no');
      },
      /credentials: the function failed \(no\)/,
    ],
    [
      'a function that returns something else',
      (() => ({ user: 'app' })) as never,
      /credentials is not valid: password: .*user: is not a field/,
    ],
    ['a function without an end', () => new Promise<RedisCredentials>(() => undefined), /longer than 4 s/],
    ['the wrong password', { username: 'app', password: 'zero' }, /WRONGPASS/],
  ])('%s is said', async (_, credentials, words) => {
    expect(await refusal(connect({ url: server.url, credentials }))).toMatch(words);
  });

  it('is given in one place', () => {
    const credentials = { username: 'app', password: 'one' };
    const url = server.url.replace('://', '://app:one@');
    expect(() => createBroker({ url, credentials })).toThrow(/credentials: the address names a user/);
    expect(() => createBroker({ redis: admin, credentials })).toThrow(/credentials: goes with url/);
    expect(() => createBroker({ url: server.url, credentials: { user: 'app' } as never })).toThrow(
      /credentials.* password/,
    );
  });

  it('in the file of the address', async () => {
    const urlFile = join(dir, 'redis-url');
    const write = (password: string, url = server.url) =>
      writeFileSync(urlFile, `${url.replace('://', `://app:${password}@`)}\n`);
    write('one');
    await setPassword([admin], 'one');
    const broker = connect({ urlFile });
    await works(broker);
    write('two');
    await setPassword([admin], 'two');
    await soonWorks(broker);

    const elsewhere = server.url.replace('127.0.0.1', 'localhost');
    for (const [text, words] of [
      [elsewhere, /urlFile: the file \S+ names another Redis now: restart this process/],
      ['http://x', /urlFile: the address in the file \S+ must be the path of a unix socket or start with/],
      ['', /urlFile: the file \S+ must hold the address of Redis and nothing else/],
    ] as const) {
      writeFileSync(urlFile, text);
      await admin.call('CLIENT', 'KILL', 'USER', 'app');
      await soonRefused(broker, words);
    }
    rmSync(urlFile);
    await soonRefused(broker, /urlFile: the file \S+ cannot be read \(ENOENT\)/);
    expect(() => createBroker({ urlFile })).toThrow(/urlFile: the file \S+ cannot be read \(ENOENT\)/);
    write('two');
    await soonWorks(broker);
  });

  it('of a Cluster', async () => {
    const cluster = await startCluster({ masters: 2 });
    const admins = cluster.masters.map(({ redis }) => redis);
    let password = 'one';
    await setPassword(admins, password);
    const broker = connect({ url: cluster.url, credentials: () => ({ username: 'app', password }) });
    try {
      await works(broker);
      await setPassword(admins, 'two');
      await soonRefused(broker, /WRONGPASS/);
      password = 'two';
      await soonWorks(broker);
      password = '';
      await setPassword(admins, 'three');
      await soonRefused(broker, /credentials is not valid: password: must not be empty/);
      password = 'three';
      await soonWorks(broker);
    } finally {
      broker.close();
      await cluster.stop();
    }
  });
});

describe('certificates', () => {
  let old: Certificates;
  let renewed: Certificates;
  let server: TestRedis;
  let url: string;
  const files = {
    caFile: join(dir, 'ca.pem'),
    certFile: join(dir, 'cert.pem'),
    keyFile: join(dir, 'key.pem'),
  };
  beforeAll(async () => {
    [old, renewed] = await Promise.all([makeCertificates(), makeCertificates()]);
    const port = await portFree();
    server = await startRedis([...old.redisArgs(port), '--tls-auth-clients', 'yes']);
    url = `rediss://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([old.remove(), renewed.remove()]);
  });
  const write = (from: Certificates, names = Object.keys(files) as (keyof typeof files)[]) => {
    for (const name of names) copyFileSync(from[name], files[name]);
  };
  async function serve({ caFile, certFile, keyFile }: Certificates): Promise<void> {
    const admin = server.connect();
    await admin.call(
      ...(['CONFIG', 'SET', 'tls-cert-file', certFile, 'tls-key-file', keyFile] as const),
      ...(['tls-ca-cert-file', caFile] as const),
    );
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    admin.disconnect();
  }

  it.each([
    ['the option tls', () => ({ url, tls: files })],
    ['the address', () => ({ url: `${url}?${new URLSearchParams(files)}` })],
    [
      'the environment',
      () => {
        vi.stubEnv('REDIS_CA_FILE', files.caFile);
        return { url, tls: { certFile: files.certFile, keyFile: files.keyFile } };
      },
    ],
  ])('in files named by %s', async (_, options) => {
    write(old);
    await serve(old);
    const broker = connect(options());
    await works(broker);
    await serve(renewed);
    await soonRefused(broker, /certificate/);
    // One after the other, as people copy them.
    write(renewed, ['certFile']);
    await soonRefused(broker, /tls: certFile and keyFile do not belong together/);
    write(renewed, ['keyFile']);
    rmSync(files.caFile);
    await soonRefused(broker, /tls\.caFile: the file \S+ cannot be read \(ENOENT\)/);
    write(renewed);
    await soonWorks(broker);
  });
});
