/** A real master, replica and three Sentinels: the master dies or steps down under load, and work goes on elsewhere. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { startLoad, summary } from '@/testing/worlds/load';
import { type DataNode, startSentinels, type TestSentinels } from '@/testing/worlds/redis-sentinel';
import { jobs } from '@/testing/worlds/world';

let sentinels: TestSentinels;
let broker: Broker;
const other = (node: DataNode) => sentinels.nodes.find((one) => one !== node) as DataNode;

describe('Sentinel', () => {
  beforeEach(async () => {
    sentinels = await startSentinels();
    broker = createBroker({ url: sentinels.url });
  });
  afterEach(async () => {
    broker.close();
    await sentinels.stop();
  });

  /** By a connection that stood by: it has to find its way as well. */
  const balances = async () => {
    const ledger = await until(() => broker.inspect.ledger('orders'), {
      what: 'the ledger',
      timeoutMs: 20_000,
    });
    expect(ledger).toMatchObject({ difference: 0, strayRows: 0 });
  };

  it('B27 B28 kills of the master under load: the replica takes over, and only the replication window can be lost', async () => {
    const first = await sentinels.master();
    const load = startLoad({ url: sentinels.url, queues: ['orders'], mayLose: true });
    await until(() => load.runs > 100, { what: 'the load to run', timeoutMs: 20_000 });
    const killedAt = performance.now();
    await first.server.kill('SIGKILL');
    const before = load.acked;
    await until(() => load.acked > before + 20, { what: 'enqueues after the failover', timeoutMs: 25_000 });
    const recoveredMs = performance.now() - killedAt;
    const runs = load.runs;
    await until(() => load.runs > runs + 20, { what: 'runs after the failover', timeoutMs: 15_000 });
    expect(await sentinels.master()).toBe(other(first));
    const history = await load.finish();
    console.info(`master killed, work again after ${Math.round(recoveredMs)} ms: ${summary(history)}`);
    // What the master had acknowledged and not yet sent on: on one machine that is nothing, or the last few.
    expect(history.lost.length).toBeLessThanOrEqual(history.ackedPerSecond / 2);
    expect(history).toMatchObject({ unexpected: [], unknown: [] });
    await balances();
  }, 60_000);

  it('B28 a planned failover under load: the connection leaves the old master at once, by itself', async () => {
    const first = await sentinels.master();
    const load = startLoad({ url: sentinels.url, queues: ['orders'] });
    await until(() => load.runs > 50, { what: 'the load to run', timeoutMs: 20_000 });
    await sentinels.failover();
    await until(async () => (await sentinels.master()) !== first, {
      what: 'the failover',
      timeoutMs: 20_000,
    });
    // Only now does the old master learn that it is none, and drops what it took meanwhile.
    await sentinels.settled();
    const before = load.acked;
    await until(() => load.acked > before + 50, { what: 'enqueues after the failover', timeoutMs: 20_000 });
    const history = await load.finish();
    console.info(`planned failover: ${summary(history)}`);
    expect(history).toMatchObject({ unexpected: [], unknown: [] });
    // The window: acknowledged by the old master after the new one was chosen, before the news of it came. Not a second's worth.
    expect(history.lost.length).toBeLessThanOrEqual(history.ackedPerSecond);
    await balances();
  }, 60_000);

  it('goes on with one Sentinel of three gone, and finds the master through the others', async () => {
    await broker.enqueueMany('orders', jobs(1));
    await sentinels.killSentinel(0);
    await broker.enqueueMany('orders', jobs(1, 1));
    const late = createBroker({ url: sentinels.url });
    await late.enqueueMany('orders', jobs(1, 2));
    expect((await late.inspect.snapshot(['orders']))[0]?.counts.ready).toBe(3);
    late.close();
  });

  it('F5: says so when no Sentinel knows the name', async () => {
    const lost = createBroker({ url: sentinels.url.replace(/\/mymaster$/, '/nobody') });
    await expect(lost.ready()).rejects.toMatchObject({
      code: 'REDIS_UNAVAILABLE',
      message: expect.stringMatching(/no Sentinel knows a master of the name that ends the address/),
    });
    lost.close();
  });
});
