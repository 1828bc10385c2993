/** The deletion of a queue: all of it goes, whoever dies meanwhile, and what comes later is a new queue. */
import { beforeEach, expect, it } from 'vitest';
import { SCRIPTS } from '@/lib/broker/lua.generated';
import { createContext } from '@/lib/broker/redis/broker-context';
import { COLUMNS } from '@/lib/broker/redis/redis-keys';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';
import type { OperationRequest } from '@/lib/contract/operations/operation-request';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { until } from '@/testing/poll';
import { startOperation } from '@/testing/worlds/operation-runs';
import {
  BY,
  claimOne,
  enqueueAll,
  failure,
  jobs,
  killAll,
  setUpWorld,
  type World,
} from '@/testing/worlds/world';
import { LEASE_MS } from './runner-state';

const world = await setUpWorld();
let queue: string;
beforeEach(() => {
  queue = world.freshQueue();
});

const start = (control: Partial<OperationRequest> = { typedName: queue }) =>
  startOperation(world.broker, { kind: 'delete-queue', queue }, { control });
const step = (id: string, runner = 'runner-1', broker = world.broker) =>
  broker.operations.runSlice(id, runner);
/** Until it ends or waits for time to go on. */
async function work(id: string, runner?: string, broker?: World['broker']) {
  for (let steps = 0; steps < 50; steps += 1) {
    const { operation, waitMs } = await step(id, runner, broker);
    if (operation.status !== 'running' || waitMs > 0) return operation;
  }
  throw new Error('It neither ended nor waits.');
}
/** No producer enters the name any more, and the audit log has what was recorded. */
async function timeGoesOn() {
  await world.broker.audit.collect();
  world.clock.now += 100_000;
}
const keysOf = async (name = queue) =>
  (await world.redis.keys('*')).filter((key) => key.includes(`{${name}}`) || key.includes(`{${name}#`));

/** A job in every state, and whatever else a queue may have. */
async function fill() {
  const { broker } = world;
  await killAll(broker, queue, jobs(3), failure());
  await broker.suppress(queue, ['j000000'], BY);
  await broker.purge(queue, ['j000001'], BY);
  await enqueueAll(broker, queue, jobs(1, 10));
  await broker.ack(queue, [await claimOne(broker, queue)]);
  await enqueueAll(broker, queue, jobs(1, 20, { unique: { key: 'u' }, tenantId: 'a' }));
  await broker.fail(queue, [
    { ...(await claimOne(broker, queue)), failure: { ...failure('X', 'retryable'), retryInMs: 60_000 } },
  ]);
  await broker.config.change(queue, { fair: 'tenant', concurrency: 50, deadKeepMs: 1e9 }, BY);
  await enqueueAll(broker, queue, jobs(1, 30, { tenantId: 'h' }));
  await broker.pause(queue, { scope: 'tenant:h', reason: 'x' }, BY);
  await broker.claim(queue, { worker: 'w1' });
  await enqueueAll(broker, queue, jobs(1, 40));
  const running = await claimOne(broker, queue);
  await enqueueAll(broker, queue, jobs(1, 50, { delayMs: 60_000 }));
  await enqueueAll(broker, queue, jobs(2, 60));
  await broker.maintain(queue);
  return running;
}

it('the script names every column there is, but for the fences of schedules', () => {
  const { keys } = SCRIPTS['delete-queue'];
  expect([...keys, 'occurrences'].sort()).toEqual(Object.keys(COLUMNS).sort());
});

it('a queue with a job in every state goes with all its keys, and its preview says what goes', async () => {
  const running = await fill();
  const preview = await world.broker.operations.preview(
    { kind: 'delete-queue', scope: { queue, q: '' } },
    BY,
  );
  expect(preview.deletes?.states.map(({ state }) => state).sort()).toEqual([...JOB_STATES].sort());
  expect(preview).toMatchObject({
    count: 10,
    deletes: { typedName: queue, shards: 1, schedules: 0, workers: 0 },
  });
  const { id } = await start();
  expect(await work(id)).toMatchObject({
    status: 'running',
    moved: 10,
    trouble: expect.stringContaining('is deleted'),
  });
  await timeGoesOn();
  const done = await work(id);
  expect(done).toMatchObject({ status: 'completed', moved: 10, undo: null, trouble: null });
  // The newest record stays, for the next one to count on from; and for ten minutes when it was deleted.
  expect((await keysOf()).sort()).toEqual([
    world.column(queue, 'audit'),
    world.column(queue, 'finishedBefore'),
  ]);
  expect(await world.redis.hkeys(world.column(queue, 'finishedBefore'))).toEqual(['.since']);
  expect(await world.broker.inspect.queues()).not.toContain(queue);
  expect(await world.broker.inspect.exists(queue)).toBe(false);
  expect(await world.broker.ack(queue, [running])).toEqual(['stale']);
  await world.broker.audit.collect();
  const entries = [];
  for await (const entry of world.broker.audit.matching({ id })) entries.push(entry);
  expect(entries.filter(({ action }) => action === 'operation.end')).toMatchObject([
    {
      queue,
      count: 10,
      after: 'ended: the queue is deleted with 10 jobs',
      actor: BY.actor,
      reason: BY.reason,
    },
  ]);
});

it('a job that is enqueued afterwards makes a new, empty queue with default settings', async () => {
  await fill();
  const { id } = await start();
  await work(id);
  await timeGoesOn();
  await work(id);
  await world.another().enqueue(queue, { jobId: 'new', jobType: 'a' });
  expect(await world.broker.inspect.queues()).toContain(queue);
  const [reading] = await world.broker.inspect.snapshot([queue]);
  expect(reading?.counts).toMatchObject({ ready: 1, dead: 0, completed: 0, 'in-flight': 0 });
  expect((await world.broker.config.get(queue)).config).toMatchObject({ fair: 'none', concurrency: null });
});

it('jobs that came in since the deletion are left alone, whoever goes on, and the name stays', async () => {
  await fill();
  const { id } = await start();
  await work(id, 'one');
  await world.broker.enqueue(queue, { jobId: 'new', jobType: 'a' });
  world.clock.now += 100_000;
  const done = await work(id, 'two', world.another());
  expect(done).toMatchObject({ status: 'completed', moved: 10 });
  expect((await world.broker.inspect.job(queue, 'new')).state).toBe('ready');
  expect(await world.broker.inspect.exists(queue)).toBe(true);
});

it.each([1, 2, 3])(
  'a runner that dies after %i steps: another deletes the rest, and counts each job once',
  async (steps) => {
    await world.broker.sharding.set(queue, { count: 4 }, BY);
    await enqueueAll(world.broker, queue, jobs(200));
    const { id } = await start();
    const dying = world.another();
    for (let i = 0; i < steps; i += 1) await dying.operations.runSlice(id, 'dying', { sliceMs: 0 });
    world.clock.now += 10_000;
    await work(id, 'next', world.another());
    await timeGoesOn();
    expect(await work(id, 'next')).toMatchObject({ status: 'completed', moved: 200 });
    const left = await keysOf();
    // How it is sharded stays: a producer that knew it must not enter a job where nobody looks.
    expect(left.filter((key) => !/:(audit|config|finishedBefore)$/.test(key))).toEqual([]);
    for (const key of left.filter((one) => one.endsWith(':config')))
      expect(await world.redis.hkeys(key)).toEqual(['sharding']);
    expect(await world.broker.inspect.exists(queue)).toBe(false);
    await enqueueAll(world.broker, queue, jobs(20));
    const [reading] = await world.broker.inspect.snapshot([queue]);
    expect(reading?.counts.ready).toBe(20);
  },
);

it('needs the name typed, and all of the queue', async () => {
  await fill();
  await expect(start({})).rejects.toMatchObject({ code: 'VALIDATION', fields: [{ field: 'typedName' }] });
  await expect(start({ typedName: `${queue}x` })).rejects.toMatchObject({ code: 'VALIDATION' });
  const preview = (scope: object) =>
    world.broker.operations.preview({ kind: 'delete-queue', scope: { q: '', ...scope } }, BY);
  await expect(preview({})).rejects.toMatchObject({ fields: [{ field: 'scope.queue' }] });
  await expect(preview({ queue, q: 'type:a' })).rejects.toMatchObject({ fields: [{ field: 'scope.q' }] });
  await expect(preview({ queue: 'nothing-here' })).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' });
});

it('waits for approval where the queue asks for it, also when it is empty', async () => {
  await fill();
  await world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
  const { id, status } = await start();
  expect(status).toBe('awaiting-approval');
  expect(await work(id)).toMatchObject({ status: 'awaiting-approval', moved: 0 });
  await world.broker.operations.act(id, 'approve', { actor: 'second' });
  expect(await work(id)).toMatchObject({ moved: 10 });
});

it('100,000 jobs go in one short script', { timeout: 60_000 }, async () => {
  await enqueueAll(world.broker, queue, jobs(100_000));
  const { id } = await start();
  // Freed beside Redis's work: to free so much in the script takes many times as long.
  await world.redis.config('SET', 'slowlog-log-slower-than', '15000');
  await world.redis.slowlog('RESET');
  expect(await work(id)).toMatchObject({ moved: 100_000 });
  expect(await world.redis.slowlog('GET', 10)).toEqual([]);
});

it('a call that comes after the lease of its runner deletes nothing, also of a queue that was made since', async () => {
  await fill();
  const { id } = await start();
  await work(id);
  await timeGoesOn();
  expect(await work(id)).toMatchObject({ status: 'completed' });
  await enqueueAll(world.another(), queue, jobs(5, 100));
  const ctx = createContext({ url: world.server.path, clock: () => world.clock.now });
  expect(await ctx.run('delete-queue', queue, [id, world.clock.now])).toBe('late');
  ctx.close();
  expect(await world.redis.hlen(world.column(queue, 'jobs'))).toBe(5);
});

it('does not end before a call that may still come is refused for its lease', async () => {
  await enqueueAll(world.broker, queue, jobs(2));
  await world.broker.audit.collect();
  // Nothing else keeps the name.
  world.clock.now += 100_000;
  const { id } = await start();
  await world.broker.operations.act(id, 'pause', BY);
  await world.broker.operations.act(id, 'resume', BY);
  expect(await work(id)).toMatchObject({ status: 'running', moved: 2 });
  await world.broker.audit.collect();
  world.clock.now += LEASE_MS - 1;
  expect(await work(id)).toMatchObject({ status: 'running' });
  world.clock.now += LEASE_MS + 1;
  expect(await work(id)).toMatchObject({ status: 'completed' });
});

it('waits for jobs on their way to another queue, and says so', async () => {
  await enqueueAll(world.broker, queue, jobs(2));
  const operations = world.column(queue, 'operations');
  await world.redis.hset(operations, 'op-other outbox', '1 0 \n');
  const { id } = await start();
  expect(await work(id)).toMatchObject({
    status: 'running',
    moved: 0,
    trouble: expect.stringContaining('on their way to another queue'),
  });
  await world.redis.hdel(operations, 'op-other outbox');
  await until(async () => (await work(id)).moved === 2, { what: 'the deletion' });
});

it('keeps what came from other queues from coming again, and the fences of schedules', async () => {
  await enqueueAll(world.broker, queue, jobs(2));
  await world.redis.hset(
    world.column(queue, 'operations'),
    'op-other',
    'running 0 0 0 0 - ',
    'op-other from mail',
    '3 11',
  );
  await world.redis.hset(world.column(queue, 'occurrences'), 'nightly', '1 5');
  const { id } = await start();
  expect(await work(id)).toMatchObject({ moved: 2 });
  await timeGoesOn();
  expect(await work(id)).toMatchObject({ status: 'completed' });
  expect(await world.redis.hgetall(world.column(queue, 'operations'))).toEqual({
    'op-other from mail': '3 11',
  });
  expect(await world.redis.hgetall(world.column(queue, 'occurrences'))).toEqual({ nightly: '1 5' });
});

it('N5: rules that hide values outlive the queue: a schedule of its name shows nothing more than before', async () => {
  await enqueueAll(world.broker, queue, jobs(1));
  const redact = ['customer'];
  await world.broker.config.change(queue, { redact, completedKeep: 5 }, BY);
  const { id } = await start();
  await work(id);
  const { config } = await world.broker.config.get(queue);
  expect([config.redact, config.completedKeep]).toEqual([redact, QUEUE_CONFIG_DEFAULT.completedKeep]);
});
