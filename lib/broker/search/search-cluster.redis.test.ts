/** A search over the nodes of a real Cluster, with all of them there and with one of them gone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import { layoutOf, shardOfId } from '@/lib/broker/shards/shard-layout';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { type ClusterNode, startCluster, type TestCluster } from '@/testing/worlds/redis-cluster';
import { BY, ids, jobs, killAll } from '@/testing/worlds/world';

const COUNT = 300;
let cluster: TestCluster;
let broker: Broker;
beforeAll(async () => {
  cluster = await startCluster({ args: ['--cluster-require-full-coverage', 'no'] });
  broker = createBroker({ url: cluster.url });
}, 60_000);
afterAll(async () => {
  broker?.close();
  await cluster?.stop();
});

describe('on a Cluster', () => {
  it('all shards are searched as one, and those that are gone are said to be missing', {
    timeout: 90_000,
  }, async () => {
    const keys = createKeys('rd');
    const record = await cluster.ownerOf(keys.global('queuesSharding'));
    const registry = await cluster.ownerOf(keys.global('queues'));
    // A name one of whose shards is on a node that keeps neither the record nor the registry.
    let layout = layoutOf('orders', { count: 6, by: 'id' }, 1);
    let owners: ClusterNode[] = [];
    for (let i = 0; ; i++) {
      layout = layoutOf(`orders${i}`, { count: 6, by: 'id' }, 1);
      owners = await Promise.all(layout.names.map((name) => cluster.ownerOf(keys.column(name, 'jobs'))));
      if (new Set(owners).size === 3 && owners.some((node) => node !== record && node !== registry)) break;
    }
    const { queue } = layout;
    await broker.sharding.set(queue, { count: 6 }, BY);
    await killAll(broker, queue, jobs(COUNT, 0, { payload: '{"a":1}' }));
    const all = ids(jobs(COUNT) as { jobId: string }[]);
    for (const q of ['', 'type:demo -tenant:x', 'payload.a:1', '"{"']) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await broker.inspect.search({ state: 'dead', q, queue }, { limit: 70, cursor });
        seen.push(...ids(page.jobs));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(seen.length).toBe(COUNT);
      expect(seen.sort(), q).toEqual(all);
    }
    expect((await broker.inspect.facets({ q: '', queue })).facets.queue).toEqual([
      { value: queue, count: COUNT },
    ]);
    const { groups } = await broker.inspect.groups({ q: `queue:${queue}` });
    expect(groups).toMatchObject([{ count: COUNT, queues: [{ value: queue, count: COUNT }] }]);
    await broker.groups.change(groups[0]?.group ?? '', { name: 'known' }, BY);
    expect(await broker.inspect.group(groups[0]?.group ?? '')).toMatchObject({ name: 'known' });

    const victim = owners.find((node) => node !== record && node !== registry) as ClusterNode;
    const gone = owners.flatMap((node, shard) => (node === victim ? [shard] : []));
    await victim.server.kill();
    await until(
      async () => {
        const page = await broker.inspect.search({ state: 'dead', q: 'type:demo', queue }, { limit: 500 });
        return page.unavailable?.length === gone.length;
      },
      { what: 'the page to be partial', timeoutMs: 60_000 },
    );
    const page = await broker.inspect.search({ state: 'dead', q: 'type:demo', queue }, { limit: 500 });
    const there = all.filter((id) => !gone.includes(shardOfId(layout, id)));
    expect(ids(page.jobs).sort()).toEqual(there);
    expect(page.matching).toEqual({ count: there.length, exact: false });
    expect(page.unavailable?.map(({ shard }) => shard).sort()).toEqual(gone);
    expect(await broker.inspect.facets({ q: '', queue })).toMatchObject({
      matching: { count: there.length, exact: false },
    });
  });
});
