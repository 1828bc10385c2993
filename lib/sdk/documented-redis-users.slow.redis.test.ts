/** The Redis users of docs/connections.md do all that an application and a worker do with them. */
import {
  type Client,
  createClient,
  createSchedule,
  createWorker,
  defineHandler,
  type WorkerEvent,
} from 'redrive';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { until } from '@/testing/poll';
import {
  documentedUsers,
  makeDocumentedUsers,
  startRedis,
  type TestRedis,
} from '@/testing/worlds/redis-server';
import { BY } from '@/testing/worlds/world';

const QUEUE = 'email';
const LEASE_MS = 600;
let redis: TestRedis;
let operator: Client;
const clients: Client[] = [];
const as = (user: string): Client => {
  const { password } = documentedUsers().find((one) => one.user === user) ?? { password: '' };
  const client = createClient({ url: `unix://${user}:${password}@${redis.path}` });
  clients.push(client);
  return client;
};
const becomes = (client: Client, jobId: string, state: string) =>
  until(async () => (await client.job(QUEUE, jobId)).state === state, {
    what: `${jobId} to be ${state}`,
    timeoutMs: 10_000,
  });

describe.each([
  ['of all queues', 'producer', 'worker', 1],
  ['of all queues, sharded', 'producer', 'worker', 4],
  ['of one queue', 'email-producer', 'email-worker', 1],
  ['of one queue, sharded', 'email-producer', 'email-worker', 4],
] as const)('H2: users %s', (_, producerName, workerName, shards) => {
  const isWhole = workerName === 'worker';
  let producer: Client;
  beforeAll(async () => {
    redis = await startRedis();
    await makeDocumentedUsers(redis.connect());
    operator = as('redrive');
    if (shards > 1) await operator.broker.sharding.set(QUEUE, { count: shards, by: 'id' }, BY);
    producer = as(producerName);
  });
  afterAll(async () => {
    for (const client of clients.splice(0)) client.close();
    await redis.stop();
  });

  it('H2: enqueue, look at, pause and change jobs', async () => {
    const job = defineHandler({ type: 'later', schema: z.string(), run: () => undefined });
    const soon = { delayMs: 60_000 };
    await producer.enqueue(QUEUE, job, 'x', { jobId: 'a', ...soon });
    expect(await producer.enqueue(QUEUE, job, 'x', { jobId: 'a', ...soon })).toMatchObject({
      outcome: 'duplicate',
    });
    await producer.enqueueMany(QUEUE, job, [
      { payload: 'y', jobId: 'b', unique: { key: 'k', ttlMs: 60_000 } },
      { payload: 'z', jobId: 'c', ...soon },
    ]);
    await producer.pause(QUEUE, { reason: 'a test' });
    await producer.resume(QUEUE);
    expect(await producer.promote(QUEUE, ['c'])).toEqual(['ok']);
    expect(await producer.cancel(QUEUE, ['a', 'b', 'c'])).toEqual(['ok', 'ok', 'ok']);
    expect(await producer.redrive(QUEUE, ['a'])).toEqual(['ok']);
    expect(await producer.suppress(QUEUE, ['b'])).toEqual(['ok']);
    expect(await producer.purge(QUEUE, ['b'])).toEqual(['ok']);
    expect(await producer.restore(QUEUE, ['b'])).toEqual(['ok']);
    expect(await producer.remove(QUEUE, ['a', 'b', 'c'])).toEqual(['ok', 'ok', 'ok']);
    expect(await operator.broker.inspect.queues()).toEqual([QUEUE]);
  });

  it('H2: run a worker with heartbeats, retries, once and schedules, and meet no refusal', async () => {
    const ran: string[] = [];
    const tries = new Map<string, number>();
    const job = defineHandler({
      type: 'send',
      schema: z.string(),
      run: async (payload, { once, job: { jobId } }) => {
        const attempt = (tries.get(jobId) ?? 0) + 1;
        tries.set(jobId, attempt);
        if (payload === 'fails once' && attempt === 1) throw new Error('the first time');
        await once(`send ${jobId}`, () => 'sent');
        ran.push(jobId);
      },
    });
    const slow = defineHandler({
      type: 'slow',
      schema: z.null(),
      run: (_payload, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
    });
    const troubles: WorkerEvent[] = [];
    const client = as(workerName);
    const worker = createWorker(client, {
      queues: { [QUEUE]: 1 },
      concurrency: 4,
      leaseMs: LEASE_MS,
      drainMs: 100,
      handlers: [job, slow],
      schedules: isWhole,
      onEvent: (event) => event.type === 'trouble' && troubles.push(event),
    });
    const at = {
      id: 'nightly',
      queue: QUEUE,
      timing: { everyMs: 1_000 },
      job: { jobType: 'send', payload: '"slot"' },
    };
    if (isWhole) await createSchedule(operator.broker, at, BY);
    worker.start();
    await producer.enqueueMany(QUEUE, job, [
      { payload: 'works', jobId: 'one' },
      { payload: 'fails once', jobId: 'two' },
      { payload: 'due soon', jobId: 'three', delayMs: 300 },
    ]);
    await producer.enqueue(QUEUE, slow, null, { jobId: 'slow' });
    for (const jobId of ['one', 'two', 'three']) await becomes(producer, jobId, 'completed');
    if (isWhole)
      await until(() => ran.some((jobId) => jobId.startsWith('nightly.')), {
        what: 'a job of the schedule',
        timeoutMs: 10_000,
      });
    const report = async () => (await operator.broker.workers.list()).workers[0];
    expect(await report()).toMatchObject({ workerId: worker.workerId, status: 'running' });
    // A report may be from before it was claimed, and a busy machine may lose a lease: then the next ones tell.
    await until(
      async () => {
        const held = (await report())?.jobs.find(({ jobId }) => jobId === 'slow');
        return held && held.leaseUntil > held.startedAt + LEASE_MS;
      },
      { what: 'a lease to be renewed', timeoutMs: 10_000 },
    );
    expect((await operator.broker.inspect.onceCounts()).started).toBeGreaterThanOrEqual(3);
    await worker.stop();
    expect(troubles).toEqual([]);
    expect((await operator.broker.workers.list()).workers[0]).toMatchObject({ status: 'stopped' });
    expect(await operator.broker.inspect.ledger(QUEUE)).toMatchObject({ difference: 0, strayRows: 0 });
  }, 30_000);

  if (isWhole)
    it('H2: make schedules with the keys more that the documentation names', async () => {
      const admin = redis.connect();
      const at = {
        id: 'made',
        queue: QUEUE,
        timing: { everyMs: 60_000 },
        job: { jobType: 'send', payload: '"slot"' },
      };
      await expect(createSchedule(as('worker').broker, at, BY)).rejects.toThrow(/NOPERM/);
      await admin.call('ACL', 'SETUSER', 'worker', '~rd:{.schedules}:audit', '~rd:{.schedules}:shares');
      await createSchedule(as('worker').broker, at, BY);
    });
});
