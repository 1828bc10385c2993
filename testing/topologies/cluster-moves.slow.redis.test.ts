/** A Cluster in motion: slots move under load, a node goes down and comes back, a node is not safe. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContext } from '@/lib/broker/redis/broker-context';
import { slotOf } from '@/lib/broker/redis/cluster-nodes';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import { evalMany } from '@/lib/broker/redis/run-pipelines';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { startLoad, summary } from '@/testing/worlds/load';
import { type ClusterNode, startCluster, type TestCluster } from '@/testing/worlds/redis-cluster';
import { jobs } from '@/testing/worlds/world';

const keys = createKeys('rd');

describe('a Cluster', () => {
  let cluster: TestCluster;
  let broker: Broker;
  /** Two queues a node. */
  const queues: string[] = [];
  beforeAll(async () => {
    cluster = await startCluster({ args: ['--cluster-require-full-coverage', 'no'] });
    broker = createBroker({ url: cluster.url });
    const perNode = new Map<ClusterNode, number>();
    for (let i = 0; queues.length < 6; i++) {
      const owner = await cluster.ownerOf(keys.column(`q${i}`, 'jobs'));
      if ((perNode.get(owner) ?? 0) >= 2) continue;
      perNode.set(owner, (perNode.get(owner) ?? 0) + 1);
      queues.push(`q${i}`);
    }
  });
  afterAll(async () => {
    broker.close();
    await cluster.stop();
  });
  const sound = async (among = queues) => {
    for (const queue of among)
      expect(await broker.inspect.ledger(queue)).toMatchObject({ difference: 0, strayRows: 0 });
  };

  it('B29 MOVED, TRYAGAIN: slots move under load, and nothing is lost or run twice', {
    timeout: 90_000,
  }, async () => {
    const moving = ['load-a', 'load-b', 'load-c'];
    const load = startLoad({ url: cluster.url, queues: moving });
    await until(() => load.runs > 50, { what: 'the load to run', timeoutMs: 20_000 });
    let moves = 0;
    for (let round = 0; round < 2; round++)
      for (const queue of moving) {
        const slot = slotOf(keys.column(queue, 'jobs'));
        const owner = await cluster.ownerOf(keys.column(queue, 'jobs'));
        const to = cluster.masters[(cluster.masters.indexOf(owner) + 1) % 3] as ClusterNode;
        const before = load.acked;
        const refused = await cluster.refusals('TRYAGAIN');
        // Half moved, its scripts are refused with TRYAGAIN, and wait; the other queues go on.
        await cluster.moveSlot(slot, to, {
          between: async () => {
            await until(() => load.acked > before, { what: 'enqueues during the move', timeoutMs: 20_000 });
          },
          halfway: async () => {
            await until(async () => (await cluster.refusals('TRYAGAIN')) > refused, {
              what: 'a call in between',
              timeoutMs: 20_000,
            });
          },
        });
        moves += 1;
        const after = load.acked;
        await until(() => load.acked > after + 5, { what: 'enqueues after the move', timeoutMs: 20_000 });
      }
    const history = await load.finish();
    console.info(`${moves} slots moved under load: ${summary(history)}`);
    expect(history).toMatchObject({ lost: [], unexpected: [], unknown: [], repeated: [] });
    for (const word of ['MOVED', 'TRYAGAIN']) expect(await cluster.refusals(word), word).toBeGreaterThan(0);
    await sound(moving);
  });

  it('ASK, TRYAGAIN for longer than a call can wait are said in a sentence of their own, and nothing was done', async () => {
    const queue = 'halved';
    const key = keys.column(queue, 'jobs');
    const move = async (step: 'between' | 'halfway') => {
      const owner = await cluster.ownerOf(key);
      const to = cluster.masters.find((node) => node !== owner) as ClusterNode;
      await cluster.moveSlot(slotOf(key), to, {
        [step]: () =>
          expect(broker.enqueueMany(queue, jobs(1, 9))).rejects.toMatchObject({
            code: 'REDIS_UNAVAILABLE',
            message: expect.stringMatching(/\(TRYAGAIN\).*being moved.*Nothing was changed/),
          }),
      });
    };
    // Without a key of its own yet, a queue is looked for at the new place.
    const asked = await cluster.refusals('ASK');
    await move('between');
    expect(await cluster.refusals('ASK')).toBeGreaterThan(asked);
    await broker.enqueueMany(queue, jobs(3));
    await move('halfway');
    expect((await broker.enqueueMany(queue, jobs(1, 9)))[0]?.outcome).toBe('ready');
    await sound([queue]);
  });

  it('with a master down: its queues are refused with a reason, the others go on, and all is back with it', async () => {
    const [dead] = cluster.masters as [ClusterNode];
    const owned = await Promise.all(
      queues.map(async (queue) => (await cluster.ownerOf(keys.column(queue, 'jobs'))) === dead),
    );
    const there = queues.filter((_, i) => !owned[i]);
    const gone = queues.filter((_, i) => owned[i]);
    expect(gone.length).toBeGreaterThan(0);
    await dead.server.kill();
    try {
      await cluster.settled('ok', cluster.masters.slice(1));
      await until(
        async () => {
          const code = await broker.enqueueMany(gone[0] ?? '', jobs(1, 900)).catch((error) => error.code);
          return code === 'REDIS_UNAVAILABLE' || code === 'UNKNOWN_OUTCOME';
        },
        { what: 'the loss to be noticed' },
      );
      for (const queue of there) await broker.enqueueMany(queue, jobs(3, 700));
      const ctx = createContext({ url: cluster.url });
      const settled = await evalMany(
        ctx,
        queues.map((queue) => ({ script: 'snapshot', queue, args: [] })),
      );
      expect(settled.map(({ status }) => status === 'rejected')).toEqual(owned);
      ctx.close();
      const waiter = broker.waiter();
      expect(await waiter.wait(gone, 20_000)).toBeNull();
      expect(await waiter.wait(there, 20_000)).toSatisfy((queue: string) => there.includes(queue));
      waiter.close();
    } finally {
      await dead.server.restart();
    }
    await cluster.settled('ok', cluster.masters.slice(1));
    for (const queue of gone)
      await until(() => broker.enqueueMany(queue, jobs(1, 950)), {
        what: `${queue} to be back`,
        timeoutMs: 20_000,
      });
    await sound(there);
  });
});

describe('CLUSTERDOWN', () => {
  it('is said in a sentence of its own, at once, and ends with its cause', async () => {
    const cluster = await startCluster();
    const broker = createBroker({ url: cluster.url });
    try {
      await broker.enqueueMany('orders', jobs(1));
      const owner = await cluster.ownerOf(keys.column('orders', 'jobs'));
      const victim = cluster.masters.find((node) => node !== owner) as ClusterNode;
      const rest = cluster.masters.filter((node) => node !== victim);
      await victim.server.kill();
      await cluster.settled('fail', rest);
      await until(
        () =>
          broker.enqueueMany('orders', jobs(1, 1)).then(
            () => false,
            (error: Error) => /CLUSTERDOWN.*no master.*Nothing was changed/.test(error.message),
          ),
        { what: 'CLUSTERDOWN' },
      );
      await victim.server.restart();
      await cluster.settled('ok', rest);
      await until(() => broker.enqueueMany('orders', jobs(1, 2)), { what: 'the Cluster to be back' });
    } finally {
      broker.close();
      await cluster.stop();
    }
  });
});

describe('an unsafe node', () => {
  it('among safe ones is named', async () => {
    const cluster = await startCluster();
    await cluster.masters[1]?.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const broker = createBroker({ url: cluster.url });
    await expect(broker.ready()).rejects.toMatchObject({
      code: 'REDIS_UNSAFE',
      message: expect.stringContaining(
        `node 127.0.0.1:${cluster.masters[1]?.port}) has maxmemory-policy allkeys-lru`,
      ),
    });
    await cluster.masters[1]?.redis.config('SET', 'maxmemory-policy', 'noeviction');
    await expect(broker.ready()).resolves.toHaveProperty('version');
    broker.close();
    await cluster.stop();
  });
});
