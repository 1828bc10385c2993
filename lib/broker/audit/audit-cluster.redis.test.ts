/** On a Cluster outboxes and log lie in different slots, on different nodes: the log is the same. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Broker, createBroker } from '@/testing/create-broker';
import { startCluster, type TestCluster } from '@/testing/worlds/redis-cluster';
import { jobs } from '@/testing/worlds/world';

let cluster: TestCluster;
let broker: Broker;
beforeAll(async () => {
  cluster = await startCluster();
  broker = createBroker({ url: cluster.url });
});
afterAll(async () => {
  broker.close();
  await cluster.stop();
});

it('carries records of all nodes into one chain, once', async () => {
  const queues = Array.from({ length: 12 }, (_, i) => `q${i}`);
  const by = { actor: 'ann' };
  await broker.sharding.set('wide', { count: 4 }, by);
  for (const queue of [...queues, 'wide']) await broker.enqueueMany(queue, jobs(8));
  for (const queue of [...queues, 'wide']) await broker.pause(queue, { reason: queue }, by);
  await broker.audit.note({ action: 'test.note' }, by);
  await Promise.all([broker.audit.collect(), broker.audit.collect()]);
  await broker.audit.collect();
  const found = new Map<string, number>();
  for await (const { action, queue } of broker.audit.matching({})) {
    const key = action === 'queue.pause' ? `${queue}` : action;
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  for (const queue of queues) expect(found.get(queue)).toBe(1);
  expect(found.get('wide')).toBe(4);
  expect([found.get('queue.sharding'), found.get('test.note'), found.get('audit.gap')]).toEqual([
    1,
    1,
    undefined,
  ]);
  expect(await broker.audit.check()).toMatchObject({ ok: true, problems: [] });
});
