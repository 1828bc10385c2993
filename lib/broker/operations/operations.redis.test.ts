/** A bulk operation touches what was previewed, less what changed since; whoever runs it may die at any step. */
import { describe, expect, it } from 'vitest';
import { OPERATIONS_KEPT, UNDO_OPEN_MS } from '@/lib/contract/operations/operation-kinds';
import { readRaw, violations } from '@/testing/model/invariants';
import { operate, previewOf, runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import { BY, enqueueAll, failure, jobs, killAll, setUpWorld, stateOf } from '@/testing/worlds/world';

const world = await setUpWorld();

const indexed = async (queue: string, column: 'ready' | 'dead' | 'trash' | 'suppressed') =>
  (await world.redis.zrange(world.column(queue, column), '0', '-1')).sort();
const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const sound = async (queue: string) =>
  expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);

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
      const preview = await previewOf(world.broker, { kind, q: `queue:${queue} tenant:acme type:demo` });
      world.clock.now += 1;
      await bury(50, 2_000);
      const started = await world.broker.operations.start(
        { previewToken: preview.token, reason: 'a test', typedCount: 700 },
        BY,
      );
      expect([started.expected, started.estimated, preview.count]).toEqual([700, false, 700]);
      // Between confirmation and the first step, and between steps, people and workers go on.
      await world.broker.suppress(queue, names(10), BY);
      const first = await world.broker.operations.runSlice(started.id, 'r1', { sliceMs: 0 });
      expect(first.operation.status).toBe('running');
      await world.broker.remove(queue, names(10, 690));
      await bury(20, 3_000);
      const done = await runToEnd(() => world.another(), started.id, { runner: 'r1' });
      // Each of the 700 is accounted for.
      expect(done).toMatchObject({ status: 'completed', moved: 680, skipped: 20, skips: { changed: 20 } });
      expect(await indexed(queue, kind === 'purge' ? 'trash' : 'ready')).toEqual(names(680, 10));
      expect(await indexed(queue, 'suppressed')).toEqual(names(10));
      const untouched = [...names(300, 1_000), ...names(50, 2_000), ...names(20, 3_000)];
      expect(await indexed(queue, 'dead')).toEqual(untouched);
      await sound(queue);
    },
  );

  it('goes on where its runner died, moving no job twice and skipping none', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(1_950));
    const { id } = await startOperation(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    for (let i = 0; i < 3; i++) await world.broker.operations.runSlice(id, 'r0', { sliceMs: 0 });
    world.clock.now += 10_000;
    // Several runners that take each other for dead.
    const runners = [world.another(), world.another(), world.another()];
    await Promise.all(
      runners.map((runner, i) =>
        runToEnd(runner, id, {
          runner: `r${i + 1}`,
          onStep: () => {
            world.clock.now += 7_000;
          },
        }),
      ),
    );
    expect(await world.broker.operations.get(id)).toMatchObject({
      status: 'completed',
      moved: 1_950,
      skipped: 0,
      scanned: 1_950,
    });
    expect(await indexed(queue, 'ready')).toEqual(names(1_950));
    const [shown] = await world.broker.inspect.snapshot([queue]);
    expect(shown?.totals.redriven).toBe(1_950);
    expect((await world.broker.inspect.job(queue, 'j000000')).redrives).toBe(1);
    const again = await world.broker.operations.runSlice(id, 'r9');
    expect(again.operation).toMatchObject({ moved: 1_950, status: 'completed' });
    await sound(queue);
  });

  it('that is cancelled stops at once, and what was moved stays moved', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(900));
    const { id } = await startOperation(world.broker, { kind: 'purge', q: `queue:${queue}` });
    const { moved } = (await world.broker.operations.runSlice(id, 'r1', { sliceMs: 0 })).operation;
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThan(900);
    const cancelled = await world.broker.operations.act(id, 'cancel', BY);
    expect(cancelled).toMatchObject({ status: 'cancelled', moved });
    expect(await world.broker.operations.act(id, 'cancel', BY)).toMatchObject({ status: 'cancelled', moved });
    expect((await world.another().operations.runSlice(id, 'r2')).operation).toMatchObject({
      status: 'cancelled',
      moved,
    });
    expect(await indexed(queue, 'trash')).toHaveLength(moved);
    await expect(world.broker.operations.act(id, 'resume', BY)).rejects.toMatchObject({
      code: 'OPERATION_STATE',
    });
    await sound(queue);
  });

  it('says of each job it left alone why', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(30, 0, { deadline: world.clock.now + 100 }));
    await killAll(world.broker, queue, jobs(30, 100));
    await killAll(world.broker, queue, jobs(30, 200), failure('BAD', 'malformed'));
    world.clock.now += 100;
    const wanted = { kind: 'redrive', q: `queue:${queue}` } as const;
    const preview = await previewOf(world.broker, wanted);
    const skips = { 'deadline-passed': 30, 'not-safe': 30 };
    expect(preview).toMatchObject({ count: 90, skips, inspected: null });
    expect(await operate(world.broker, wanted)).toMatchObject({
      status: 'completed',
      moved: 30,
      skipped: 60,
      skips,
    });
    expect(await indexed(queue, 'dead')).toEqual([...names(30), ...names(30, 200)]);
    // Whoever says so gets those of an unsafe class, too; a deadline stays one.
    expect(await operate(world.broker, { ...wanted, includeUnsafe: true })).toMatchObject({
      moved: 30,
      skips: { 'deadline-passed': 30 },
    });
  });

  it('on ticked jobs moves each once, and reports those that had changed', async () => {
    const [one, two] = [world.freshQueue(), world.freshQueue()];
    await killAll(world.broker, one, jobs(5));
    await killAll(world.broker, two, jobs(5));
    await world.broker.remove(two, names(1));
    const ticked = [one, two].flatMap((queue) => names(5).map((jobId) => ({ queue, jobId })));
    const by = { ...BY, requestId: 'ticked once' };
    const preview = await previewOf(world.broker, { kind: 'redrive', jobs: ticked });
    expect(preview).toMatchObject({ count: 10, skips: { changed: 1 }, typedCount: null });
    const confirm = { previewToken: preview.token, reason: 'a test' };
    // Redriven, died again: not the failure that was looked at.
    await world.broker.redrive(one, ['j000003'], BY);
    world.clock.now += 5;
    await killAll(world.broker, one, []);
    const started = await world.broker.operations.start(confirm, by);
    expect((await world.broker.operations.start(confirm, by)).id).toBe(started.id);
    expect(await runToEnd(world.broker, started.id)).toMatchObject({
      status: 'completed',
      expected: 10,
      moved: 8,
      skipped: 2,
      skips: { changed: 2 },
      scanned: 10,
    });
    expect(await stateOf(world.broker, one, 'j000003')).toBe('dead');
  });

  it('is listed, latest first, and old ones leave no trace in their queue', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(1));
    const touching: string[] = [];
    for (let i = 0; i < 10; i++) {
      world.clock.now += 1;
      const { id } = await operate(world.broker, { kind: 'purge', jobs: [{ queue, jobId: 'j000000' }] });
      await world.broker.restore(queue, ['j000000'], BY);
      touching.push(id);
    }
    expect(await world.redis.hlen(world.column(queue, 'operations'))).toBeGreaterThanOrEqual(10);
    // Until the time to undo them is over they stay.
    world.clock.now += UNDO_OPEN_MS;
    const started: string[] = [];
    for (let i = 0; i < 24; i++) {
      world.clock.now += 1;
      const wanted = { kind: 'purge', q: `queue:${queue} code:NONE` } as const;
      const batch = Array.from({ length: 25 }, () => operate(world.broker, wanted));
      started.push(...(await Promise.all(batch)).map(({ id }) => id).sort());
    }
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await world.broker.operations.list(200, cursor);
      listed.push(...page.operations.map((operation) => operation.id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(listed).toEqual(started.reverse().slice(0, listed.length));
    expect(listed.length).toBeGreaterThanOrEqual(OPERATIONS_KEPT);
    expect(listed.length).toBeLessThanOrEqual(OPERATIONS_KEPT + 75);
    // Part of an id, of a reason or of a name finds also what is on no first page.
    const idsOf = async (q: string) =>
      (await world.broker.operations.list(3, undefined, { q })).operations.map(({ id }) => id);
    const [oldest = ''] = listed.slice(-1);
    expect(await idsOf(oldest.toUpperCase())).toEqual([oldest]);
    expect(await idsOf('no such words')).toEqual([]);
    await expect(world.broker.operations.get(touching[0] ?? '')).rejects.toMatchObject({
      code: 'OPERATION_NOT_FOUND',
    });
    expect(await world.redis.hlen(world.column(queue, 'operations'))).toBe(0);
    // The records and the one field that names those that are open.
    expect(await world.redis.hlen(world.keys.global('operationsRecords'))).toBe(listed.length + 1);
    expect(await world.broker.operations.running()).toEqual([]);
  });

  it('keeps the larger counts when a runner that stalled comes late', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(650));
    const { id } = await startOperation(world.broker, { kind: 'purge', q: `queue:${queue}` });
    // All step at once, again and again: whoever writes last must not undo what another has counted.
    const others = [world.broker, world.another(), world.another()];
    let statuses: string[] = [];
    while (!statuses.includes('completed')) {
      world.clock.now += 6_500;
      const stepped = await Promise.all(
        others.map((broker, i) => broker.operations.runSlice(id, `r${i}`, { sliceMs: 0 })),
      );
      statuses = stepped.map(({ operation }) => operation.status);
    }
    expect(await world.broker.operations.get(id)).toMatchObject({
      status: 'completed',
      moved: 650,
      scanned: 650,
    });
  });

  it('can be previewed, started, worked off and stopped while memory is full: that is when one purges', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(450));
    await world.redis.config('SET', 'maxmemory', '1');
    try {
      const { id } = await startOperation(world.broker, { kind: 'purge', q: `queue:${queue}` });
      const { moved } = (await world.broker.operations.runSlice(id, 'r1', { sliceMs: 0 })).operation;
      expect(moved).toBeGreaterThan(0);
      expect((await world.broker.operations.act(id, 'pause', BY)).status).toBe('paused');
      expect((await world.broker.operations.act(id, 'cancel', BY)).status).toBe('cancelled');
      expect((await world.broker.operations.runSlice(id, 'r1')).operation.moved).toBe(moved);
      await world.broker.pause(queue, { reason: 'full' }, BY);
    } finally {
      await world.redis.config('SET', 'maxmemory', '0');
    }
    expect((await world.broker.inspect.snapshot([queue]))[0]?.pauses).toHaveLength(1);
  });

  it('of ages counts them back from the moment that was looked at', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(1));
    world.clock.now += 1_800_000;
    await killAll(world.broker, queue, jobs(1, 1));
    world.clock.now += 1_800_000;
    const preview = await previewOf(world.broker, { kind: 'purge', q: `queue:${queue} age:>=1h` });
    expect(preview.count).toBe(1);
    world.clock.now += 600_000;
    const { id, expected } = await world.broker.operations.start(
      { previewToken: preview.token, reason: 'a test' },
      BY,
    );
    expect(expected).toBe(1);
    await world.broker.operations.act(id, 'pause', BY);
    world.clock.now += 1_900_000;
    await world.broker.operations.act(id, 'resume', BY);
    expect(await runToEnd(world.broker, id)).toMatchObject({ moved: 1 });
  });

  it('is written into the record of each queue it touched, with its counts, when it begins and when it ends', async () => {
    const [one, two] = [world.freshQueue(), world.freshQueue()];
    await killAll(world.broker, one, jobs(3));
    await killAll(world.broker, two, jobs(4));
    const { id } = await operate(world.broker, { kind: 'suppress', q: `queue:${one} OR queue:${two}` });
    for (const [queue, moved] of [
      [one, 3],
      [two, 4],
    ] as const) {
      const changes = await world.broker.inspect.changes(queue, 10);
      const mine = changes.filter(({ requestId }) => requestId === id);
      expect(mine.every(({ actor, reason }) => actor === BY.actor && reason === BY.reason)).toBe(true);
      expect(mine[0]?.after).toContain(String(moved));
    }
  });
});
