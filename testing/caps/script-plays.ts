/** Calls that make each script of jobs work at its limit, with rows as applications write them, on queues without and with all that costs more. */
import type { ClaimedJob } from '@/lib/broker';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import type { Broker } from '@/testing/create-broker';
import { operate } from '@/testing/worlds/operation-runs';
import { BY, CRASH, claimAll, enqueueAll, failure, jobs, type World } from '@/testing/worlds/world';

const PAYLOAD = JSON.stringify({
  order: 'b7f3a1',
  lines: Array.from({ length: 12 }, (_, i) => ({
    sku: `sku-${i}`,
    n: i,
    text: 'lorem ipsum dolor sit amet',
  })),
});
const STACK = Array.from({ length: 12 }, (_, i) => `at f${i} (/app/node_modules/lib/${i}.js:${i}:10)`).join(
  '\n',
);
const FAILURE = { ...failure(), message: 'm'.repeat(200), stack: STACK };
const RETRY = { ...FAILURE, errorClass: 'retryable', retryInMs: 1_000 } as const;
const TENANTS = 500;
const RICH = {
  fair: 'tenant',
  concurrency: 50_000,
  rate: { perSecond: 100_000, burst: 100_000 },
  tenantLimit: { concurrency: 5_000, rate: { perSecond: 1_000, burst: 1_000 } },
} as const;

const rowOf = (i: number, isRich: boolean): Partial<EnqueueInput> => ({
  payload: PAYLOAD,
  jobType: `type-${i % 7}`,
  priority: i % 3,
  tenantId: `t${i % (isRich ? TENANTS : 20)}`,
  ...(isRich && {
    idempotencyKey: `k${i}`,
    unique: { key: `u${i}`, scope: 'claimed', ttlMs: 3_600_000 },
  }),
});

/** Yields after each call, for the reading of what it cost. @param broker the one that is measured; others only prepare */
export async function* playScripts(world: World, broker: Broker): AsyncGenerator<string> {
  yield* lifeOfJobs(world, broker, false);
  yield* lifeOfJobs(world, broker, true);
  yield* heldJobs(world, broker);
}

async function* lifeOfJobs(world: World, broker: Broker, isRich: boolean): AsyncGenerator<string> {
  const { clock, broker: preparing } = world;
  const queue = world.freshQueue();
  if (isRich) await preparing.config.change(queue, RICH, BY);
  let made = 0;
  const some = (count: number, more: Partial<EnqueueInput> = {}): EnqueueInput[] => {
    const from = made;
    made += count;
    return jobs(count, from).map((job, i) => ({ ...job, ...rowOf(from + i, isRich), ...more }));
  };
  await enqueueAll(preparing, queue, some(10_000));
  await enqueueAll(broker, queue, some(1_000));
  yield 'enqueue';
  const withoutIds = some(1_000).map(({ jobId: _, ...job }) => job);
  await enqueueAll(broker, queue, withoutIds);
  yield 'enqueue under new ids';
  await enqueueAll(
    broker,
    queue,
    withoutIds.map(({ unique: _, ...job }) => ({ ...job, idempotencyKey: job.idempotencyKey ?? 'k' })),
  );
  yield 'enqueue with idempotency keys';
  await broker.enqueueMany(queue, some(400), { by: BY });
  yield 'enqueue by a user';
  let held: readonly ClaimedJob[] = [];
  const take = async (count: number, leaseMs = 15_000) => {
    held = await claimAll(preparing, queue, { most: count, leaseMs });
  };
  const claimed: ClaimedJob[] = [];
  for (let i = 0; i < 5; i++)
    claimed.push(...(await broker.claim(queue, { worker: 'w1', count: 500, leaseMs: 15_000 })).jobs);
  yield 'claim';
  for (let i = 0; i < 3; i++)
    await broker.claim(queue, { worker: 'w1', count: 500, leaseMs: 15_000, nonce: `NAMED00${i}` });
  yield 'claim by name';
  await take(3_000);
  await broker.extend(queue, held.slice(0, 1_000), 20_000);
  yield 'extend';
  await broker.ack(
    queue,
    held.slice(0, 1_000).map((job) => ({ ...job, result: 'r'.repeat(600) })),
  );
  yield 'ack';
  await broker.ack(
    queue,
    held.slice(1_000, 1_500).map((job) => ({ ...job, result: 'r'.repeat(4_000) })),
  );
  yield 'ack with long results';
  const exchanged = isRich ? 100 : 200;
  for (let at = 1_500; at < 2_300; at += exchanged)
    await broker.exchange(queue, held.slice(at, at + exchanged), { worker: 'w2', count: 500 });
  yield 'exchange';
  await broker.fail(
    queue,
    held.slice(2_300, 2_500).map((job) => ({ ...job, failure: RETRY })),
  );
  yield 'fail to retry';
  await broker.release(queue, held.slice(2_500, 2_900));
  yield 'release';
  await enqueueAll(preparing, queue, some(1_000, { delayMs: 1_000 }));
  clock.now += 60_000;
  for (let i = 0; i < 5; i++) await broker.claim(queue, { worker: 'w3', count: 500, leaseMs: 500_000 });
  yield 'claim while jobs fall due';
  await broker.reclaim(queue);
  yield 'reclaim';
  await broker.reclaimWorker(queue, 'w3', CRASH);
  yield 'reclaim of a worker';
  await enqueueAll(preparing, queue, some(1_000, { delayMs: 1_000 }));
  clock.now += 60_000;
  await broker.maintain(queue);
  yield 'maintain';
  await take(1_000, 600_000);
  const dead = held.map(({ jobId }) => jobId);
  await broker.fail(
    queue,
    held.map((job) => ({ ...job, failure: FAILURE })),
  );
  yield 'fail for good';
  const named = [dead.slice(0, 250), dead.slice(250, 500)] as const;
  await broker.suppress(queue, named[0], BY);
  yield 'suppress';
  await broker.restore(queue, named[0], BY);
  yield 'restore';
  await broker.redrive(queue, named[0], BY);
  yield 'redrive';
  await broker.cancel(queue, named[0], BY);
  yield 'cancel';
  await broker.remove(queue, named[0]);
  yield 'delete';
  await broker.purge(queue, named[1], BY);
  yield 'purge';
  await operate(broker, { kind: 'redrive', q: `queue:${queue}` });
  yield 'operation';
  const later = some(250, { delayMs: 3_600_000 });
  await enqueueAll(preparing, queue, later);
  await broker.promote(
    queue,
    later.flatMap(({ jobId }) => jobId ?? []),
    BY,
  );
  yield 'promote';
  for (const state of ['ready', 'completed'] as const)
    await broker.inspect.list(queue, { state, limit: 500 });
  await broker.inspect.search({ state: 'ready', q: 'absent', queue }, { limit: 500 });
  yield 'lists and searches';
  await preparing.config.change(queue, { trashGraceMs: 1_000, completedKeepBytes: 1_024 }, BY);
  clock.now += 120_000;
  await broker.maintain(queue);
  yield 'retention';
}

/** A tenant that was paused for long. */
async function* heldJobs(world: World, broker: Broker): AsyncGenerator<string> {
  const queue = world.freshQueue();
  const scope = 'tenant:slow';
  await world.broker.pause(queue, { scope, reason: 'a test' }, BY);
  await enqueueAll(
    world.broker,
    queue,
    jobs(20_000).map((job) => ({ ...job, ...rowOf(0, false), tenantId: 'slow' })),
  );
  while ((await world.redis.zcard(world.column(queue, 'ready'))) > 0)
    await world.broker.claim(queue, { worker: 'w1', count: 500 });
  await broker.resume(queue, scope, BY);
  yield 'resume';
}
