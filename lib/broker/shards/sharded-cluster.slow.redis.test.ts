/** A sharded queue over the nodes of a real Cluster, with all of them there and with one of them gone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { operate } from '@/testing/worlds/operation-runs';
import { type ClusterNode, startCluster, type TestCluster } from '@/testing/worlds/redis-cluster';
import { BY, claimAll, failure, ids, jobs } from '@/testing/worlds/world';
import { createKeys } from '../redis/redis-keys';
import { layoutOf, type ShardLayout, shardOfId } from './shard-layout';
import { KNOWN_FOR_MS } from './sharded-context';

const keys = createKeys('rd');
let cluster: TestCluster;
let broker: Broker;
let layout: ShardLayout;
let owners: ClusterNode[];

beforeAll(async () => {
  // What a node has acknowledged is in its log when it is killed.
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];
  cluster = await startCluster({ args: ['--cluster-require-full-coverage', 'no', ...durable] });
  broker = createBroker({ url: cluster.url });
  const record = await cluster.ownerOf(keys.global('queuesSharding'));
  const registry = await cluster.ownerOf(keys.global('queues'));
  // A name whose six shards are on all nodes, and on one of those that keep neither the record nor the registry.
  for (let i = 0; ; i++) {
    layout = layoutOf(`orders${i}`, { count: 6, by: 'id' }, 1);
    owners = await Promise.all(layout.names.map((name) => cluster.ownerOf(keys.column(name, 'jobs'))));
    const there = new Set(owners);
    if (there.size === 3 && owners.some((node) => node !== record && node !== registry)) break;
  }
  await broker.sharding.set(layout.queue, { count: 6 }, BY);
});
afterAll(async () => {
  broker.close();
  await cluster.stop();
});

/** Collects until there are as many as expected: a node that is back is found by a look now and then. */
async function eventually<T>(more: () => Promise<T[]>, count: number): Promise<T[]> {
  const found: T[] = [];
  await until(
    async () => {
      found.push(...(await more()));
      return found.length >= count;
    },
    { what: `${count} of them`, timeoutMs: 30_000 },
  );
  return found;
}

const all = jobs(600).map((job) => job.jobId ?? '');

describe('a sharded queue on a Cluster', () => {
  it('lives its whole life over all nodes', async () => {
    const { queue } = layout;
    await broker.enqueueMany(queue, jobs(600));
    const again = await broker.enqueueMany(queue, jobs(600));
    expect(new Set(again.map((one) => one.outcome))).toEqual(new Set(['duplicate']));
    const [reading] = await broker.inspect.snapshot([queue]);
    expect([reading?.counts.ready, reading?.shards]).toEqual([600, { count: 6, unavailable: [] }]);
    const held = await claimAll(broker, queue, { most: 200 });
    expect(new Set(held.map((job) => job.shardName)).size).toBeGreaterThan(1);
    await broker.ack(queue, held.slice(0, 100));
    await broker.fail(
      queue,
      held.slice(100).map(({ jobId, token }) => ({ jobId, token, failure: failure() })),
    );
    const operation = await operate(broker, { kind: 'redrive', q: `queue:${queue}` });
    expect(operation).toMatchObject({ status: 'completed', moved: 100 });
    expect(await broker.cancel(queue, all.slice(0, 30), BY)).toHaveLength(30);
    const listed: string[] = [];
    for (const state of ['ready', 'completed', 'dead'] as const) {
      let cursor: string | undefined;
      do {
        const page = await broker.inspect.list(queue, { state, cursor, limit: 70 });
        listed.push(...ids(page.jobs));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
    }
    expect(listed.sort()).toEqual(all);
    await broker.pause(queue, { reason: 'a test' }, BY);
    expect(await broker.claim(queue, { worker: 'w' })).toMatchObject({ jobs: [], paused: true });
    await broker.resume(queue);
    expect(await broker.inspect.ledger(queue)).toMatchObject({
      difference: 0,
      strayRows: 0,
      unavailable: [],
    });
  });

  it('wakes who waits for it, wherever the job is', async () => {
    const { queue } = layout;
    await claimAll(broker, queue);
    const waiter = broker.waiter();
    try {
      for (let i = 0; i < 6; i++) {
        const jobId = Array.from({ length: 1_000 }, (_, n) => `wake-${i}-${n}`).find(
          (id) => shardOfId(layout, id) === i,
        );
        const woken = waiter.wait([queue], 20_000);
        await broker.enqueue(queue, { jobId, jobType: 'demo' });
        expect(await woken).toBe(queue);
        expect(ids((await broker.claim(queue, { worker: 'w' })).jobs)).toEqual([jobId]);
      }
    } finally {
      waiter.close();
    }
  });

  it('with a node down shows and works off the others, and says what is missing', {
    timeout: 90_000,
  }, async () => {
    const { queue } = layout;
    const batch = jobs(300, 1_000);
    await broker.enqueueMany(queue, batch);
    const record = await cluster.ownerOf(keys.global('queuesSharding'));
    const registry = await cluster.ownerOf(keys.global('queues'));
    const victim = owners.find((node) => node !== record && node !== registry) as ClusterNode;
    const gone = owners.flatMap((node, shard) => (node === victim ? [shard] : []));
    const there = batch.map((job) => job.jobId ?? '').filter((id) => !gone.includes(shardOfId(layout, id)));
    await victim.server.kill();
    await until(
      async () => {
        const [reading] = await broker.inspect.snapshot([queue]);
        return String(reading?.shards.unavailable) === String(gone);
      },
      { what: 'the snapshot to be partial', timeoutMs: 30_000 },
    );
    const [reading] = await broker.inspect.snapshot([queue]);
    expect(reading?.counts.ready).toBe(there.length);
    const page = await broker.inspect.list(queue, { state: 'ready', limit: 500 });
    expect([ids(page.jobs).sort(), page.unavailable]).toEqual([there, gone]);
    const taken: string[] = [];
    await until(
      async () => {
        const held = await claimAll(broker, queue);
        taken.push(...ids(held));
        if (held.length > 0) await broker.ack(queue, held);
        return taken.length === there.length;
      },
      { what: 'the jobs of the nodes that are there', timeoutMs: 30_000 },
    );
    expect(taken.sort()).toEqual(there);
    await victim.server.restart();
    await cluster.settled('ok');
    await until(async () => (await broker.inspect.snapshot([queue]))[0]?.shards.unavailable.length === 0, {
      what: 'the snapshot to be whole again',
      timeoutMs: 30_000,
    });
    const rest = await eventually(() => claimAll(broker, queue), 300 - there.length);
    expect(rest.map((job) => job.jobId).sort()).toEqual(
      batch.map((job) => job.jobId ?? '').filter((id) => gone.includes(shardOfId(layout, id))),
    );
    expect(new Set(await broker.ack(queue, rest))).toEqual(new Set(['completed']));
    expect(await broker.inspect.ledger(queue)).toMatchObject({
      difference: 0,
      strayRows: 0,
      unavailable: [],
    });
  });

  it('goes on though the node that keeps its sharding is down', { timeout: 90_000 }, async () => {
    const { queue } = layout;
    const victim = await cluster.ownerOf(keys.global('queuesSharding'));
    const there = layout.names.flatMap((_, shard) => (owners[shard] === victim ? [] : [shard]));
    const wanted = jobs(2_000, 20_000).filter((job) => there.includes(shardOfId(layout, job.jobId ?? '')));
    await broker.inspect.snapshot([queue]);
    await victim.server.kill();
    // For longer than anything is remembered of how a queue is sharded without being read again.
    const from = performance.now();
    const taken: string[] = [];
    let sent = 0;
    await until(
      async () => {
        const part = wanted.slice(sent, sent + 10);
        if (
          await broker.enqueueMany(queue, part).then(
            () => true,
            () => false,
          )
        )
          sent += part.length;
        const held = await broker.claim(queue, { worker: 'w', count: 100 }).catch(() => ({ jobs: [] }));
        if (held.jobs.length > 0) await broker.ack(queue, held.jobs);
        taken.push(...ids(held.jobs));
        return performance.now() - from > 2 * KNOWN_FOR_MS && taken.length >= sent && sent > 100;
      },
      { what: 'jobs to go through the shards that are there', timeoutMs: 60_000, everyMs: 100 },
    );
    expect(taken.sort()).toEqual(wanted.slice(0, sent).map((job) => job.jobId));
    await victim.server.restart();
    await cluster.settled('ok');
    await until(
      () =>
        broker.sharding.get(queue).then(
          ({ count }) => count === 6,
          () => false,
        ),
      {
        what: 'the sharding to be read again',
        timeoutMs: 30_000,
      },
    );
  });
});
