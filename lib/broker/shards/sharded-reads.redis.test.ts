/** What is shown of a sharded queue is all of it: sums, one list in one order, dead letters, operations, movements. */
import { describe, expect, it } from 'vitest';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { Movement } from '@/lib/contract/lab/lab-schemas';
import { readShards } from '@/testing/model/invariants';
import { operate, previewOf, runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import { shardedQueue } from '@/testing/worlds/sharded-queues';
import { BY, claimAll, enqueueAll, failure, ids, jobs, killAll, setUpWorld } from '@/testing/worlds/world';
import { physicalName } from './shard-layout';

const world = await setUpWorld();

const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
async function readAll(
  queue: string,
  state: JobState,
  limit: number,
  between: (page: number) => Promise<void> = async () => {},
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 1_000; page++) {
    const reply = await world.broker.inspect.list(queue, { state, limit, cursor });
    seen.push(...ids(reply.jobs));
    if (reply.nextCursor === null) return seen;
    cursor = reply.nextCursor;
    await between(page);
  }
  throw new Error('the list does not end');
}
const column = async (queue: string, count: number, name: 'ready' | 'dead' | 'trash') =>
  (
    await Promise.all(
      Array.from({ length: count }, (_, shard) =>
        world.redis.zrange(world.column(physicalName(queue, shard), name), '0', '-1'),
      ),
    )
  )
    .flat()
    .sort();

describe('a glance', () => {
  it('adds up what the shards say', async () => {
    const { queue, raw, sound } = await shardedQueue(world, { count: 4 });
    const alone = world.freshQueue();
    for (const name of [queue, alone]) {
      await enqueueAll(world.broker, name, jobs(200));
      await world.broker.enqueueMany(name, jobs(20));
      await enqueueAll(world.broker, name, jobs(50, 1_000, { delayMs: 7_000 }));
      const held = await claimAll(world.broker, name, { most: 120 });
      await world.broker.ack(name, held.slice(0, 60));
      await world.broker.fail(
        name,
        held.slice(60, 90).map(({ jobId, token }) => ({ jobId, token, failure: failure() })),
      );
      await world.broker.cancel(name, names(5, 1_000), BY);
      await world.broker.remove(name, names(5, 1_010));
    }
    world.clock.now += 2_000;
    const [shown, expected] = await world.broker.inspect.snapshot([queue, alone]);
    // Each shard measures its rates over a time of its own.
    const same = { queue: '', shards: 0, flow: null };
    expect({ ...shown, ...same }).toEqual({ ...expected, ...same });
    expect(shown?.shards).toEqual({ count: 4, unavailable: [] });
    expect(shown?.counts).toMatchObject({
      ready: 80,
      'in-flight': 30,
      scheduled: 40,
      completed: 60,
      dead: 35,
    });
    expect(await world.broker.inspect.ledger(queue)).toEqual({
      enqueued: 250,
      inStates: 245,
      deleted: 5,
      difference: 0,
      strayRows: 0,
      unavailable: [],
    });
    const rows = (await raw()).reduce((sum, shard) => sum + shard.hash('jobs').size, 0);
    expect(shown?.rows).toBe(rows);
    const [one, other] = await Promise.all(
      [queue, alone].map((name) => world.broker.inspect.minutes(name, world.clock.now, 3)),
    );
    expect(one).toEqual(other);
    expect(one?.reduce((sum, minute) => sum + minute.enqueued, 0)).toBe(250);
    await sound();
  });
});

describe('a list', () => {
  it.each([7, 50, 500])('is one list over all shards, %i to a page', async (limit) => {
    const { queue } = await shardedQueue(world, { count: 5 });
    // All of one millisecond: only the ids tell them apart.
    await enqueueAll(world.broker, queue, jobs(1_200, 0, { delayMs: 1_000 }));
    expect(await readAll(queue, 'scheduled', limit)).toEqual(names(1_200));
    await world.broker.cancel(queue, names(1_000), BY);
    expect(await readAll(queue, 'dead', limit)).toEqual(names(1_000).reverse());
    const first = await world.broker.inspect.list(queue, { state: 'dead', limit: 3 });
    expect([first.total, first.jobs[0]?.queue, first.unavailable]).toEqual([1_000, queue, undefined]);
  });

  it("of the line keeps to priority first, and to each shard's own order", async () => {
    const { queue, raw } = await shardedQueue(world);
    await enqueueAll(world.broker, queue, jobs(100));
    await enqueueAll(world.broker, queue, jobs(100, 500, { priority: 9 }));
    const shown = await readAll(queue, 'ready', 30);
    expect(shown.slice(0, 100).sort()).toEqual(names(100, 500));
    expect(shown.slice(100).sort()).toEqual(names(100));
    for (const shard of await raw()) {
      const line = [...shard.zset('ready').keys()];
      expect(shown.filter((id) => shard.zset('ready').has(id))).toEqual(line);
    }
  });

  it('skips and repeats nothing that stayed, though others come and go', async () => {
    const { queue } = await shardedQueue(world);
    await enqueueAll(world.broker, queue, jobs(1_500, 0, { delayMs: 1_000 }));
    const removed = new Set<string>();
    let added = 10_000;
    const seen = await readAll(queue, 'scheduled', 60, async (page) => {
      const victims = [page * 60 + 59, (page * 37) % 1_500, (page * 91 + 700) % 1_500].map(
        (i) => names(1, i % 1_500)[0] ?? '',
      );
      await world.broker.remove(queue, victims);
      for (const id of victims) removed.add(id);
      await enqueueAll(world.broker, queue, jobs(5, added, { delayMs: 1_000 }));
      added += 5;
    });
    expect(new Set(seen).size).toBe(seen.length);
    const set = new Set(seen);
    expect(names(1_500).filter((id) => !removed.has(id) && !set.has(id))).toEqual([]);
  });
});

describe('dead letters', () => {
  it('of sharded and other queues are one list, newest first, each once, exactly counted', async () => {
    await world.redis.flushdb();
    const made = [await shardedQueue(world), await shardedQueue(world, { count: 2, by: 'tenant' })];
    const queues = [...made.map(({ queue }) => queue), world.freshQueue()];
    for (let round = 0; round < 3; round++) {
      for (const [i, queue] of queues.entries())
        await killAll(
          world.broker,
          queue,
          jobs(70, round * 100).map((job, n) => ({
            ...job,
            tenantId: `t${n % 5}`,
            jobType: i === 0 ? 'mail' : 'hook',
          })),
          failure(round === 0 ? 'HTTP_500' : 'HTTP_404'),
        );
      world.clock.now += 1;
    }
    const expected = queues.flatMap((queue) =>
      [0, 100, 200].flatMap((from) => names(70, from).map((id) => `${queue} ${id}`)),
    );
    for (const [q, count] of [
      ['', 630],
      ['code:HTTP_404', 420],
      ['code:HTTP_404 type:mail', 140],
      [`queue:${queues[0]} tenant:t1`, 42],
      [`queue:${queues[1]} tenant:t1 code:HTTP_500`, 14],
    ] as const) {
      const seen: { key: string; at: number }[] = [];
      let cursor: string | undefined;
      do {
        const page = await world.broker.inspect.search({ state: 'dead', q }, { limit: 37, cursor });
        expect(page.matching).toEqual({ count, exact: true });
        seen.push(...page.jobs.map((job) => ({ key: `${job.queue} ${job.jobId}`, at: job.stateAt ?? 0 })));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(new Set(seen.map(({ key }) => key)).size).toBe(seen.length);
      expect(seen).toHaveLength(count);
      expect(seen.every((entry, i) => i === 0 || entry.at <= (seen[i - 1]?.at ?? 0))).toBe(true);
      if (q === '') expect(seen.map(({ key }) => key).sort()).toEqual(expected.sort());
    }
    const { facets } = await world.broker.inspect.facets({ q: '' });
    expect(facets.queue.map(({ count }) => count)).toEqual(expect.arrayContaining([210, 210, 210]));
    expect(facets.queue.every(({ value }) => !value.includes('#'))).toBe(true);
    expect((await world.broker.inspect.facets({ q: '', queue: queues[0] })).facets.tenant).toEqual(
      ['t0', 't1', 't2', 't3', 't4'].map((value) => ({ value, count: 42 })),
    );
  });

  it('with more values than are shown have exact counts for those that are', async () => {
    const { queue } = await shardedQueue(world, { count: 2 });
    // 300 tenants in each shard; each tenant has two jobs, which may be in different shards.
    const batch = [0, 1].flatMap((n) =>
      Array.from({ length: 300 }, (_, i) => ({
        jobId: `n${n}-${i}`,
        jobType: 'demo',
        tenantId: `t${String(i).padStart(3, '0')}`,
      })),
    );
    await killAll(world.broker, queue, batch);
    const { tenant } = (await world.broker.inspect.facets({ q: '', queue })).facets;
    expect(tenant.length).toBeGreaterThan(150);
    expect(tenant.every(({ count }) => count === 2)).toBe(true);
  });
});

describe('an operation', () => {
  it.each(['redrive', 'purge'] as const)('%s moves what was previewed in every shard', async (kind) => {
    const { queue, sound } = await shardedQueue(world);
    await killAll(world.broker, queue, jobs(500, 0, { tenantId: 'acme' }));
    await killAll(world.broker, queue, jobs(100, 1_000, { tenantId: 'other' }));
    const preview = await previewOf(world.broker, { kind, q: `queue:${queue} tenant:acme` });
    world.clock.now += 1;
    await enqueueAll(world.broker, queue, jobs(40, 2_000, { tenantId: 'acme', delayMs: 1 }));
    await world.broker.cancel(queue, names(40, 2_000), BY);
    const started = await world.broker.operations.start(
      { previewToken: preview.token, reason: 'a test', ...(kind === 'purge' ? { typedCount: 500 } : {}) },
      BY,
    );
    expect([started.expected, started.estimated]).toEqual([500, false]);
    await world.broker.operations.runSlice(started.id, 'r1', { sliceMs: 0 });
    const done = await runToEnd(() => world.another(), started.id, { runner: 'r1' });
    expect(done).toMatchObject({ status: 'completed', moved: 500, skipped: 0 });
    expect(await column(queue, 3, kind === 'purge' ? 'trash' : 'ready')).toEqual(names(500));
    expect(await column(queue, 3, 'dead')).toEqual([...names(100, 1_000), ...names(40, 2_000)]);
    await sound();
  });

  it('stops in every shard, and what was moved stays moved', async () => {
    const { queue, sound } = await shardedQueue(world);
    await killAll(world.broker, queue, jobs(900));
    const { id } = await startOperation(world.broker, { kind: 'purge', q: `queue:${queue}` });
    const { moved } = (await world.broker.operations.runSlice(id, 'r1', { sliceMs: 0 })).operation;
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThan(900);
    const stopped = { status: 'cancelled', moved };
    expect(await world.another().operations.act(id, 'cancel', BY)).toMatchObject(stopped);
    expect((await world.broker.operations.runSlice(id, 'r1')).operation).toMatchObject(stopped);
    expect(await column(queue, 3, 'trash')).toHaveLength(moved);
    await sound();
  });

  it('on ticked jobs finds them where they are', async () => {
    const { queue } = await shardedQueue(world, { by: 'tenant', count: 4 });
    await killAll(
      world.broker,
      queue,
      jobs(30).map((job, i) => ({ ...job, tenantId: `t${i}` })),
    );
    const ticked = [...names(20), 'nobody'].map((jobId) => ({ queue, jobId }));
    const done = await operate(world.broker, { kind: 'redrive', jobs: ticked });
    expect(done).toMatchObject({ status: 'completed', moved: 20, skipped: 1 });
    expect(await column(queue, 4, 'ready')).toEqual(names(20));
    expect(await column(queue, 4, 'dead')).toEqual(names(10, 20));
  });
});

describe('movements', () => {
  it('of all shards are told once each, in order, whatever came between two looks', async () => {
    const { queue } = await shardedQueue(world);
    const told: Movement[] = [];
    let after = '';
    const look = async () => {
      const found = await world.lab.movements(queue, after, 500);
      told.push(...found);
      const last = found.at(-1);
      if (last) after = last.id.slice(queue.length + 1);
    };
    for (let round = 0; round < 12; round++) {
      await enqueueAll(world.broker, queue, jobs(7, round * 100));
      if (round % 3 === 0) await look();
      await world.broker.cancel(queue, names(2, round * 100), BY);
      if (round % 2 === 0) await look();
    }
    await look();
    await look();
    const counted = (event: string) =>
      told.filter((one) => one.event === event).reduce((sum, one) => sum + one.count, 0);
    expect([counted('ready'), counted('dead')]).toEqual([84, 24]);
    expect(
      told
        .filter((one) => one.event === 'ready')
        .flatMap((one) => one.jobIds)
        .sort(),
    ).toEqual(
      Array.from({ length: 12 }, (_, round) => names(7, round * 100))
        .flat()
        .sort(),
    );
    expect(told.every((one) => one.queue === queue)).toBe(true);
    expect(new Set(told.map((one) => one.id)).size).toBe(told.length);
    await expect(world.lab.movements(queue, '0-0;FLUSHALL', 5)).rejects.toMatchObject({
      code: 'BAD_CURSOR',
    });
    expect(
      (await readShards(world.redis, world.keys, queue, 3)).every((raw) => raw.counter('enqueued') > 0),
    ).toBe(true);
  });
});
