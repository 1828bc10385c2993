/** A claim that stands behind a blocking wait: what it does when the wait ends, and what is left when it is given up. */
import { expect, it } from 'vitest';
import type { Broker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { claimOne, ids, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
/** With Redis's own clock, as outside of tests. */
const broker = world.another({ clock: undefined });
const WAIT_MS = 20_000;

/** A queue that knows its scripts and has no jobs, with a waiter of its own. */
async function idleQueue() {
  const queue = world.freshQueue();
  await broker.enqueue(queue, { jobId: 'before', jobType: 'demo' });
  await broker.ack(queue, [await claimOne(broker, queue)]);
  await broker.claim(queue, { worker: 'w' });
  const waiter = broker.waiter();
  // The wake-up that the first job left.
  await waiter.wait([queue], 10);
  const nonce = `NONCE${queue}AAAAAAAA`;
  const behind = broker.claimBehindWait(queue, { worker: 'w', count: 3, nonce, unindexed: true });
  if (!behind) throw new Error('the queue cannot be claimed from so');
  const woken = waiter.wait([queue], WAIT_MS, behind.send);
  await until(async () => (await blockedClients()) > 0, { what: 'the wait to block' });
  return { queue, nonce, behind, woken, waiter };
}

const blockedClients = async () =>
  Number(/^blocked_clients:(\d+)/m.exec(await world.redis.info('clients'))?.[1]);
const inFlight = async (from: Broker, queue: string) =>
  (await from.inspect.snapshot([queue]))[0]?.counts['in-flight'];

it('has claimed when the wait ends, without another call', async () => {
  const { queue, behind, woken, waiter } = await idleQueue();
  await broker.enqueue(queue, { jobId: 'j1', jobType: 'demo', payload: 'x' });
  expect(await woken).toBe(queue);
  // The worker has asked for nothing since.
  expect(await inFlight(broker, queue)).toBe(1);
  const claimed = await behind.result();
  expect(claimed).toMatchObject({ more: false, paused: false });
  const [job] = claimed?.jobs ?? [];
  expect([job?.jobId, job?.attempt, String(job?.payload)]).toEqual(['j1', 1, 'x']);
  expect(await broker.ack(queue, claimed?.jobs ?? [])).toEqual(['completed']);
  waiter.close();
});

it('claims nothing when nothing came, and is tried again', async () => {
  const { queue, waiter, woken: first } = await idleQueue();
  waiter.interrupt();
  await first;
  const short = broker.claimBehindWait(queue, { worker: 'w', count: 3 });
  const woken = waiter.wait([queue], 20, short?.send);
  expect(await woken).toBeNull();
  expect(await short?.result()).toMatchObject({ jobs: [], more: false, nextAt: null });
  expect(broker.claimBehindWait(queue, { worker: 'w' })).not.toBeNull();
  waiter.close();
});

it('leaves a queue alone that is no longer plain, so that the usual claim takes its jobs', async () => {
  const { queue, behind, woken, waiter } = await idleQueue();
  await broker.config.change(queue, { concurrency: 5 }, { actor: 'tester' });
  await broker.enqueue(queue, { jobId: 'j1', jobType: 'demo' });
  expect(await woken).toBe(queue);
  expect(await behind.result()).toBeNull();
  expect(broker.claimBehindWait(queue, { worker: 'w' })).toBeNull();
  expect(ids((await broker.claim(queue, { worker: 'w' })).jobs)).toEqual(['j1']);
  waiter.close();
});

it('is not sent while the server and its data are unchecked, which it would go past', async () => {
  const { queue, waiter } = await idleQueue();
  await world.redis.hset(world.keys.global('datasetFormats'), '99', '9.9.9');
  await broker.dataset.look();
  expect(broker.claimBehindWait(queue, { worker: 'w' })).toBeNull();
  await world.redis.hdel(world.keys.global('datasetFormats'), '99');
  await until(() => broker.claim(queue, { worker: 'w' }), { what: 'the data to be taken again' });
  expect(broker.claimBehindWait(queue, { worker: 'w' })).not.toBeNull();
  waiter.close();
});

it('does nothing where Redis forgot the script', async () => {
  const { queue, behind, woken, waiter } = await idleQueue();
  await world.redis.script('FLUSH');
  await broker.enqueue(queue, { jobId: 'j1', jobType: 'demo' });
  expect(await woken).toBe(queue);
  expect(await behind.result()).toBeNull();
  expect(ids((await broker.claim(queue, { worker: 'w' })).jobs)).toEqual(['j1']);
  waiter.close();
});

it('never claims after the wait was given up, and says that it may have before', async () => {
  const { queue, nonce, behind, woken, waiter } = await idleQueue();
  waiter.interrupt();
  expect(await woken).toBeNull();
  await expect(behind.result()).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME' });
  await broker.enqueue(queue, { jobId: 'j1', jobType: 'demo' });
  expect(await inFlight(broker, queue)).toBe(0);
  expect(await broker.abandon(queue, nonce, { unindexed: true })).toBe(0);
  expect(ids((await broker.claim(queue, { worker: 'w' })).jobs)).toEqual(['j1']);
  waiter.close();
});

it('a job that it took before the wait was given up goes back with its nonce', async () => {
  const { queue, nonce, behind, waiter } = await idleQueue();
  // The answer to the wait may be on its way when that is given up.
  await broker.enqueue(queue, { jobId: 'j1', jobType: 'demo' });
  waiter.interrupt();
  const claimed = await behind.result().catch(() => null);
  const back = await broker.abandon(queue, nonce, { unindexed: true });
  expect(claimed === null ? back : claimed.jobs.length).toBe(1);
  expect(await inFlight(broker, queue)).toBe(claimed === null || back === 1 ? 0 : 1);
  waiter.close();
});
