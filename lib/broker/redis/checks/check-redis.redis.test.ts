/** Each check, against real servers with the bad setting; what cannot be brought about is a reading of a real server with one field changed. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openBroker } from '@/lib/broker';
import type { RedisChecks } from '@/lib/contract/redis/redis-check-schemas';
import { worstVerdict } from '@/lib/contract/redis/redis-check-verdicts';
import { until } from '@/testing/poll';
import { startCluster } from '@/testing/worlds/redis-cluster';
import {
  makeDocumentedUsers,
  startRedis,
  startRedisOnPort,
  type TestRedis,
} from '@/testing/worlds/redis-server';
import { ASK_AGAIN_MS } from './ask-server';
import { judgeServer } from './check-redis';
import { readServer, type ServerReadings } from './server-readings';

const started: TestRedis[] = [];
afterAll(async () => {
  for (const redis of started) await redis.stop();
});
const start = async (...args: string[]): Promise<TestRedis> => {
  const redis = await startRedis(args);
  started.push(redis);
  return redis;
};

async function checksOf(
  redis: TestRedis,
  options: Parameters<TestRedis['connect']>[0] = {},
): Promise<RedisChecks> {
  const broker = openBroker({ redis: redis.connect(options), allowEviction: true });
  try {
    return await broker.inspect.redis();
  } finally {
    broker.close();
  }
}
const find = (checks: RedisChecks, id: string) => checks.servers[0]?.checks.find((check) => check.id === id);

const PASSWORD = 'a-long-password';
/** With the settings that docs/deploy asks for. */
async function startSound(): Promise<TestRedis> {
  const redis = await start('--appendonly', 'yes', '--maxmemory', '1gb');
  // Not at the start: the test's own wait for it has no password.
  await redis.connect().config('SET', 'requirepass', PASSWORD);
  return redis;
}
/** Of the machine or of this version, not of the settings. */
const OF_THE_PLACE = ['version', 'user', 'delayed-fsync', 'round-trip', 'fork', 'slow-log'];

test('a Redis with sound settings has nothing bad', async () => {
  const checks = await checksOf(await startSound(), { password: PASSWORD });
  const rows = checks.servers[0]?.checks ?? [];
  expect(rows.length).toBeGreaterThan(25);
  expect(rows.filter(({ id, verdict }) => verdict !== 'ok' && !OF_THE_PLACE.includes(id))).toEqual([]);
  for (const { verdict, fix, why } of rows) {
    if (verdict === 'bad' || verdict === 'warn') expect(fix).toMatch(/\S.*\.$/);
    expect(why).toMatch(/\S.*\.$/);
  }
  expect(checks.verdict).toBe(worstVerdict(rows.map(({ verdict }) => verdict)));
});

describe('started with a bad setting', () => {
  it.each([
    [['--maxmemory-policy', 'allkeys-lru'], 'eviction', 'bad', 'allkeys-lru'],
    [['--appendonly', 'no'], 'aof', 'bad', 'off'],
    [['--appendonly', 'yes', '--appendfsync', 'no'], 'fsync', 'bad', 'no'],
    [['--appendonly', 'yes', '--no-appendfsync-on-rewrite', 'yes'], 'fsync-on-rewrite', 'warn', 'paused'],
    [['--save', '3600 1', '--stop-writes-on-bgsave-error', 'no'], 'stop-writes', 'warn', 'accepted'],
    [['--timeout', '60'], 'timeout', 'warn', '60 s'],
    [['--maxclients', '1'], 'clients', 'warn', 'of 1'],
    [['--protected-mode', 'no'], 'protected-mode', 'bad', 'no password'],
    [[], 'password', 'warn', 'none needed on this socket'],
    [[], 'memory', 'warn', 'without maxmemory'],
    [['--slowlog-log-slower-than', '0'], 'slow-log', 'warn', 'in the slow log'],
    [['--slowlog-log-slower-than', '-1'], 'slow-log', 'warn', 'is off'],
    [['--min-replicas-to-write', '1'], 'min-replicas', 'bad', '1, but 0 in step: writes are refused'],
    [[], 'settings-file', 'ok', 'no file'],
    [[], 'shared', 'ok', 'none'],
    [[], 'clients', 'ok', '; 0 wait for jobs'],
    [['--busy-reply-threshold', '0'], 'busy-threshold', 'warn', 'never'],
    [['--enable-debug-command', 'yes'], 'debug-command', 'warn', 'allowed'],
    [['--latency-monitor-threshold', '25'], 'latency-monitor', 'ok', 'from 25 ms'],
    [['--client-output-buffer-limit', 'normal 1mb 0 0'], 'output-limit', 'warn', '1 MiB'],
  ])('%j: %s is %s', async (args, id, verdict, value) => {
    const check = find(await checksOf(await start(...args)), id);
    expect(check).toMatchObject({ verdict, value: expect.stringContaining(value) });
  });
});

test('memory that is nearly full is bad, and a call that it refused is counted', async () => {
  const redis = await start();
  const admin = redis.connect();
  await admin.config('SET', 'maxmemory', '1');
  await expect(admin.set('k', 'v')).rejects.toThrow('OOM');
  const checks = await checksOf(redis);
  expect(find(checks, 'memory')?.verdict).toBe('bad');
  expect(find(checks, 'errors')).toMatchObject({ verdict: 'warn', value: expect.stringContaining('OOM 1') });
});

describe('a master and its replica', () => {
  let master: TestRedis;
  let replica: TestRedis;
  beforeAll(async () => {
    const first = await startRedisOnPort();
    const { port } = new URL(first.url);
    master = first;
    replica = await start('--replicaof', `127.0.0.1 ${port}`);
    started.push(master);
    await until(async () => (await master.connect().info('replication')).includes('state=online'), {
      what: 'the replica to be in step',
      timeoutMs: 20_000,
    });
  });

  it('the replica is named as one', async () => {
    const checks = await checksOf(replica);
    expect(find(checks, 'role')).toMatchObject({ verdict: 'bad', value: 'replica' });
    expect(find(checks, 'role')?.fix).toContain('redis+sentinel://');
    expect(checks.verdict).toBe('bad');
  });

  it('the master has one, and no write needs it', async () => {
    const checks = await checksOf(master);
    expect(find(checks, 'replicas')).toMatchObject({
      verdict: 'ok',
      value: expect.stringContaining('1, slowest'),
    });
    expect(find(checks, 'min-replicas')).toMatchObject({ verdict: 'warn', value: '0' });
  });
});

test('what the documented user may not ask is unknown, not ok and not an error', async () => {
  const redis = await start('--maxmemory', '1gb');
  await makeDocumentedUsers(redis.connect());
  const checks = await checksOf(redis, { username: 'redrive', password: PASSWORD });
  for (const id of ['fsync', 'timeout', 'network', 'protected-mode', 'busy-threshold'])
    expect([id, find(checks, id)?.verdict ?? 'unknown']).toEqual([id, 'unknown']);
  expect(find(checks, 'timeout')?.value).toBe('cannot tell: CONFIG is not allowed');
  expect(find(checks, 'slow-log')?.value).toBe('cannot tell: SLOWLOG is not allowed');
  expect(find(checks, 'password')?.value).toBe('cannot tell: ACL GETUSER is not allowed');
  expect(find(checks, 'user')).toMatchObject({ verdict: 'ok', value: 'redrive' });
  expect(find(checks, 'eviction')?.verdict).toBe('ok');
  expect(find(checks, 'aof')?.verdict).toBe('bad');
});

test('a refused question is not asked again for an hour, and is no finding', async () => {
  const redis = await start('--maxmemory', '1gb');
  const admin = redis.connect();
  await makeDocumentedUsers(admin);
  const client = redis.connect({ username: 'redrive', password: PASSWORD });
  const refused = async () =>
    Number((await admin.info('errorstats')).match(/errorstat_NOPERM:count=(\d+)/)?.[1] ?? 0);
  const before = await refused();
  await readServer(client, 0);
  const once = await refused();
  // CONFIG, SLOWLOG, LATENCY and ACL GETUSER.
  expect(once - before).toBe(4);
  const readings = await readServer(client, ASK_AGAIN_MS - 1);
  expect(await refused()).toBe(once);
  const info = new Map([
    ...readings.info,
    ...['auth', 'cmd', 'key', 'channel'].map((kind) => [`acl_access_denied_${kind}`, '0'] as const),
    ['acl_access_denied_cmd', '3'],
  ]);
  const row = judgeServer({ ...readings, info }).find(({ id }) => id === 'refused-access');
  expect(row).toMatchObject({ verdict: 'ok', value: expect.stringContaining('without refused commands') });
  await admin.call('ACL', 'SETUSER', 'redrive', '+config|get');
  expect((await readServer(client, ASK_AGAIN_MS)).config?.get('timeout')).toBe('0');
  expect(await refused()).toBe(once + 3);
});

test('where CONFIG has another name, refused commands of others still count', async () => {
  const redis = await start('--rename-command', 'CONFIG', 'HIDDEN');
  const readings = await readServer(redis.connect());
  expect(readings).toMatchObject({ config: null, isDenied: false });
  const info = new Map([
    ...readings.info,
    ...['auth', 'cmd', 'key', 'channel'].map((kind) => [`acl_access_denied_${kind}`, '0'] as const),
    ['acl_access_denied_cmd', '3'],
  ]);
  const row = judgeServer({ ...readings, info }).find(({ id }) => id === 'refused-access');
  expect(row).toMatchObject({ verdict: 'warn', value: '3 since the start' });
});

test('a stall that the latency monitor saw is a warning for an hour', async () => {
  const redis = await start('--latency-monitor-threshold', '50', '--enable-debug-command', 'yes');
  await redis.connect().call('DEBUG', 'SLEEP', '0.2');
  const readings = await readServer(redis.connect());
  const stallsOf = (serverMs: number) =>
    judgeServer({ ...readings, serverMs }).find(({ id }) => id === 'stalls');
  expect(stallsOf(readings.serverMs)).toMatchObject({
    verdict: 'warn',
    value: expect.stringMatching(/^in the last hour: command 2\d\d ms/),
  });
  expect(stallsOf(readings.serverMs + 3_600_000)?.verdict).toBe('ok');
});

test('the largest key is that of Redrive, and a sample is called one', async () => {
  const redis = await start();
  const client = redis.connect();
  await client.set('other', 'x'.repeat(100_000));
  await client.hset('rd:{mail}:jobs', 'a', 'x'.repeat(20_000));
  await client.set('rd:{mail}:counters', 'x');
  expect(find(await checksOf(redis), 'largest-key')).toMatchObject({
    verdict: 'ok',
    value: expect.stringMatching(/^rd:\{mail\}:jobs, 2\d(\.\d)? KiB; largest of \d+ keys$/),
  });
  await Promise.all(Array.from({ length: 1_500 }, (_, i) => client.set(`rd:{q${i}}:x`, '')));
  const checks = await checksOf(redis);
  expect(find(checks, 'largest-key')?.value).toMatch(/largest of 1000 keys, a sample$/);
});

test('keys of other programs are counted, in this database and in others', async () => {
  const redis = await start();
  const [client, other] = [redis.connect(), redis.connect({ db: 3 })];
  await client.set('rd:{mail}:counters', 'x');
  expect(find(await checksOf(redis), 'shared')).toMatchObject({ verdict: 'ok', value: 'none' });
  await other.mset('a', '1', 'b', '2');
  expect(find(await checksOf(redis), 'shared')?.value).toBe('2 keys in other databases');
  await client.set('session:1', 'x');
  expect(find(await checksOf(redis), 'shared')).toMatchObject({
    verdict: 'warn',
    value: '1 key, 2 keys in other databases',
    fix: 'Give Redrive a Redis that no other program uses.',
  });
  // From there, what is of Redrive is elsewhere.
  expect(find(await checksOf(redis, { db: 3 }), 'shared')?.value).toBe('2 keys, 2 keys in other databases');
});

test('a master of a Cluster that does not answer is a row; the others are checked', async () => {
  const cluster = await startCluster({ args: ['--cluster-require-full-coverage', 'no'] });
  const broker = openBroker({ url: cluster.url, allowEviction: true });
  try {
    expect((await broker.inspect.redis()).servers).toHaveLength(3);
    await cluster.masters[0]?.server.kill('SIGSTOP');
    const { at, verdict, servers } = await broker.inspect.redis();
    const silent = servers.filter(({ checks }) => checks.some(({ id }) => id === 'answers'));
    expect(silent).toMatchObject([
      { node: `127.0.0.1:${cluster.masters[0]?.port}`, checks: [{ verdict: 'bad' }] },
    ]);
    expect(servers.filter(({ checks }) => checks.length > 25)).toHaveLength(2);
    expect(verdict).toBe('bad');
    expect(at).toBeGreaterThan(0);
  } finally {
    await cluster.masters[0]?.server.kill('SIGCONT');
    broker.close();
    await cluster.stop();
  }
});

describe('what a test cannot bring about', () => {
  let readings: ServerReadings;
  beforeAll(async () => {
    readings = await readServer((await startSound()).connect({ password: PASSWORD }));
  });
  const withInfo = (more: Record<string, string>): Partial<ServerReadings> => ({
    info: new Map([...readings.info, ...Object.entries(more)]),
  });

  it.each<[string, string, () => Partial<ServerReadings>]>([
    ['eviction', 'bad', () => withInfo({ evicted_keys: '3' })],
    ['fragmentation', 'warn', () => withInfo({ used_memory: '500000000', mem_fragmentation_ratio: '2.10' })],
    ['aof', 'bad', () => withInfo({ aof_last_write_status: 'err' })],
    ['aof', 'warn', () => withInfo({ aof_last_bgrewrite_status: 'err' })],
    ['delayed-fsync', 'warn', () => withInfo({ aof_delayed_fsync: '7' })],
    ['snapshot', 'bad', () => withInfo({ rdb_last_bgsave_status: 'err' })],
    ['fork', 'warn', () => withInfo({ latest_fork_usec: '900000' })],
    ['replicas', 'bad', () => ({ usesSentinel: true })],
    ['replicas', 'warn', () => withInfo({ slave0: 'ip=10.0.0.2,port=6379,state=online,offset=1,lag=30' })],
    [
      'min-replicas',
      'warn',
      () => ({
        usesSentinel: true,
        config: new Map([
          ['min-replicas-to-write', '1'],
          ['min-replicas-max-lag', '0'],
        ]),
      }),
    ],
    ['shared', 'unknown', () => ({ keys: null })],
    ['rejected', 'warn', () => withInfo({ rejected_connections: '1' })],
    ['keepalive', 'warn', () => ({ usesSocket: false, config: new Map([['tcp-keepalive', '0']]) })],
    ['round-trip', 'warn', () => ({ roundTripsMs: [0.1, 0.2, 80] })],
    ['scripts', 'warn', () => withInfo({ number_of_cached_scripts: '5000' })],
    ['output-buffers', 'warn', () => withInfo({ client_recent_max_output_buffer: '100000000' })],
    ['output-buffers', 'warn', () => withInfo({ client_output_buffer_limit_disconnections: '2' })],
    [
      'largest-key',
      'warn',
      () => ({
        keys: {
          ...{ looked: 9, isWhole: true, foreign: 0, isScanWhole: true },
          largest: { name: 'rd:{a}:jobs', bytes: 2 ** 31 },
        },
      }),
    ],
    ['largest-key', 'unknown', () => ({ keys: null })],
    [
      'password',
      'bad',
      () => ({ isOpen: true, usesSocket: false, config: new Map([['bind', '127.0.0.1 10.0.0.7']]) }),
    ],
    [
      'password',
      'warn',
      () => ({ isOpen: true, usesSocket: false, config: new Map([['bind', '127.0.0.1 -::1']]) }),
    ],
    ['network', 'warn', () => ({ config: new Map([['bind', '* -::*']]) })],
    ['network', 'ok', () => ({ usesTls: true, config: new Map([['bind', '* -::*']]) })],
    ['refused-access', 'warn', () => withInfo({ acl_access_denied_auth: '2' })],
    ['version', 'warn', () => withInfo({ redis_version: '7.2.4' })],
    ['version', 'warn', () => withInfo({ redis_version: '7.2.4', valkey_version: '8.1.1' })],
    ['version', 'ok', () => withInfo({ redis_version: '7.2.4', valkey_version: '8.1.4' })],
    ['loading', 'bad', () => withInfo({ loading: '1' })],
    ['clock', 'warn', () => ({ clockOffsetMs: -400 })],
    ['cluster', 'unknown', () => withInfo({ cluster_enabled: '1' })],
    [
      'cluster',
      'bad',
      () => ({
        ...withInfo({ cluster_enabled: '1' }),
        cluster: new Map([
          ['cluster_state', 'fail'],
          ['cluster_slots_ok', '10923'],
        ]),
      }),
    ],
    [
      'cluster-coverage',
      'warn',
      () => ({
        ...withInfo({ cluster_enabled: '1' }),
        config: new Map([['cluster-require-full-coverage', 'yes']]),
      }),
    ],
  ])('%s is %s', (id, verdict, change) => {
    const row = judgeServer({ ...readings, ...change() }).find((check) => check.id === id);
    expect(row?.verdict).toBe(verdict);
  });

  it('settings survive a restart where Redis was started with a file', () => {
    const rows = judgeServer({ ...readings, ...withInfo({ config_file: '/etc/redis/redis.conf' }) });
    expect(rows.find(({ id }) => id === 'settings-file')).toMatchObject({
      verdict: 'ok',
      value: '/etc/redis/redis.conf has them; CONFIG REWRITE keeps changes there',
    });
  });

  it('a field that this server does not report is unknown', () => {
    const info = new Map([...readings.info].filter(([name]) => name !== 'maxmemory_policy'));
    const row = judgeServer({ ...readings, info }).find(({ id }) => id === 'eviction');
    expect(row).toMatchObject({
      verdict: 'unknown',
      value: 'cannot tell: this server does not report maxmemory_policy',
    });
  });
});
