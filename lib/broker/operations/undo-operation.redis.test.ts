/** What became of what was moved, and taking it back. */
import { describe, expect, it } from 'vitest';
import type { Operation } from '@/lib/contract/operations/operation';
import { readRaw, violations } from '@/testing/model/invariants';
import { operate, runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import { BY, claimAll, failure, ids, jobs, killAll, setUpWorld, stateOf } from '@/testing/worlds/world';

const world = await setUpWorld();

const indexed = async (queue: string, column: 'ready' | 'dead' | 'trash' | 'suppressed' | 'held') =>
  (await world.redis.zrange(world.column(queue, column), '0', '-1')).sort();
const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const dead = async (count: number) => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(count));
  return queue;
};
const undo = async (id: string, q?: string): Promise<Operation> => {
  const { id: undoing } = await world.broker.operations.undo(
    id,
    { reason: 'a mistake', ...(q ? { q } : {}) },
    BY,
  );
  return runToEnd(world.broker, undoing);
};
const sound = async (queue: string) =>
  expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
const take = async (queue: string, most: number) =>
  (await claimAll(world.broker, queue, { most })).map(({ jobId, token }) => ({ jobId, token }));
async function listed(id: string, outcome: 'completed' | 'running' | 'waiting' | 'died-again' | 'undoable') {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await world.broker.operations.jobs(id, { outcome, limit: 7, cursor });
    found.push(...ids(page.jobs));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return found.sort();
}

describe('the outcome of a re-drive', () => {
  it('is known for each of its jobs, goes on after its end, and can be looked into', async () => {
    const queue = await dead(60);
    const { id, outcome: atFirst } = await operate(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    expect(atFirst).toMatchObject({ waiting: 60, completed: 0 });
    const taken = await take(queue, 50);
    await world.broker.ack(queue, taken.slice(0, 20));
    await world.broker.fail(
      queue,
      taken.slice(20, 35).map((ref) => ({ ...ref, failure: failure('AGAIN') })),
    );
    await world.broker.fail(
      queue,
      taken
        .slice(35, 38)
        .map((ref) => ({ ...ref, failure: { ...failure('SLOW', 'retryable'), retryInMs: 60_000 } })),
    );
    await world.broker.remove(queue, names(2, 58), BY);
    const { outcome, status } = await world.another().operations.get(id);
    expect(status).toBe('completed');
    expect(outcome).toMatchObject({
      completed: 20,
      diedAgain: 15,
      running: 12,
      waiting: 11,
      deleted: 2,
      recalled: 0,
    });
    expect(outcome?.groups.map(({ count }) => count)).toEqual([15]);
    expect(await listed(id, 'completed')).toEqual(names(20));
    expect(await listed(id, 'died-again')).toEqual(names(15, 20));
    expect(await listed(id, 'running')).toEqual(names(12, 38));
    expect(await listed(id, 'waiting')).toEqual([...names(3, 35), ...names(8, 50)]);
    // Those that completed are listed when their rows are gone, too.
    await world.broker.remove(queue, names(5), BY);
    expect(await listed(id, 'completed')).toEqual(names(20));
    await sound(queue);
  });

  it('keeps an operation among the live ones for minutes when its jobs died again', async () => {
    const queue = await dead(3);
    const { id } = await operate(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    const refs = await take(queue, 3);
    await world.broker.fail(
      queue,
      refs.map((ref) => ({ ...ref, failure: failure('AGAIN') })),
    );
    const other = await operate(world.broker, { kind: 'redrive', q: `queue:${await dead(3)}` });
    // A job names its failure group and the operation that had put it back.
    expect(await world.broker.inspect.job(queue, refs[0]?.jobId ?? '')).toMatchObject({
      operation: id,
      group: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    const [waiting] = (await world.broker.operations.jobs(other.id, { outcome: 'waiting', limit: 1 })).jobs;
    expect(await world.broker.inspect.job(waiting?.queue ?? '', waiting?.jobId ?? '')).toMatchObject({
      operation: other.id,
      group: null,
    });
    const live = async () => (await world.another().operations.live()).map((one) => one.id);
    world.clock.now += 61_000;
    const shown = await live();
    expect(shown).toContain(id);
    expect(shown).not.toContain(other.id);
    world.clock.now += 15 * 60_000;
    expect(await live()).not.toContain(id);
  });

  it('of those that died again holds them apart from later failures of others', async () => {
    const queue = await dead(10);
    const { id } = await operate(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    await world.broker.fail(
      queue,
      (await take(queue, 10)).map((ref) => ({ ...ref, failure: failure('AGAIN') })),
    );
    await killAll(world.broker, queue, jobs(5, 100), failure('AGAIN'));
    expect(await listed(id, 'died-again')).toEqual(names(10));
    // Nothing of it is left under way: from here on it is as it is.
    expect((await world.broker.operations.get(id)).outcome).toMatchObject({
      diedAgain: 10,
      waiting: 0,
      running: 0,
    });
    const second = await operate(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    await world.broker.ack(queue, await take(queue, 15));
    expect((await world.broker.operations.get(second.id)).outcome).toMatchObject({ completed: 15 });
    expect((await world.broker.operations.get(id)).outcome).toMatchObject({ diedAgain: 10, completed: 0 });
  });
});

describe('an undo', () => {
  it('of a purge restores all of it, or what matches, and nothing else from the trash', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(30, 0, { tenantId: 'acme' }));
    await killAll(world.broker, queue, jobs(30, 100, { tenantId: 'other' }));
    await killAll(world.broker, queue, jobs(5, 200));
    await world.broker.purge(queue, names(5, 200), BY);
    const purged = await operate(world.broker, { kind: 'purge', q: `queue:${queue}` });
    expect(purged).toMatchObject({
      moved: 60,
      undo: { kind: 'restore', until: world.clock.now + 3_600_000 },
    });
    expect(await listed(purged.id, 'undoable')).toHaveLength(60);
    expect(await undo(purged.id, 'tenant:acme')).toMatchObject({
      kind: 'restore',
      status: 'completed',
      moved: 30,
      undoes: purged.id,
      undo: null,
    });
    expect(await indexed(queue, 'dead')).toEqual(names(30));
    const part = await world.broker.operations.get(purged.id);
    expect(part).toMatchObject({ undone: 30, undo: { kind: 'restore' } });
    expect(await undo(purged.id)).toMatchObject({ moved: 30 });
    expect(await indexed(queue, 'trash')).toEqual(names(5, 200));
    await sound(queue);
  });

  it('B8: leaves the jobs with the error that they died of, in lists, searches and exports', async () => {
    const queue = await dead(2);
    const { id } = await operate(world.broker, { kind: 'purge', q: `queue:${queue}` });
    await undo(id);
    const q = `queue:${queue}`;
    const { jobs: shown } = await world.broker.inspect.list(queue, { state: 'dead', limit: 10 });
    const found = await world.broker.inspect.search({ state: 'dead', q: `${q} BROKEN` });
    const exported: string[] = [];
    const scope = { state: 'dead' as const, q };
    const options = { at: world.clock.now, cutoff: null, limit: 10 };
    for await (const { summary } of world.broker.inspect.matching(scope, options))
      exported.push(summary.message ?? '');
    for (const messages of [shown, found.jobs].map((rows) => rows.map(({ message }) => message)))
      expect(messages).toEqual(Array(2).fill('failed with BROKEN'));
    expect(exported).toEqual(Array(2).fill('failed with BROKEN'));
  });

  it('B8: is not offered again once it undoes all, on any page', async () => {
    const queue = await dead(4);
    const { id } = await operate(world.broker, { kind: 'purge', q: `queue:${queue}` });
    const undoing = await world.broker.operations.undo(id, { reason: 'a mistake' }, BY);
    const views = async () => {
      const { operations } = await world.another().operations.list(10);
      const live = await world.broker.operations.live();
      return [
        await world.broker.operations.get(id),
        ...[...operations, ...live].filter((one) => one.id === id),
      ];
    };
    for (const view of await views()) expect(view).toMatchObject({ undo: null, undoneBy: [undoing.id] });
    await runToEnd(world.broker, undoing.id);
    const after = await views();
    expect(after).toHaveLength(3);
    for (const view of after) expect(view).toMatchObject({ undo: null, undone: 4 });
    await expect(world.broker.operations.undo(id, { reason: 'again' }, BY)).rejects.toMatchObject({
      code: 'OPERATION_STATE',
      message: expect.stringContaining(`operation ${undoing.id} undoes it already`),
    });
  });

  it('is offered again when the one that undid it was cancelled', async () => {
    const queue = await dead(4);
    const { id } = await operate(world.broker, { kind: 'purge', q: `queue:${queue}` });
    const undoing = await world.broker.operations.undo(id, { reason: 'a mistake' }, BY);
    await world.broker.operations.act(undoing.id, 'cancel', BY);
    await runToEnd(world.broker, undoing.id);
    expect((await world.broker.operations.get(id)).undo).toMatchObject({ kind: 'restore' });
    expect(await undo(id)).toMatchObject({ moved: 4 });
  });

  it('of a purge is over when the grace of the trash is', async () => {
    const queue = await dead(3);
    const { id } = await operate(world.broker, { kind: 'purge', q: `queue:${queue}` });
    world.clock.now += 3_600_001;
    expect((await world.broker.operations.get(id)).undo).toBeNull();
    await expect(world.broker.operations.undo(id, { reason: 'too late' }, BY)).rejects.toMatchObject({
      code: 'OPERATION_STATE',
      message: expect.stringContaining('grace'),
    });
  });

  it('is there for what an operation had moved before it failed; its record is closed, with counts to the last', async () => {
    const queue = await dead(200);
    const control = { rate: { perSecond: 100, keepReadyBelow: null } };
    const { id } = await startOperation(world.broker, { kind: 'purge', q: `queue:${queue}` }, { control });
    for (let step = 0; step < 5; step++) {
      world.clock.now += 100;
      await world.broker.operations.runSlice(id, 'runner-1', { sliceMs: 0 });
    }
    await world.broker.operations.fail(id, 'This cannot go on.');
    const failed = await world.broker.operations.get(id);
    const moved = await indexed(queue, 'trash');
    expect(moved.length).toBeGreaterThan(10);
    expect(failed).toMatchObject({
      status: 'failed',
      error: 'This cannot go on.',
      moved: moved.length,
      undo: { kind: 'restore' },
    });
    const [last] = await world.broker.inspect.changes(queue, 1);
    expect(last).toMatchObject({ what: 'operation', after: `stopped: ${moved.length} moved, 0 left alone` });
    expect((await world.broker.operations.runSlice(id, 'runner-2')).operation.moved).toBe(moved.length);
    expect(await undo(id)).toMatchObject({ kind: 'restore', moved: moved.length });
    expect(await indexed(queue, 'dead')).toEqual(names(200));
    await sound(queue);
  });

  it('of a suppression brings the dead back', async () => {
    const queue = await dead(12);
    const { id } = await operate(world.broker, { kind: 'suppress', q: `queue:${queue}` });
    expect(await undo(id)).toMatchObject({ kind: 'unsuppress', moved: 12 });
    expect(await indexed(queue, 'dead')).toEqual(names(12));
    await sound(queue);
  });

  it('of a re-drive recalls what still waits, as dead as it was, wherever it waits', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(20, 0, { tenantId: 'acme' }), failure('FIRST'));
    await killAll(world.broker, queue, jobs(20, 100, { tenantId: 'other' }), failure('FIRST'));
    const redriven = await operate(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    const others = jobs(4, 500);
    await world.broker.enqueueMany(queue, others);
    // Some run, one completes, one is to be tried again; the jobs of a paused tenant have stepped aside.
    const taken = await take(queue, 5);
    await world.broker.ack(queue, taken.slice(0, 1));
    await world.broker.fail(
      queue,
      taken
        .slice(1, 2)
        .map((ref) => ({ ...ref, failure: { ...failure('X', 'retryable'), retryInMs: 60_000 } })),
    );
    await world.broker.pause(queue, { scope: 'tenant:acme', reason: 'a test' }, BY);
    await take(queue, 1);
    expect((await indexed(queue, 'held')).length).toBeGreaterThan(0);
    const before = (await world.broker.operations.get(redriven.id)).outcome;
    const recalled = await undo(redriven.id);
    expect(recalled).toMatchObject({ kind: 'recall', status: 'completed', moved: before?.waiting });
    const back = await indexed(queue, 'dead');
    expect(back).toHaveLength(before?.waiting ?? 0);
    expect(back).toContain(taken[1]?.jobId);
    const { jobs: shown } = await world.broker.inspect.list(queue, { state: 'dead', limit: 100 });
    for (const job of shown) expect(job).toMatchObject({ errorCode: 'FIRST', errorClass: 'permanent' });
    // What was not of it waits on.
    expect(await stateOf(world.broker, queue, others[3]?.jobId ?? '')).toBe('ready');
    expect((await world.broker.operations.get(redriven.id)).outcome).toMatchObject({
      recalled: before?.waiting,
      waiting: 0,
      running: 4,
    });
    await world.broker.resume(queue, 'tenant:acme', BY);
    await sound(queue);
  });

  it('needs an operation that rests, can be undone, and has something left', async () => {
    const queue = await dead(300);
    const refused = (id: string, why: RegExp) =>
      expect(world.broker.operations.undo(id, { reason: 'no' }, BY)).rejects.toMatchObject({
        code: 'OPERATION_STATE',
        message: expect.stringMatching(why),
      });
    const rate = { perSecond: 10, keepReadyBelow: null };
    const { id } = await startOperation(
      world.broker,
      { kind: 'redrive', q: `queue:${queue}` },
      { control: { rate } },
    );
    world.clock.now += 1_000;
    await world.broker.operations.runSlice(id, 'r1');
    await refused(id, /it is running/);
    const cancelled = await world.broker.operations.act(id, 'cancel', BY);
    expect(cancelled).toMatchObject({ status: 'cancelled', undo: { kind: 'recall', until: null } });
    const recalled = await undo(id);
    expect(recalled).toMatchObject({ moved: cancelled.moved });
    await refused(recalled.id, /a recall did stays/);
    await refused(id, /nothing of it waits/);
    const removed = await operate(world.broker, { kind: 'delete', q: `queue:${queue}` });
    await refused(removed.id, /a delete did stays/);
    await expect(
      world.broker.operations.undo('op-00000000000000000000', { reason: 'x' }, BY),
    ).rejects.toMatchObject({
      code: 'OPERATION_NOT_FOUND',
    });
  });

  it('sent again is one undo', async () => {
    const queue = await dead(5);
    const { id } = await operate(world.broker, { kind: 'purge', q: `queue:${queue}` });
    const by = { ...BY, requestId: 'undo this purge' };
    const both = await Promise.all([
      world.broker.operations.undo(id, { reason: 'oops' }, by),
      world.another().operations.undo(id, { reason: 'oops' }, by),
    ]);
    expect(both[0]?.id).toBe(both[1]?.id);
    await expect(world.broker.operations.undo(id, { reason: 'another' }, by)).rejects.toMatchObject({
      code: 'ID_CONFLICT',
    });
  });
});
