/** A Cluster with a replica for each master: who is asked, and what happens when a master dies under load. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { type Certificates, makeCertificates } from '@/testing/worlds/certificates';
import { startLoad, summary } from '@/testing/worlds/load';
import { type ClusterNode, startCluster, type TestCluster } from '@/testing/worlds/redis-cluster';
import { jobs } from '@/testing/worlds/world';

const keys = createKeys('rd');
const QUEUES = ['fail-a', 'fail-b', 'fail-c', 'fail-d'];

describe('a Cluster with replicas', () => {
  let cluster: TestCluster;
  let broker: Broker;
  beforeAll(async () => {
    cluster = await startCluster({ replicasEach: 1 });
    broker = createBroker({ url: cluster.url });
  });
  afterAll(async () => {
    broker.close();
    await cluster.stop();
  });

  it('B38 never asks a replica: no script, no read', async () => {
    const waiter = broker.waiter();
    for (const queue of QUEUES) {
      await broker.enqueueMany(queue, jobs(5));
      expect(await waiter.wait([queue], 2_000)).toBe(queue);
      const { jobs: taken } = await broker.claim(queue, { worker: 'w1', count: 5 });
      await broker.ack(queue, taken);
      await broker.inspect.list(queue, { state: 'completed', limit: 10 });
      await broker.inspect.queues();
    }
    await broker.inspect.snapshot(QUEUES);
    waiter.close();
    for (const replica of cluster.replicas) {
      const stats = await replica.redis.info('commandstats');
      // What replication itself brings (hset, zadd, evalsha is sent as its effects) is calls too: scripts and reads are ours.
      expect(stats).not.toMatch(/cmdstat_(eval|evalsha|zrange|zscore|hget|hmget|bzpopmin):/);
    }
    const asked = await Promise.all(cluster.masters.map((node) => node.redis.info('commandstats')));
    expect(asked.some((stats) => stats.includes('cmdstat_evalsha:'))).toBe(true);
  });

  it('B27 B28 goes on when a master is killed under load: its replica takes over, unaided', async () => {
    const victim = await cluster.ownerOf(keys.column(QUEUES[0] ?? '', 'jobs'));
    const owned = await Promise.all(
      QUEUES.map(async (queue) => (await cluster.ownerOf(keys.column(queue, 'jobs'))) === victim),
    );
    const load = startLoad({ url: cluster.url, queues: QUEUES, mayLose: true });
    await until(() => load.runs > 100, { what: 'the load to run', timeoutMs: 20_000 });
    const startedAt = performance.now();
    await victim.server.kill('SIGKILL');
    const rest = [...cluster.masters, ...cluster.replicas].filter((node) => node !== victim) as ClusterNode[];
    const before = load.acked;
    await until(() => load.acked > before + 40, { what: 'enqueues after the failover', timeoutMs: 25_000 });
    await cluster.settled('ok', rest);
    const recoveredMs = performance.now() - startedAt;
    const runs = load.runs;
    await until(() => load.runs > runs + 40, { what: 'runs after the failover', timeoutMs: 15_000 });
    const history = await load.finish();
    console.info(
      `master of ${owned.filter(Boolean).length} of ${QUEUES.length} queues killed, sound after ${Math.round(recoveredMs)} ms: ${summary(history)}`,
    );
    expect(history).toMatchObject({ unexpected: [], unknown: [] });
    expect(history.lost.length).toBeLessThanOrEqual(history.ackedPerSecond / 2);
    // This broker stood by: it has to find its way as well.
    for (const queue of QUEUES) {
      const ledger = await until(() => broker.inspect.ledger(queue), { what: `the ledger of ${queue}` });
      expect(ledger).toMatchObject({ difference: 0, strayRows: 0 });
    }
    // It comes back as a replica, and nobody minds.
    await victim.server.restart();
    await cluster.settled('ok', rest);
    await until(() => broker.enqueueMany(QUEUES[0] ?? '', jobs(1, 500)), { what: 'a job to be taken' });
  }, 60_000);
});

describe('a Cluster with TLS and users', () => {
  let certificates: Certificates;
  beforeAll(async () => {
    certificates = await makeCertificates();
  });
  afterAll(() => certificates.remove());

  it('is reached over TLS alone, waits included', async () => {
    const cluster = await startCluster({ tls: certificates });
    const broker = createBroker({ url: cluster.url, tls: { caFile: certificates.caFile } });
    const stranger = createBroker({ url: cluster.url, tls: { caFile: certificates.strangerCaFile } });
    try {
      expect(cluster.url).toMatch(/^rediss\+cluster:/);
      const waiter = broker.waiter();
      for (const queue of QUEUES) {
        await broker.enqueueMany(queue, jobs(1));
        expect(await waiter.wait(QUEUES, 5_000)).toBe(queue);
        const { jobs: taken } = await broker.claim(queue, { worker: 'w1' });
        expect(await broker.ack(queue, taken)).toEqual(['completed']);
      }
      waiter.close();
      await expect(stranger.ready()).rejects.toMatchObject({
        code: 'REDIS_UNAVAILABLE',
        message: expect.stringMatching(/certificate was not accepted/),
      });
    } finally {
      broker.close();
      stranger.close();
      await cluster.stop();
    }
  });
});
