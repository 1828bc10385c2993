/** The rules in docs/connections.md, taken from its text and tried: enough for all a broker does, and no more. */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS, createKeys, GLOBAL_KEYS, type GlobalKey } from '@/lib/broker/redis/redis-keys';
import { type Lab, openLab } from '@/lib/lab/open-lab';
import { type Broker, createBroker } from '@/testing/create-broker';
import { runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import { startCluster } from '@/testing/worlds/redis-cluster';
import { documentedUsers, makeDocumentedUsers } from '@/testing/worlds/redis-server';
import { setUpRedis } from '@/testing/worlds/set-up-redis';
import { BY, CRASH, failure, jobs } from '@/testing/worlds/world';

const BROKER = 'redrive:a-long-password';
const VIEWER = 'viewer:another-password';
const USERS = ['redrive', 'producer', 'worker', 'email-producer', 'email-worker', 'viewer'];

const server = await setUpRedis();
let admin: Redis;
let broker: Broker;
let viewer: Broker;
let lab: Lab;
let viewerLab: Lab;
beforeAll(async () => {
  admin = server.connect();
  await makeDocumentedUsers(admin);
  broker = createBroker({ url: `unix://${BROKER}@${server.path}` });
  viewer = createBroker({ url: `unix://${VIEWER}@${server.path}` });
  lab = openLab({ url: `unix://${BROKER}@${server.path}` });
  viewerLab = openLab({ url: `unix://${VIEWER}@${server.path}` });
});
afterAll(async () => {
  broker.close();
  viewer.close();
  lab.close();
  viewerLab.close();
});

/** All that the console does with sessions, people, tokens, attempts and codes. */
async function signInAndOut(broker: Broker): Promise<void> {
  const { sessions, users: people, tokens, attempts, codes } = broker.access;
  const [first, digest, other] = ['9'.repeat(64), 'a'.repeat(64), 'b'.repeat(64)];
  const ann = { id: 'local:ann', name: 'Ann', method: 'local', groups: [] } as const;
  const from = { stamp: null, address: '', agent: '', idleMs: 60_000, maxMs: 60_000, proved: false };
  await sessions.begin({ digest: first, replaces: other, person: ann, ...from }, BY);
  expect(await sessions.reauthenticate(first, { digest }, BY)).not.toBeNull();
  expect(await sessions.look(digest)).toMatchObject({ person: { id: ann.id } });
  await people.change(ann.id, { grants: [] }, BY);
  expect(await people.list()).toHaveLength(1);
  const { id } = await tokens.create(
    { digest: other, name: 'x', hint: 'x', owner: ann, grants: [], forMs: 60_000 },
    BY,
  );
  expect(await tokens.look(other, { address: '::1' })).toMatchObject({ owner: { grants: [] } });
  expect([await tokens.list(null), await sessions.list(null, 10)]).toMatchObject([[{ id }], [{}]]);
  expect(await tokens.revoke(id, {}, BY)).toBe(true);
  expect(await sessions.end({ digest }, BY)).toBe(true);
  expect(await sessions.endAll(ann.id, {}, BY)).toBe(0);
  const counted = { kind: 'name', key: 'x' } as const;
  expect(await attempts.take(counted, { limit: 1, windowMs: 1_000 })).toMatchObject({ allowed: true });
  await attempts.giveBack(counted);
  await attempts.forget(counted);
  await codes.put(digest, 1_000);
  expect(await codes.take(digest)).toBe(true);
}

describe('the broker’s rules', () => {
  it('are those of the documentation, one user each', () => {
    expect(documentedUsers().map(({ user }) => user)).toEqual(USERS);
  });

  it('let it do all it does', async () => {
    const queue = 'email';
    await broker.enqueueMany(queue, [...jobs(12), ...jobs(1, 50, { delayMs: 60_000 })]);
    const waiter = broker.waiter();
    expect(await waiter.wait([queue], 2_000)).toBe(queue);
    waiter.close();
    const { jobs: taken } = await broker.claim(queue, { worker: 'w1', count: 10 });
    const [acked, failed, retried, released, cancelled, extended] = taken;
    if (!acked || !failed || !retried || !released || !cancelled || !extended)
      throw new Error('ten were there');
    expect(await broker.ack(queue, [acked])).toEqual(['completed']);
    const again = { ...failure('X', 'retryable'), retryInMs: 60_000 };
    await broker.fail(queue, [
      { ...failed, failure: failure() },
      { ...retried, failure: again },
    ]);
    expect(await broker.release(queue, [released])).toEqual(['released']);
    expect(await broker.extend(queue, [extended], 60_000)).toEqual(['extended']);
    expect(await broker.cancel(queue, [cancelled.jobId], BY)).toEqual(['ok']);
    expect(await broker.promote(queue, ['j000050'], BY)).toEqual(['ok']);
    expect(await broker.reclaimWorker(queue, 'w1', CRASH)).toMatchObject({ died: 0 });
    await broker.pause(queue, { scope: 'tenant:default', reason: 'a test' }, BY);
    expect(await broker.resume(queue, 'tenant:default')).toBe(true);
    expect(await broker.redrive(queue, [failed.jobId], BY)).toEqual(['ok']);
    expect(await broker.purge(queue, [cancelled.jobId], BY)).toEqual(['ok']);
    expect(await broker.restore(queue, [cancelled.jobId], BY)).toEqual(['ok']);
    expect(await broker.suppress(queue, [cancelled.jobId], BY)).toEqual(['ok']);
    expect(await broker.remove(queue, [cancelled.jobId])).toEqual(['ok']);
    await broker.maintain(queue);
    const { id } = await startOperation(broker, { kind: 'redrive', q: `queue:${queue}` });
    await runToEnd(broker, id);
    await lab.requestBurst({ jobs: 5 });
    await lab.takeBurst();
    await lab.save(await lab.settings());
    await lab.state();
    await signInAndOut(broker);
    expect(await broker.inspect.memory()).toBeGreaterThan(0);
    expect(await broker.inspect.ledger(queue)).toMatchObject({ difference: 0, strayRows: 0 });
    // Scripts sent anew, too.
    await admin.script('FLUSH');
    await broker.enqueueMany(queue, jobs(1, 99));
  });

  it.each([
    ['SET', 'other:key', 'x'],
    ['GET', 'other:key'],
    ['FLUSHALL'],
    ['CONFIG', 'GET', '*'],
    ['KEYS', '*'],
    ['ACL', 'LIST'],
    ['SHUTDOWN'],
    ['CLIENT', 'KILL', 'TYPE', 'normal'],
    ['SUBSCRIBE', 'x'],
    ['EVAL', "return redis.call('GET', 'other:key')", '0'],
    // What weaknesses of Redis itself were reached by.
    ['RESTORE', 'rd:x', '0', 'x'],
    ['MIGRATE', '127.0.0.1', '6379', 'rd:x', '0', '1000'],
    ['CONFIG', 'SET', 'dir', '/nowhere'],
    ['SCRIPT', 'FLUSH'],
    ['SCRIPT', 'LOAD', 'return 1'],
    ['FUNCTION', 'LOAD', '#!lua name=x'],
    ['DEBUG', 'SLEEP', '0'],
    ['MODULE', 'LOAD', '/nowhere/x.so'],
    ['REPLICAOF', '127.0.0.1', '1'],
    ['SLAVEOF', 'NO', 'ONE'],
    ['CLUSTER', 'RESET'],
    ['SWAPDB', '0', '1'],
    ['EVAL', "return redis.call('RESTORE', 'rd:x', 0, 'x')", '0'],
    ['EVAL', "return redis.call('CONFIG', 'SET', 'dir', '/nowhere')", '0'],
  ])('S16: keep it from %s %s', async (...command: string[]) => {
    const raw = server.connect({ username: 'redrive', password: 'a-long-password' });
    const [name = '', ...args] = command;
    await expect(raw.call(name, ...args)).rejects.toThrow(
      // DEBUG and MODULE are closed by the server itself, before it asks whose rights they are.
      /NOPERM|user executing the script can't (access|run)|command (is )?not allowed/,
    );
    raw.disconnect();
  });
});

/** Keys outside queues that a user may touch with every command it has; all others it may not touch at all. */
const WORKER_KEYS: GlobalKey[] = [
  'onceCounters',
  'workersSeen',
  'workersInfo',
  'workersSchemas',
  'workersRequests',
];
const SCHEDULE_KEYS: GlobalKey[] = ['schedulesDue', 'schedulesRecords'];
const ONE_QUEUE = ['emails', 'email-2', 'email.audit', 'email_', 'e', 'other', 'other#3', 'emails#1'];
const RESTRICTED: [user: string, allowed: GlobalKey[], foreign: string[]][] = [
  ['producer', [], []],
  ['worker', [...WORKER_KEYS, ...SCHEDULE_KEYS], []],
  ['email-producer', [], ONE_QUEUE],
  ['email-worker', WORKER_KEYS, ONE_QUEUE],
];
const DENIED = /NOPERM|user executing the script can't (access|run)/;
const READS: Record<string, string[]> = {
  string: ['GET'],
  hash: ['HGETALL'],
  zset: ['ZRANGE', '0', '-1'],
  stream: ['XRANGE', '-', '+'],
  list: ['LRANGE', '0', '-1'],
};
const WRITES: Record<string, string[]> = {
  string: ['SET', 'x'],
  hash: ['HSET', 'local:eve', 'x'],
  zset: ['ZADD', '1', 'x'],
  stream: ['XADD', '*', 'n', '1'],
  list: ['LPUSH', 'x'],
};

describe.each(RESTRICTED)('H2: the rules of %s', (user, allowed, foreign) => {
  let raw: Redis;
  const keys = createKeys('rd');
  const own = keys.column('email', 'jobs');
  beforeAll(() => {
    const { password } = documentedUsers().find((one) => one.user === user) ?? { password: '' };
    raw = server.connect({ username: user, password });
  });
  /** Read, written, taken away, and by way of a key of its own: all are refused. */
  async function isClosed(key: string, type: string): Promise<void> {
    const [read = '', ...readArgs] = READS[type] ?? [];
    const [write = '', ...writeArgs] = WRITES[type] ?? [];
    const commands = [
      [read, key, ...readArgs],
      [write, key, ...writeArgs],
      ['DEL', key],
      ['EXPIRE', key, '1'],
      ['RENAME', key, own],
      ['RENAME', own, key],
      ['COPY', key, own],
      ['COPY', own, key],
      ['EVAL', `return redis.call('${read}', KEYS[1], unpack(ARGV))`, '1', key, ...readArgs],
      ['EVAL', `return redis.call('${read}', '${key}', unpack(ARGV))`, '0', ...readArgs],
      ['EVAL', `return redis.call('${write}', '${key}', unpack(ARGV))`, '0', ...writeArgs],
    ];
    for (const [name = '', ...args] of commands)
      await expect(raw.call(name, ...args), [name, ...args].join(' ')).rejects.toThrow(DENIED);
  }

  it('H2: leave sessions, grants, tokens, the audit log and all that gives rights in the console out of reach', async () => {
    const shared: GlobalKey[] = ['queues', 'queuesSharding', 'dataset', 'datasetFormats'];
    const closed = (Object.keys(GLOBAL_KEYS) as GlobalKey[]).filter(
      (key) => !allowed.includes(key) && !shared.includes(key),
    );
    for (const name of [
      'accessSessions',
      'accessGrants',
      'accessTokens',
      'accessLinks',
      'auditEntries',
      'auditHead',
      'operationsRecords',
    ])
      expect(closed).toContain(name);
    for (const key of closed) await isClosed(keys.global(key), GLOBAL_KEYS[key].type);
    await isClosed(keys.preview('a'.repeat(40)), 'string');
    if (!user.endsWith('worker')) await isClosed(keys.once('a'.repeat(40)), 'string');
    // Nothing was hit or missed by chance: where it may, it can.
    for (const key of allowed) await raw.call('TYPE', keys.global(key));
    await raw.call('HGET', own, 'x');
  });

  it('H2: let it enter a name in the registry and look up shards, and nothing else of what all queues share', async () => {
    const [registry, sharding] = [keys.global('queues'), keys.global('queuesSharding')];
    const dataset = keys.global('dataset');
    await raw.call('SETNX', dataset, 'x');
    await raw.call('GET', dataset);
    await raw.call('ZADD', registry, 'NX', '1', 'email');
    await raw.call('HGETALL', sharding);
    const formats = keys.global('datasetFormats');
    await raw.call('HGETALL', formats);
    for (const [name = '', ...args] of [
      ['ZREM', registry, 'email'],
      ['ZRANGE', registry, '0', '-1'],
      ['DEL', registry],
      ['HSET', sharding, 'other', '1 8 id'],
      ['HDEL', sharding, 'other'],
      ['DEL', sharding],
      ['HSET', formats, '9', '9.0.0'],
      ['HDEL', formats, '1'],
      ['SET', dataset, 'x'],
      ['DEL', dataset],
      ['SCAN', '0'],
      ['RANDOMKEY'],
    ])
      await expect(raw.call(name, ...args), name).rejects.toThrow(DENIED);
  });

  if (foreign.length > 0)
    it('H2: leave every other queue out of reach, whatever its name begins with', async () => {
      for (const queue of foreign)
        for (const column of ['jobs', 'ready', 'config', 'audit', 'operations'] as const)
          await isClosed(`rd:{${queue}}:${column}`, COLUMNS[column]);
      await raw.call('HGET', 'rd:{email#3}:jobs', 'x');
    });

  if (foreign.length > 0)
    it('H2: and the broker says so', async () => {
      const { password } = documentedUsers().find((one) => one.user === user) ?? { password: '' };
      const one = createBroker({ url: `unix://${user}:${password}@${server.path}` });
      await one.enqueueMany('email', jobs(1, user.length * 100));
      await expect(one.enqueueMany('other', jobs(1))).rejects.toThrow(/NOPERM.*docs\/connections\.md/);
      await expect(one.inspect.job('other', 'j000000')).rejects.toThrow(/NOPERM/);
      await expect(one.access.users.list()).rejects.toThrow(/NOPERM/);
      one.close();
    });
});

describe('the viewer’s rules', () => {
  it('H2: let it read nothing of sessions and the audit log, nor the key that seals cursors', async () => {
    const raw = server.connect({ username: 'viewer', password: 'another-password' });
    for (const key of Object.values(GLOBAL_KEYS))
      if (/access|audit|search/.test(key.name)) {
        const [read = '', ...args] = READS[key.type] ?? [];
        await expect(raw.call(read, `rd:${key.name}`, ...args), key.name).rejects.toThrow(DENIED);
      }
  });

  it('let it read all there is to see', async () => {
    await broker.enqueueMany('seen', jobs(3));
    const { jobs: taken } = await broker.claim('seen', { worker: 'w1', count: 1 });
    await broker.fail(
      'seen',
      taken.map((job) => ({ ...job, failure: failure() })),
    );
    expect((await viewer.inspect.snapshot(['seen']))[0]?.counts).toMatchObject({ ready: 2, dead: 1 });
    expect(await viewer.inspect.queues()).toContain('seen');
    expect((await viewer.inspect.list('seen', { state: 'ready', limit: 10 })).jobs).toHaveLength(2);
    expect(await viewer.inspect.job('seen', 'j000000')).toMatchObject({ state: 'dead' });
    expect((await viewer.inspect.search({ state: 'dead', q: '', queue: 'seen' })).jobs).toHaveLength(1);
    await viewer.inspect.facets({ q: '', queue: 'seen' });
    await viewerLab.movements('seen', '0', 10);
    await viewer.inspect.minutes('seen', await viewer.now(), 5);
    expect(await viewer.inspect.ledger('seen')).toMatchObject({ difference: 0 });
    await viewer.workers.list();
    expect(await viewer.dataset.loss()).toBeNull();
    expect(await viewer.alerts.live()).toEqual([]);
    await viewer.operations.list(10);
    await viewerLab.state();
    await broker.marks.add({ kind: 'deploy', text: 'mailer' }, BY);
    const now = (await viewer.now()) + 1;
    for (const queues of [['seen'], null])
      await viewer.inspect.history(queues, { from: now - 3_600_000, to: now });
    expect(await viewer.inspect.marks(['seen'], { from: now - 3_600_000, to: now })).toHaveLength(1);
    expect(await viewer.inspect.breakdown('seen')).toMatchObject({ ready: { total: 2 } });
    expect(await viewer.inspect.queueMemory('seen')).toBeTruthy();
    expect(await viewer.inspect.memory()).toBeGreaterThan(0);
  });

  it('refuse every change, before it has done anything', async () => {
    const before = await dump();
    const { jobs: nothing } = await broker.claim('nobody', { worker: 'w1' });
    expect(nothing).toEqual([]);
    const changes: (() => Promise<unknown>)[] = [
      () => viewer.enqueueMany('seen', jobs(1, 7)),
      () => viewer.claim('seen', { worker: 'w2' }),
      () => viewer.ack('seen', [{ jobId: 'j000001', token: '1-AAAAAAAAAA' }]),
      () => viewer.promote('seen', ['j000001'], BY),
      () => viewer.pause('seen', { scope: 'queue', reason: 'a test' }, BY),
      () => viewer.cancel('seen', ['j000001'], BY),
      () => viewer.remove('seen', ['j000001']),
      () => viewer.redrive('seen', ['j000000'], BY),
      () => viewer.purge('seen', ['j000000'], BY),
      () => viewer.suppress('seen', ['j000000'], BY),
      () => startOperation(viewer, { kind: 'purge', q: 'queue:seen' }),
      () => viewer.marks.add({ kind: 'deploy', text: 'x' }, BY),
      () => viewerLab.requestBurst({ jobs: 1 }),
    ];
    for (const change of changes) {
      const outcome = await change().then(
        (value) => JSON.stringify(value),
        (error: Error) => error.message,
      );
      // An ack of a claim nobody holds changes nothing, nor does promoting what is ready: nothing is refused.
      expect(outcome).toMatch(/\(NOPERM\).*docs\/connections\.md|stale|wrong-state/);
    }
    expect(await dump()).toEqual(before);
  });
  const dump = async () => {
    const keys = (await admin.keys('rd:{seen}:*')).sort();
    return Promise.all(keys.map(async (key) => [key, (await admin.dumpBuffer(key))?.toString('hex')]));
  };
});

describe('on a Cluster', () => {
  it('both need to know where the slots are, and nothing else', async () => {
    const cluster = await startCluster();
    try {
      for (const node of cluster.masters)
        await makeDocumentedUsers(node.redis, ['+cluster|slots', '+cluster|info']);
      const at = (user: string) => createBroker({ url: cluster.url.replace('://', `://${user}@`) });
      const [writer, reader] = [at(BROKER), at(VIEWER)];
      const waiter = writer.waiter();
      for (const queue of ['a', 'b', 'c', 'd']) {
        await writer.enqueueMany(queue, jobs(2));
        expect(await waiter.wait([queue], 2_000)).toBe(queue);
        const { jobs: taken } = await writer.claim(queue, { worker: 'w1', count: 1 });
        expect(await writer.ack(queue, taken)).toEqual(['completed']);
      }
      expect((await reader.inspect.snapshot(['a', 'b', 'c', 'd'])).map(({ counts }) => counts.ready)).toEqual(
        [1, 1, 1, 1],
      );
      await expect(reader.enqueueMany('a', jobs(1, 5))).rejects.toThrow(/NOPERM/);
      waiter.close();
      writer.close();
      reader.close();
    } finally {
      await cluster.stop();
    }
  });
});
