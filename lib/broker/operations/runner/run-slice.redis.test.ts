/** What was previewed is what is touched, also when jobs come back while it is worked off, and when the clock does. */
import { describe, expect, it } from 'vitest';
import { readRaw, violations } from '@/testing/model/invariants';
import { operate, previewOf, runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import { BY, claimAll, failure, jobs, killAll, setUpWorld, stateOf } from '@/testing/worlds/world';

const world = await setUpWorld();

const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const dead = async (count: number, from = 0, queue = world.freshQueue()) => {
  await killAll(world.broker, queue, jobs(count, from));
  world.clock.now += 10;
  return queue;
};
const sound = async (queue: string) =>
  expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
const SLOWLY = { rate: { perSecond: 1, keepReadyBelow: null } };
const AT_ONCE = { rate: { perSecond: null, keepReadyBelow: null } };

describe('an operation under way', () => {
  it.each(['redrive', 'suppress', 'purge', 'delete'] as const)(
    'leaves alone what comes back from the trash meanwhile, however long ago it died (%s)',
    async (kind) => {
      const queue = await dead(10);
      await world.broker.purge(queue, names(5, 5), BY);
      world.clock.now += 10;
      const { id, expected } = await startOperation(
        world.broker,
        { kind, q: `queue:${queue}` },
        { control: SLOWLY },
      );
      expect(expected).toBe(5);
      world.clock.now += 10;
      await world.broker.restore(queue, names(5, 5), BY);
      await world.broker.operations.change(id, AT_ONCE, BY);
      expect(await runToEnd(world.broker, id)).toMatchObject({ status: 'completed', moved: 5, skipped: 0 });
      expect(await stateOf(world.broker, queue, 'j000007')).toBe('dead');
      await sound(queue);
    },
  );

  it('leaves alone what an undo recalls meanwhile', async () => {
    const queue = await dead(6);
    await killAll(world.broker, queue, jobs(4, 100, { jobType: 'other' }));
    world.clock.now += 10;
    const first = await operate(world.broker, { kind: 'redrive', queue, q: 'type:demo' });
    const purge = await startOperation(world.broker, { kind: 'purge', queue }, { control: SLOWLY });
    world.clock.now += 10;
    const undo = await world.broker.operations.undo(first.id, { reason: 'a mistake' }, BY);
    expect(await runToEnd(world.broker, undo.id)).toMatchObject({ moved: 6 });
    await world.broker.operations.change(purge.id, AT_ONCE, BY);
    expect(await runToEnd(world.broker, purge.id)).toMatchObject({ moved: 4, skipped: 0 });
    expect(await stateOf(world.broker, queue, 'j000003')).toBe('dead');
    await sound(queue);
  });

  it('reports a ticked job that left and came back as changed', async () => {
    const queue = await dead(3);
    const ticked = names(3).map((jobId) => ({ queue, jobId }));
    const { id } = await startOperation(world.broker, { kind: 'purge', jobs: ticked }, { control: SLOWLY });
    world.clock.now += 10;
    await world.broker.suppress(queue, names(1, 1), BY);
    await world.broker.restore(queue, names(1, 1), BY);
    await world.broker.operations.change(id, AT_ONCE, BY);
    expect(await runToEnd(world.broker, id)).toMatchObject({ moved: 2, skipped: 1, skips: { changed: 1 } });
  });

  it('never takes again what died again of it, though the clock went back', async () => {
    const queue = world.freshQueue();
    for (let i = 0; i < 10; i++) {
      await killAll(world.broker, queue, jobs(1, i));
      world.clock.now += 1_000;
    }
    const { id } = await startOperation(world.broker, { kind: 'redrive', queue }, { control: SLOWLY });
    while ((await world.redis.zcard(world.column(queue, 'ready'))) < 3) {
      world.clock.now += 1_000;
      await world.broker.operations.runSlice(id, 'r1');
    }
    // A failover to a machine whose clock is behind.
    const ahead = world.clock.now;
    world.clock.now -= 10_000;
    const taken = await claimAll(world.broker, queue);
    await world.broker.fail(
      queue,
      taken.map((ref) => ({ ...ref, failure: failure('AGAIN') })),
    );
    world.clock.now = ahead;
    await world.broker.operations.change(id, AT_ONCE, BY);
    expect(await runToEnd(world.broker, id, { runner: 'r1' })).toMatchObject({ moved: 10, skipped: 0 });
    for (const { jobId } of taken) expect(await stateOf(world.broker, queue, jobId)).toBe('dead');
    await sound(queue);
  });

  it('that was paused says how far it came', async () => {
    const queue = await dead(300);
    const { id } = await startOperation(world.broker, { kind: 'purge', queue });
    await world.broker.operations.runSlice(id, 'r1', { sliceMs: 0 });
    await world.broker.operations.runSlice(id, 'r1', { sliceMs: 0 });
    await world.broker.operations.act(id, 'pause', BY);
    await world.broker.operations.runSlice(id, 'r1', { sliceMs: 0 });
    const trashed = await world.redis.zcard(world.column(queue, 'trash'));
    expect(trashed).toBeGreaterThan(0);
    expect((await world.broker.operations.get(id)).moved).toBe(trashed);
  });
});

describe('a move', () => {
  it('re-drives what is in the other queue already, as its preview says', async () => {
    const [from, to] = [await dead(4), await dead(3, 50)];
    const wanted = { kind: 'move' as const, q: `(queue:${from} OR queue:${to})`, target: to };
    const { skips } = await previewOf(world.broker, wanted);
    expect(skips).toEqual({});
    const done = await operate(world.broker, wanted);
    expect(done).toMatchObject({ moved: 7, skipped: 0 });
    for (const id of names(3, 50)) expect(await stateOf(world.broker, to, id)).toBe('ready');
    await sound(from);
    await sound(to);
  });

  it('is previewed by the uniqueness keys of the queue the jobs go to', async () => {
    const [from, to] = [world.freshQueue(), world.freshQueue()];
    const unique = (key: string) => ({ unique: { key, scope: 'done' as const, ttlMs: 3_600_000 } });
    await killAll(world.broker, from, jobs(1, 0, unique('there')));
    for (const n of [1, 2]) await killAll(world.broker, from, jobs(1, n, unique(`here-${n}`)));
    await world.broker.enqueueMany(to, jobs(1, 10, unique('there')));
    for (const n of [1, 2]) await world.broker.enqueueMany(from, jobs(1, 10 + n, unique(`here-${n}`)));
    const wanted = { kind: 'move' as const, q: `queue:${from}`, target: to };
    const { skips } = await previewOf(world.broker, wanted);
    const done = await operate(world.broker, wanted);
    expect(done.skips).toEqual({ 'not-unique': 1 });
    expect(skips).toEqual(done.skips);
  });
});

describe('an operation that cannot go on', () => {
  it('says how far it came, can be undone, and leaves nothing on its way', async () => {
    const queue = await dead(300);
    const { id } = await startOperation(world.broker, { kind: 'purge', queue });
    await world.broker.operations.runSlice(id, 'r1', { sliceMs: 0 });
    await world.broker.operations.runSlice(id, 'r1', { sliceMs: 0 });
    await world.broker.operations.fail(id, 'a test says so');
    const trashed = await world.redis.zcard(world.column(queue, 'trash'));
    const failed = await world.broker.operations.get(id);
    expect(failed).toMatchObject({ status: 'failed', moved: trashed, undo: { kind: 'restore' } });
    const undo = await world.broker.operations.undo(id, { reason: 'a mistake' }, BY);
    expect(await runToEnd(world.broker, undo.id)).toMatchObject({ moved: trashed });
    await sound(queue);
  });
});

describe('a purge that somebody else must approve', () => {
  it('is one also where none of the newest matches is in the queue that asks for it', async () => {
    const [guarded, busy] = [world.freshQueue(), world.freshQueue()];
    await killAll(world.broker, guarded, jobs(1, 0, { payload: '{"n":7}' }));
    world.clock.now += 10;
    for (let i = 0; i < 3; i++)
      await killAll(world.broker, busy, jobs(1_000, i * 1_000, { payload: '{"n":7}' }));
    await world.broker.config.change(guarded, { purgeNeedsApproval: true }, BY);
    const q = `(queue:${guarded} OR queue:${busy}) payload.n:7`;
    const { needsApproval } = await previewOf(world.broker, { kind: 'purge', q });
    expect(needsApproval).toBe(true);
  });
});
