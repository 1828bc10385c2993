/** A bulk operation touches what was previewed, less what changed since; whoever runs it may die at any step. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRaw, violations } from '@/testing/invariants';
import { BY, enqueueAll, failure, jobs, killAll, openWorld, type World } from '@/testing/world';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const indexed = async (queue: string, column: 'ready' | 'dead' | 'trash' | 'suppressed') =>
  (await world.redis.zrange(world.column(queue, column), '0', '-1')).sort();
const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const sound = async (queue: string) =>
  expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);

/** Steps an operation to its end, each time with another runner. */
async function runToEnd(id: string) {
  for (let steps = 0; steps < 100; steps++) {
    const after = await world.another().operations.step(id);
    if (after.status !== 'running') return after;
  }
  throw new Error('the operation does not end');
}

describe('an operation', () => {
  it.each(['redrive', 'purge'] as const)(
    'B36: %s moves the previewed set, less what changed, and never what died after the cut-off',
    async (kind) => {
      const queue = world.freshQueue();
      /** Dead without passing through ready, where the operation puts its own. */
      const bury = async (count: number, from: number) => {
        await enqueueAll(world.broker, queue, jobs(count, from, { tenantId: 'acme', delayMs: 60_000 }));
        await world.broker.cancel(queue, names(count, from), BY);
      };
      await killAll(world.broker, queue, jobs(700, 0, { tenantId: 'acme' }), failure('HTTP_500'));
      await killAll(world.broker, queue, jobs(300, 1_000, { tenantId: 'other' }), failure('HTTP_500'));
      const filter = { queue, tenant: 'acme', type: 'demo' };
      const preview = await world.broker.inspect.dead(filter);
      world.clock.now += 1;
      await bury(50, 2_000);
      const started = await world.broker.operations.start({ kind, filter, cutoff: preview.at, by: BY });
      expect([started.expected, started.estimated, preview.matching.count]).toEqual([700, false, 700]);
      // Between confirmation and the first step, and between steps, people and workers go on.
      await world.broker.suppress(queue, names(10), BY);
      const first = await world.broker.operations.step(started.id);
      expect(first.status).toBe('running');
      await world.broker.remove(queue, names(10, 690));
      await bury(20, 3_000);
      expect(await runToEnd(started.id)).toMatchObject({ status: 'completed', moved: 680, skipped: 0 });
      expect(await indexed(queue, kind === 'purge' ? 'trash' : 'ready')).toEqual(names(680, 10));
      expect(await indexed(queue, 'suppressed')).toEqual(names(10));
      const untouched = [...names(300, 1_000), ...names(50, 2_000), ...names(20, 3_000)];
      expect(await indexed(queue, 'dead')).toEqual(untouched);
      await sound(queue);
    },
  );

  it('goes on where its runner died, moving no job twice and skipping none', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(950));
    const { id } = await world.broker.operations.start({ kind: 'redrive', filter: { queue }, by: BY });
    for (let i = 0; i < 3; i++) await world.broker.operations.step(id);
    // Several runners that take each other for dead.
    const runners = [world.another(), world.another(), world.another()];
    await Promise.all(
      runners.map(async (runner) => {
        while ((await runner.operations.step(id)).status === 'running');
      }),
    );
    expect(await world.broker.operations.get(id)).toMatchObject({
      status: 'completed',
      moved: 950,
      skipped: 0,
    });
    expect(await indexed(queue, 'ready')).toEqual(names(950));
    const [shown] = await world.broker.inspect.snapshot([queue]);
    expect(shown?.totals.redriven).toBe(950);
    expect((await world.broker.inspect.job(queue, 'j000000')).redrives).toBe(1);
    expect(await world.broker.operations.step(id)).toMatchObject({ moved: 950, status: 'completed' });
    await sound(queue);
  });

  it('that is cancelled stops at once, and what was moved stays moved', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(500));
    const { id } = await world.broker.operations.start({ kind: 'purge', filter: { queue }, by: BY });
    const { moved } = await world.broker.operations.step(id);
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThan(500);
    expect(await world.broker.operations.cancel(id)).toMatchObject({ status: 'cancelled', moved });
    expect(await world.another().operations.step(id)).toMatchObject({ status: 'cancelled', moved });
    expect(await indexed(queue, 'trash')).toHaveLength(moved);
    expect(await world.broker.operations.get(id)).toMatchObject({ status: 'cancelled' });
    await sound(queue);
  });

  it('skips and reports what can no longer be re-driven', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(30, 0, { deadline: world.clock.now + 100 }));
    await killAll(world.broker, queue, jobs(30, 100));
    const { id } = await world.broker.operations.start({ kind: 'redrive', filter: { queue }, by: BY });
    world.clock.now += 100;
    expect(await runToEnd(id)).toMatchObject({ status: 'completed', moved: 30, skipped: 30 });
    expect(await indexed(queue, 'dead')).toEqual(names(30));
  });

  it('on ticked jobs moves each once and counts what it found gone', async () => {
    const [one, two] = [world.freshQueue(), world.freshQueue()];
    await killAll(world.broker, one, jobs(5));
    await killAll(world.broker, two, jobs(5));
    await world.broker.remove(two, names(1));
    const ticked = [one, two].flatMap((queue) => names(5).map((jobId) => ({ queue, jobId })));
    const by = { ...BY, requestId: 'ticked once' };
    const started = await world.broker.operations.start({ kind: 'redrive', jobs: ticked, by });
    // Sent again while it runs, as after a lost reply: the same operation, which goes on.
    expect((await world.broker.operations.start({ kind: 'redrive', jobs: ticked, by })).id).toBe(started.id);
    await expect(world.broker.operations.start({ kind: 'purge', jobs: ticked, by })).rejects.toMatchObject({
      code: 'ID_CONFLICT',
    });
    let done = started;
    while (done.status === 'running') done = await world.broker.operations.step(started.id);
    expect(done).toMatchObject({ status: 'completed', selected: 10, moved: 9, skipped: 1, scanned: 10 });
  });

  it('is listed, latest first, and old ones leave no trace in their queue', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(1));
    const started: string[] = [];
    for (let i = 0; i < 503; i++) {
      world.clock.now += 1;
      const { id } = await world.broker.operations.start({
        kind: 'purge',
        filter: { queue, code: 'NONE' },
        by: BY,
      });
      await world.broker.operations.step(id);
      started.push(id);
    }
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await world.broker.operations.list(200, cursor);
      listed.push(...page.operations.map((operation) => operation.id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(listed).toEqual(started.reverse().slice(0, 500));
    expect(await world.redis.hlen(world.column(queue, 'operations'))).toBeLessThanOrEqual(500);
  });

  it('keeps the larger counts when a runner that stalled comes late', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(150));
    const { id } = await world.broker.operations.start({ kind: 'purge', filter: { queue }, by: BY });
    // Both step at once, again and again: whoever writes last must not undo what the other has counted.
    const others = [world.broker, world.another(), world.another()];
    let statuses: string[] = [];
    while (!statuses.includes('completed'))
      statuses = (await Promise.all(others.map((broker) => broker.operations.step(id)))).map(
        (op) => op.status,
      );
    expect(await world.broker.operations.get(id)).toMatchObject({
      status: 'completed',
      moved: 150,
      scanned: 150,
    });
  });

  it('can be started, worked off and stopped while memory is full: that is when one purges', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(150));
    await world.redis.config('SET', 'maxmemory', '1');
    try {
      const { id } = await world.broker.operations.start({ kind: 'purge', filter: { queue }, by: BY });
      expect((await world.broker.operations.step(id)).moved).toBe(100);
      expect((await world.broker.operations.cancel(id)).status).toBe('cancelled');
      expect((await world.broker.operations.step(id)).moved).toBe(100);
      await world.broker.pause(queue, { reason: 'full' }, BY);
    } finally {
      await world.redis.config('SET', 'maxmemory', '0');
    }
    expect((await world.broker.inspect.snapshot([queue]))[0]?.pauses).toHaveLength(1);
  });

  it('of ages counts them back from the cut-off that was looked at', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(1));
    world.clock.now += 1_800_000;
    await killAll(world.broker, queue, jobs(1, 1));
    world.clock.now += 1_800_000;
    const seenAt = world.clock.now;
    const filter = { queue, minAgeMs: 3_600_000 };
    expect((await world.broker.inspect.dead(filter)).matching.count).toBe(1);
    world.clock.now += 1_900_000;
    const { expected } = await world.broker.operations.start({
      kind: 'purge',
      filter,
      cutoff: seenAt,
      by: BY,
    });
    expect(expected).toBe(1);
  });
});
