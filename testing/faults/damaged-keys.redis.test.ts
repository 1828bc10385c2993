/**
 * Damage from outside, by the numbers of docs/bug-catalogue.md: a key deleted, a key of another type, jobs that lost their
 * place. No job may be stuck where nothing and nobody brings it on, and no queue may take others down with it.
 */
import { describe, expect, it } from 'vitest';
import { COLUMNS, type Column } from '@/lib/broker/redis/redis-keys';
import { readRaw, violations } from '@/testing/model/invariants';
import { until } from '@/testing/poll';
import { BY, claimAll, enqueueAll, failure, ids, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const names = (count: number, from: number) => jobs(count, from).map((job) => job.jobId ?? '');
const found = async (queue: string) => violations(await readRaw(world.redis, world.keys, queue));
const reading = async (queue: string) => {
  const [one] = await world.broker.inspect.snapshot([queue]);
  if (!one) throw new Error(`${queue} cannot be read`);
  return one;
};

/** Dead letters with this code, as the index of facets has them. */
const deadOf = async (queue: string, code: string): Promise<string[]> => {
  const [from, upto] = [`[code=${code}|`, `(code=${code}}`];
  const members = await world.redis.zrange(world.column(queue, 'deadBy'), from, upto, 'BYLEX');
  return members.map((member) => member.split('|')[2] ?? '').sort();
};

/**
 * Jobs in every state, held for a pause and for a limit, put back by an operation (one of them completed since), with a key that
 * is taken, and a fence. 19 of them are to be done.
 */
async function busy(): Promise<string> {
  const queue = world.freshQueue();
  // Two generations of jobs that left.
  await enqueueAll(world.broker, queue, jobs(2, 700));
  await world.broker.remove(queue, names(1, 700), BY);
  world.clock.now += 600_000;
  await world.broker.remove(queue, names(1, 701), BY);
  await enqueueAll(world.broker, queue, jobs(1, 800));
  await world.broker.ack(queue, await claimAll(world.broker, queue));
  await killAll(world.broker, queue, jobs(2, 910), failure('HTTP_502'));
  await world.broker.redrive(queue, names(2, 910), BY);
  await world.redis.hset(world.column(queue, 'operations'), 'op-1', 'running');
  await world.redis.hset(world.column(queue, 'redriven'), 'j000910', 'op-1', 'j000911', 'op-1');
  await world.broker.ack(queue, await claimAll(world.broker, queue, { most: 1 }));
  await claimAll(world.broker, queue);
  await killAll(world.broker, queue, jobs(4, 900), failure('HTTP_500'));
  await world.broker.purge(queue, names(1, 900), BY);
  await world.broker.suppress(queue, names(1, 901), BY);
  await world.broker.config.change(queue, { fair: 'tenant', tenantLimit: { concurrency: 2 } }, BY);
  await enqueueAll(world.broker, queue, jobs(5, 0, { tenantId: 'a' }));
  await world.broker.enqueue(queue, {
    jobId: 'j000010',
    jobType: 'demo',
    unique: { key: 'k', scope: 'window', ttlMs: 20_000 },
    idempotencyKey: 'i',
  });
  await enqueueAll(world.broker, queue, jobs(5, 20, { tenantId: 'slow' }));
  await world.broker.pause(queue, { scope: 'tenant:slow', reason: 'a test' }, BY);
  const [first] = (await world.broker.claim(queue, { worker: 'w1', nonce: 'ACLAIMCALL' })).jobs;
  await claimAll(world.broker, queue);
  const again = { ...failure('X', 'retryable' as const), retryInMs: 4_000 };
  await world.broker.fail(queue, first ? [{ ...first, failure: again }] : []);
  await enqueueAll(world.broker, queue, jobs(3, 30, { tenantId: 'c' }));
  await enqueueAll(world.broker, queue, jobs(4, 40, { tenantId: 'd', delayMs: 5_000 }));
  await world.broker.schedules.fence({
    id: 's',
    queue,
    generation: 1,
    isNew: true,
    by: BY,
    before: '',
    after: '',
  });
  expect(await found(queue)).toEqual([]);
  expect((await reading(queue)).counts).toMatchObject({
    ready: 3,
    'in-flight': 3,
    scheduled: 4,
    retry: 1,
    held: 8,
  });
  // Maintenance makes these at the end of a minute.
  for (const column of ['minuteRows', 'minuteBlocks', 'tenMinuteRows'] as const)
    await world.redis.xadd(world.column(queue, column), '1-0', 'r', Buffer.alloc(2));
  // A console makes this one.
  await world.redis.xadd(world.column(queue, 'workerCounts'), '1-0', 'n', '2');
  return queue;
}
const TO_DO = [...names(5, 0), 'j000010', ...names(5, 20), ...names(3, 30), ...names(4, 40), 'j000911'];

/** Two minutes pass: the pause is ended after the first few ticks, a worker takes whatever it can get. */
async function live(queue: string): Promise<string[]> {
  const done: string[] = [];
  for (let tick = 0; tick < 60; tick++) {
    if (tick === 10) await world.broker.resume(queue, 'tenant:slow', BY);
    world.clock.now += 2_000;
    await world.broker.maintain(queue);
    const { jobs: taken } = await world.broker.claim(queue, { worker: 'w2', count: 10 });
    expect(await world.broker.ack(queue, taken)).toEqual(taken.map(() => 'completed'));
    done.push(...ids(taken));
  }
  return done;
}

/** What cannot be known any more when this key is gone, and what becomes of whom it concerned. All others lose nothing. */
const COSTS: Partial<Record<Column, { dead?: string[]; gone?: RegExp }>> = {
  ready: { dead: names(3, 30) },
  scheduled: { dead: names(4, 40) },
  retry: { dead: names(1, 0) },
  counters: { gone: /^2: the ledger/ },
  results: { gone: /^1: results lacks j000(?:800|910)/ },
};
const DELETED = (Object.keys(COLUMNS) as Column[]).filter((column) => column !== 'jobs');

describe('B5: a key that was deleted under a busy queue', () => {
  it.each(DELETED)(
    '%s: no job is stuck; what is lost with it lies where a person sees it',
    async (column) => {
      const queue = await busy();
      expect(await world.redis.exists(world.column(queue, column)), 'there is something to delete').toBe(1);
      await world.redis.del(world.column(queue, column));
      const { dead = [], gone } = COSTS[column] ?? {};
      const done = await live(queue);
      expect([...done].sort()).toEqual(TO_DO.filter((id) => !dead.includes(id)).sort());
      expect(new Set(done).size, 'each once').toBe(done.length);
      expect(await deadOf(queue, 'PLACE_LOST')).toEqual(dead);
      expect((await found(queue)).filter((sentence) => !gone?.test(sentence))).toEqual([]);
      // Found by their facets, as before.
      // What was purged or suppressed is dead again: nobody knows any more that it was set aside.
      expect(await deadOf(queue, 'HTTP_500')).toHaveLength(
        column === 'suppressed' || column === 'trash' ? 3 : 2,
      );
      // And what was quarantined can be put back.
      if (dead.length > 0)
        expect(await world.broker.redrive(queue, dead, BY)).toEqual(dead.map(() => 'ok' as const));
    },
  );

  it('claims of thousands without a lease get one, in steps, and slots are counted anew', async () => {
    const queue = world.freshQueue();
    await world.broker.config.change(queue, { tenantLimit: { concurrency: 10_000 } }, BY);
    await enqueueAll(world.broker, queue, jobs(3_000));
    const held = await claimAll(world.broker, queue);
    await world.redis.del(world.column(queue, 'inflight'), world.column(queue, 'running'));
    await until(
      async () => {
        await world.broker.maintain(queue);
        return (await reading(queue)).counts['in-flight'] === 3_000;
      },
      { what: 'every claim to have a lease again' },
    );
    // Whoever still lives keeps its job, and ends it.
    expect(await world.broker.extend(queue, held.slice(0, 500), 60_000)).toEqual(
      new Array(500).fill('extended'),
    );
    world.clock.now += 20_000;
    await world.broker.reclaim(queue);
    expect((await reading(queue)).counts).toMatchObject({ 'in-flight': 500, ready: 2_500 });
    await world.broker.maintain(queue);
    expect(await world.redis.hgetall(world.column(queue, 'running'))).toEqual({ default: '500' });
    expect(await found(queue)).toEqual([]);
  });

  it('rows of thousands in no state are laid out, in steps, and nothing is counted twice', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(2_000));
    await world.redis.del(world.column(queue, 'ready'), world.column(queue, 'waiting'));
    await until(
      async () => {
        await world.broker.maintain(queue);
        return (await reading(queue)).counts.dead === 2_000;
      },
      { what: 'all rows to be somewhere' },
    );
    expect(await found(queue)).toEqual([]);
    expect((await reading(queue)).totals).toMatchObject({ enqueued: 2_000, dead: 2_000 });
  });

  it('jobs: what was in no row is gone, and its places are cleared as they come up', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, [...jobs(5), ...jobs(5, 10, { delayMs: 1_000 })]);
    await world.redis.del(world.column(queue, 'jobs'));
    world.clock.now += 1_000;
    expect(await claimAll(world.broker, queue)).toEqual([]);
    expect(await found(queue)).toEqual([]);
    expect((await reading(queue)).ledger).toMatchObject({ enqueued: 10, deleted: 10, difference: 0 });
    await enqueueAll(world.broker, queue, jobs(5));
    expect(await claimAll(world.broker, queue)).toHaveLength(5);
  });
});

describe('B31: a key of another type', () => {
  it.each(Object.keys(COLUMNS) as Column[])(
    'at %s costs that queue its service, and no other; mended, it goes on',
    async (column) => {
      const [queue, other] = [await busy(), world.freshQueue()];
      await enqueueAll(world.broker, other, jobs(3));
      const key = world.column(queue, column);
      await world.redis.rename(key, `kept:${key}`).catch(() => undefined);
      await world.redis.set(key, 'x');
      const outcome = (call: Promise<unknown>) =>
        call.then(
          () => 'done',
          (error: Error) => error.message,
        );
      for (const call of [
        () => world.broker.enqueue(queue, { jobId: 'j500000', jobType: 'demo' }),
        () => world.broker.claim(queue, { worker: 'w1', count: 1 }),
        () => world.broker.maintain(queue),
        () => world.broker.pause(queue, { scope: 'type:x', reason: 'a test' }, BY),
      ])
        expect(await outcome(call())).toMatch(/^done$|another type|WRONGTYPE|unavailable/i);
      // All queues in one reading: the others are in it.
      const shown = await world.broker.inspect.snapshot([queue, other]);
      expect(shown.find((one) => one.queue === other)?.counts.ready).toBe(3);
      expect(await claimAll(world.broker, other)).toHaveLength(3);
      await world.redis.del(key);
      await world.redis.rename(`kept:${key}`, key).catch(() => undefined);
      await live(queue);
      const left = (await reading(queue)).counts;
      for (const state of ['ready', 'in-flight', 'scheduled', 'retry', 'held'] as const)
        expect(left[state], `${state} at the end`).toBe(0);
      expect((await found(queue)).filter((sentence) => /^(1|5|9|19):/.test(sentence))).toEqual([]);
    },
  );
});

describe('likely 7: a damaged row of pauses', () => {
  const SCOPE = 'tenant:slow';
  async function damaged(): Promise<string> {
    const queue = world.freshQueue();
    await world.broker.pause(queue, { scope: SCOPE, reason: 'a test' }, BY);
    await enqueueAll(world.broker, queue, jobs(3, 0, { tenantId: 'slow' }));
    expect(await claimAll(world.broker, queue)).toEqual([]);
    await world.redis.hset(world.column(queue, 'pauses'), SCOPE, 'not a row', 'nonsense', '{');
    return queue;
  }

  it('can be resumed, and paused again, by hand', async () => {
    const queue = await damaged();
    expect(await world.broker.resume(queue, SCOPE, BY)).toBe(true);
    expect(await claimAll(world.broker, queue)).toHaveLength(3);
    await world.redis.hset(world.column(queue, 'pauses'), SCOPE, 'not a row');
    await world.broker.pause(queue, { scope: SCOPE, reason: 'again' }, BY);
    expect((await reading(queue)).pauses).toMatchObject([{ scope: SCOPE, reason: 'again' }]);
  });

  it('is shown while it holds jobs back, ended by repair, and on record', async () => {
    const queue = await damaged();
    expect((await reading(queue)).pauses).toMatchObject([
      { scope: SCOPE, until: null, reason: expect.stringContaining('cannot be read') },
    ]);
    await world.broker.maintain(queue);
    expect(await world.redis.exists(world.column(queue, 'pauses'))).toBe(0);
    expect(await claimAll(world.broker, queue)).toHaveLength(3);
    const changes = await world.broker.inspect.changes(queue, 10);
    const repaired = changes.filter(({ what }) => what === 'repair');
    expect(repaired.map(({ before }) => before).sort()).toEqual(['nonsense', SCOPE]);
    expect(repaired[0]).toMatchObject({
      actor: 'system',
      reason: expect.stringContaining('could not be read'),
    });
  });
});

it.each([
  ['attempts', 'j000000'],
  ['config', 'tenantRate'],
  ['config', 'tenantConcurrency'],
] as const)('likely 7: a damaged row of %s (%s) keeps no queue from being served', async (column, field) => {
  const queue = world.freshQueue();
  const tenantLimit = { concurrency: 10, rate: { perSecond: 10, burst: 10 } };
  await world.broker.config.change(queue, { tenantLimit }, BY);
  await enqueueAll(world.broker, queue, jobs(3));
  await world.redis.hset(world.column(queue, column), field, 'not a row');
  const taken = await claimAll(world.broker, queue);
  expect(taken).toHaveLength(3);
  expect(await world.broker.ack(queue, taken)).toEqual(['completed', 'completed', 'completed']);
});

it('likely 7: a damaged member of heldBy keeps no pause from ending', async () => {
  const queue = world.freshQueue();
  await world.broker.pause(queue, { scope: 'tenant:slow', reason: 'a test' }, BY);
  await enqueueAll(world.broker, queue, jobs(3, 0, { tenantId: 'slow' }));
  expect(await claimAll(world.broker, queue)).toEqual([]);
  await world.redis.zadd(world.column(queue, 'heldBy'), 0, 'tenant:slow|zzz');
  await world.broker.resume(queue, 'tenant:slow', BY);
  expect(await claimAll(world.broker, queue)).toHaveLength(3);
});
