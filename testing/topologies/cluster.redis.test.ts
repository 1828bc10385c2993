/** A real Cluster of three masters: everything works on it, while slots move, and with a node down the others go on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCRIPTS, type ScriptName } from '@/lib/broker/lua.generated';
import { createContext } from '@/lib/broker/redis/broker-context';
import { slotOf } from '@/lib/broker/redis/cluster-nodes';
import { COLUMNS, createKeys, KEY_FAMILIES } from '@/lib/broker/redis/redis-keys';
import { evalMany } from '@/lib/broker/redis/run-pipelines';
import { scriptKeys } from '@/lib/broker/redis/script-runner';
import { openLab } from '@/lib/lab/open-lab';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { operate } from '@/testing/worlds/operation-runs';
import { type ClusterNode, startCluster, type TestCluster } from '@/testing/worlds/redis-cluster';
import { BY, CRASH, failure, jobs } from '@/testing/worlds/world';

const keys = createKeys('rd');

describe('B29 the keys of a script', () => {
  it.each(Object.keys(SCRIPTS) as ScriptName[])('%s share one slot', (name) => {
    // A mark of work done once, or a preview, is alone in its script: one key is one slot.
    if (SCRIPTS[name].keys.join() in KEY_FAMILIES) return;
    const slots = new Set(scriptKeys(keys, name, 'orders').names.map(slotOf));
    expect(slots.size).toBeLessThanOrEqual(1);
  });
  it('of each shard of a queue are in slots of their own', () => {
    const slots = ['orders', 'orders#1', 'orders#2', 'orders#63'].map((queue) => {
      const all = new Set(
        (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((c) => slotOf(keys.column(queue, c))),
      );
      expect(all.size).toBe(1);
      return [...all][0];
    });
    expect(new Set(slots).size).toBe(4);
  });
});

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

  it('B29 takes every call of a job’s life, on queues of every node', async () => {
    const by = BY;
    for (const queue of queues) {
      await broker.enqueueMany(queue, [...jobs(12), ...jobs(1, 50, { delayMs: 60_000 })]);
      const { jobs: taken } = await broker.claim(queue, { worker: 'w1', count: 10, nonce: 'CLUSTERLIFE' });
      const [acked, failed, retried, released, cancelled, extended] = taken;
      if (!acked || !failed || !retried || !released || !cancelled || !extended)
        throw new Error('ten were there');
      expect(await broker.ack(queue, [acked])).toEqual(['completed']);
      expect(
        await broker.fail(queue, [
          { ...failed, failure: failure() },
          { ...retried, failure: { ...failure('X', 'retryable'), retryInMs: 60_000 } },
        ]),
      ).toEqual(['dead', 'retry']);
      expect(await broker.release(queue, [released])).toEqual(['released']);
      expect(await broker.extend(queue, [extended], 60_000)).toEqual(['extended']);
      expect(await broker.cancel(queue, [cancelled.jobId], by)).toEqual(['ok']);
      expect(await broker.promote(queue, ['j000050'], by)).toEqual(['ok']);
      expect(await broker.reclaimWorker(queue, 'w1', CRASH)).toMatchObject({ died: 0 });
      await broker.pause(queue, { scope: 'queue', reason: 'a test' }, by);
      expect(await broker.claim(queue, { worker: 'w1' })).toMatchObject({ jobs: [], paused: true });
      expect(await broker.resume(queue, 'queue')).toBe(true);
      expect(await broker.redrive(queue, [failed.jobId], by)).toEqual(['ok']);
      expect(await broker.purge(queue, [cancelled.jobId], by)).toEqual(['ok']);
      expect(await broker.restore(queue, [cancelled.jobId], by)).toEqual(['ok']);
      expect(await broker.suppress(queue, [cancelled.jobId], by)).toEqual(['ok']);
      expect(await broker.remove(queue, [cancelled.jobId])).toEqual(['ok']);
      await broker.maintain(queue);
      expect((await broker.inspect.list(queue, { state: 'ready', limit: 50 })).jobs.length).toBeGreaterThan(
        5,
      );
      expect((await broker.inspect.job(queue, acked.jobId)).state).toBe('completed');
    }
    await sound();
  });

  it('B29 is read across nodes: snapshots, the dead of all queues, operations, workers, the lab, memory', async () => {
    for (const queue of queues) {
      const { jobs: taken } = await broker.claim(queue, { worker: 'w1', count: 3 });
      await broker.fail(
        queue,
        taken.map((job) => ({ ...job, failure: failure('MANY') })),
      );
    }
    const readings = await broker.inspect.snapshot(queues);
    expect(readings.map((reading) => [reading.queue, reading.counts.dead])).toEqual(
      queues.map((q) => [q, 3]),
    );
    expect([...(await broker.inspect.queues())].sort()).toEqual([...queues].sort());
    expect(
      (await broker.inspect.search({ state: 'dead', q: 'code:MANY' }, { limit: 100 })).jobs,
    ).toHaveLength(18);
    await operate(broker, { kind: 'redrive' });
    expect((await broker.operations.list(10)).operations).toHaveLength(1);
    expect((await broker.inspect.snapshot(queues)).map((reading) => reading.counts.dead)).toEqual(
      Array(6).fill(0),
    );
    const lab = openLab({ url: cluster.url });
    await lab.requestBurst({ jobs: 5 });
    expect(await lab.takeBurst()).toEqual({ jobs: 5 });
    expect((await lab.state()).settings).toEqual(await lab.settings());
    lab.close();
    expect((await broker.workers.list()).workers).toEqual([]);
    expect(await broker.inspect.memory()).toBeGreaterThan(3 * 500_000);
    expect(Math.abs((await broker.now()) - Date.now())).toBeLessThan(5_000);
    await sound();
  });

  it('asked as if it were one server, says which address it wants', async () => {
    const single = createBroker({ url: `redis://127.0.0.1:${cluster.masters[0]?.port}` });
    const outcomes = await Promise.all(
      queues.map((queue) => single.inspect.job(queue, 'nobody').catch((error: Error) => error.message)),
    );
    expect(outcomes.filter((words) => /MOVED.*redis\+cluster:\/\//.test(String(words)))).toHaveLength(4);
    single.close();
  });

  it('B27 with forgetful nodes: a flushed script cache is not noticed, for one call or for many', async () => {
    const ctx = createContext({ url: cluster.url });
    try {
      for (let i = 0; i < 20; i++) {
        await Promise.all(cluster.masters.map((node) => node.redis.script('FLUSH')));
        const settled = await evalMany(
          ctx,
          queues.map((queue) => ({ script: 'snapshot', queue, args: [] })),
        );
        expect(settled.map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'));
      }
    } finally {
      ctx.close();
    }
  });

  describe('waiting', () => {
    const fresh = ['wait-a', 'wait-b', 'wait-c', 'wait-d'];
    it('wakes for whichever queue has work, on whichever node, at once', async () => {
      const waiter = broker.waiter();
      for (const queue of fresh) {
        const woken = waiter.wait(fresh, 10_000);
        await until(blockedClients, { what: 'the waiter to block' });
        const startedAt = performance.now();
        await broker.enqueueMany(queue, jobs(1));
        expect(await woken).toBe(queue);
        await expectWithin(performance.now() - startedAt, 5_000);
      }
      waiter.close();
    });
    it('gives a token back that comes when it no longer waits, so that another wakes', async () => {
      const [one, other] = [broker.waiter(), broker.waiter()];
      const [a = '', b = ''] = ['give-a', 'give-b'];
      const first = one.wait([a, b], 10_000);
      await until(async () => (await blockedClients()) >= 2, { what: 'two pops' });
      await broker.enqueueMany(a, jobs(1));
      expect(await first).toBe(a);
      // Its pop on b is still under way. Work for b must reach the one who waits.
      const second = other.wait([b], 10_000);
      await broker.enqueueMany(b, jobs(1));
      expect(await second).toBe(b);
      one.close();
      other.close();
    });
    it('ends in time, when interrupted, and when closed', async () => {
      const waiter = broker.waiter();
      expect(await waiter.wait(['never-a', 'never-b'], 50)).toBeNull();
      const interrupted = waiter.wait(['never-a'], 60_000);
      await until(blockedClients, { what: 'the waiter to block' });
      waiter.interrupt();
      expect(await interrupted).toBeNull();
      const closed = waiter.wait(['never-a'], 60_000);
      await until(blockedClients, { what: 'the waiter to block' });
      waiter.close();
      expect(await closed).toBeNull();
      expect(await waiter.wait(['never-a'], 60_000)).toBeNull();
    });
    it('watches more queues than it has connections for', async () => {
      const many = Array.from({ length: 80 }, (_, i) => `many-${i}`);
      const waiter = broker.waiter();
      for (const queue of ['many-0', 'many-41', 'many-79']) {
        const woken = waiter.wait(many, 15_000);
        await until(async () => (await blockedClients()) >= 10, { what: 'the waiter to block' });
        await broker.enqueueMany(queue, jobs(1));
        expect(await woken).toBe(queue);
        expect(await blockedClients()).toBeLessThanOrEqual(32);
      }
      waiter.close();
    });
  });
  const blockedClients = async () => {
    const infos = await Promise.all(cluster.masters.map((node) => node.redis.info('clients')));
    return infos.reduce((sum, info) => sum + Number(info.match(/blocked_clients:(\d+)/)?.[1] ?? 0), 0);
  };
});
