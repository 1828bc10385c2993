/** The usual way in has a script of its own. It does what the complete one does, or nothing. */
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import { type BrokerContext, createContext } from '@/lib/broker/redis/broker-context';
import { readRaw } from '@/testing/model/invariants';
import { BY, claimAll, ids, setUpWorld } from '@/testing/worlds/world';
import { toEnqueueEntry } from './enqueue-entries';
import { sendEntries } from './send-entries';

const world = await setUpWorld();
let queue: string;
beforeEach(() => {
  queue = world.freshQueue();
});
const fresh = (count: number) => Array.from({ length: count }, () => ({ jobType: 'demo' }));
const outcomesOf = async (sent: Promise<{ outcome: string }[]>) => (await sent).map(({ outcome }) => outcome);

/** Everything in a queue, its events without their ids. */
async function contents(name: string) {
  const raw = await readRaw(world.redis, world.keys, name);
  const events = await world.redis.xrange(world.column(name, 'events'), '-', '+');
  return {
    hashes: (['jobs', 'config', 'counters', 'minutes', 'idempotency'] as const).map((column) =>
      raw.hash(column),
    ),
    sets: (['ready', 'waiting', 'scheduled', 'wake', 'idempotencyDue'] as const).map((column) =>
      raw.zset(column),
    ),
    events: events.map(([, fields]) => fields),
  };
}

/** Which script each call runs. */
function watched(): { ctx: BrokerContext; scripts: string[] } {
  const context = createContext({ url: world.server.path, clock: () => world.clock.now });
  const scripts: string[] = [];
  const run: BrokerContext['run'] = (name, ...rest) => {
    scripts.push(name);
    return context.run(name, ...rest);
  };
  return { ctx: { ...context, run }, scripts };
}

const input = fc.record({
  jobType: fc.constantFrom('mail', 'hook'),
  tenantId: fc.constantFrom('a', 'b'),
  priority: fc.constantFrom(0, 0, 5, -7, 1_000),
  payload: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  idempotencyKey: fc.constantFrom(undefined, undefined, undefined, 'order-7', 'a"b\\\\c,"key":"d'),
});
/** The short script for these. */
const scriptFor = (batch: readonly { idempotencyKey: string | undefined }[]) =>
  batch.some(({ idempotencyKey }) => idempotencyKey !== undefined) ? 'enqueue-keyed' : 'enqueue-new';

describe('jobs under new ids', () => {
  it('leave the same behind by either script', async () => {
    const { ctx, scripts } = watched();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(input, { minLength: 1, maxLength: 30 }), { maxLength: 4 }),
        async (batches) => {
          const [usual, complete] = [world.freshQueue(), world.freshQueue()];
          for (const batch of batches) {
            world.clock.now += 777;
            const entries = batch.map((job) => toEnqueueEntry(job, world.clock.now));
            const replies = await sendEntries(ctx, usual, entries);
            expect(scripts.splice(0)).toEqual([scriptFor(batch)]);
            const others = entries.map((entry) => ({ ...entry, isNew: false }));
            const answered = await sendEntries(ctx, complete, others);
            expect(scripts.splice(0)).toEqual(['enqueue']);
            expect(replies).toEqual(answered.map(({ jobId, outcome }) => ({ jobId, outcome })));
          }
          expect(await contents(usual)).toEqual(await contents(complete));
        },
      ),
      { numRuns: 40 },
    );
    ctx.close();
  });

  it('are found when the client sends the command twice', async () => {
    const { ctx } = watched();
    const entry = toEnqueueEntry({ jobType: 'demo' }, world.clock.now);
    expect(await outcomesOf(sendEntries(ctx, queue, [entry]))).toEqual(['ready']);
    expect(await outcomesOf(sendEntries(ctx, queue, [entry]))).toEqual(['duplicate']);
    expect(await world.redis.zcard(world.column(queue, 'ready'))).toBe(1);
    ctx.close();
  });

  it('obey a limit that was set after the last ones came in', async () => {
    await world.broker.enqueueMany(queue, fresh(2));
    await world.broker.config.change(queue, { depthLimit: 3 }, BY);
    expect(await outcomesOf(world.broker.enqueueMany(queue, fresh(2)))).toEqual(['ready', 'queue-full']);
    await world.broker.config.change(queue, { depthLimit: null }, BY);
    expect(await outcomesOf(world.broker.enqueueMany(queue, fresh(2)))).toEqual(['ready', 'ready']);
  });

  it('are refused by a queue that drains', async () => {
    await world.broker.enqueue(queue, { jobType: 'demo' });
    await world.broker.drain(queue, { draining: true, reason: 'a test' }, BY);
    await expect(world.broker.enqueue(queue, { jobType: 'demo' })).rejects.toMatchObject({
      code: 'QUEUE_DRAINING',
    });
  });

  it('ask for the complete script once, not with each job, while the queue has limits', async () => {
    await world.broker.config.change(queue, { depthLimit: 100 }, BY);
    const { ctx, scripts } = watched();
    for (let i = 0; i < 3; i++)
      await sendEntries(ctx, queue, [toEnqueueEntry({ jobType: 'demo' }, world.clock.now)]);
    expect(scripts).toEqual(['enqueue-new', 'enqueue', 'enqueue', 'enqueue']);
    ctx.close();
  });
});

it('a batch stands in line in its order, though its first part has to be sent again and its second needs the other script', async () => {
  await world.broker.config.change(queue, { depthLimit: 10_000 }, BY);
  const other = fresh(200).map((job) => ({ ...job, critical: false }));
  const results = await world.another().enqueueMany(queue, [...fresh(200), ...other]);
  expect(ids(await claimAll(world.broker, queue))).toEqual(results.map(({ jobId }) => jobId));
});

/** Apart from other calls, such as the look for lost data a moment after a broker's first call. */
const scriptsUnderWay = (redis: Redis) =>
  redis.commandQueue.toArray().filter(({ command }) => command.name.toLowerCase() === 'evalsha').length;

describe('single jobs', () => {
  it('leave in the tick of their call, together, when nothing is under way', async () => {
    const redis = world.server.connect({ commandTimeout: 5_000 });
    const broker = world.another({ redis });
    await broker.enqueue(queue, { jobType: 'demo' });
    const sent = fresh(10).map((job) => broker.enqueue(queue, job));
    // Before the event loop goes on.
    await new Promise(process.nextTick);
    expect(scriptsUnderWay(redis)).toBe(1);
    const results = await Promise.all(sent);
    const taken = await claimAll(world.broker, queue);
    expect(ids(taken.slice(1))).toEqual(results.map(({ jobId }) => jobId));
  });

  it('gather for the end of the tick while a script is under way', async () => {
    const redis = world.server.connect({ commandTimeout: 5_000 });
    const broker = world.another({ redis });
    await broker.enqueue(queue, { jobType: 'demo' });
    const sent = [broker.enqueue(queue, { jobType: 'demo' })];
    await new Promise(process.nextTick);
    for (const job of fresh(9)) {
      sent.push(broker.enqueue(queue, job));
      await new Promise(process.nextTick);
    }
    expect(scriptsUnderWay(redis)).toBe(1);
    await Promise.all(sent);
    expect(await world.redis.zcard(world.column(queue, 'ready'))).toBe(11);
  });
});
