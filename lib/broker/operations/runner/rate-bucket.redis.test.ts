/** How fast an operation goes, what makes it stop by itself, and what a person can change while it runs. */
import { describe, expect, it } from 'vitest';
import type { Operation } from '@/lib/contract/operations/operation';
import { runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import { BY, claimAll, enqueueAll, failure, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const dead = async (count: number) => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(count));
  return queue;
};
const ready = (queue: string) => world.redis.zcard(world.column(queue, 'ready'));
/** Works off what is ready: the first `dying` of it die again, the rest complete. */
async function workers(queue: string, dying = 0, most?: number) {
  const taken = await claimAll(world.broker, queue, most === undefined ? {} : { most });
  const ref = ({ jobId, token }: { jobId: string; token: string }) => ({ jobId, token });
  for (const job of taken.slice(0, dying))
    await world.broker.fail(queue, [{ ...ref(job), failure: failure('STILL_BROKEN') }]);
  for (let i = dying; i < taken.length; i += 500)
    await world.broker.ack(queue, taken.slice(i, i + 500).map(ref));
  return taken.length;
}
const step = async (id: string): Promise<Operation> =>
  (await world.broker.operations.runSlice(id, 'r1', { sliceMs: 0 })).operation;
/** Steps it as long as there is something to do at this time. */
async function settle(id: string, sliceMs = 0): Promise<Operation> {
  for (;;) {
    const { operation, waitMs } = await world.broker.operations.runSlice(id, 'r1', { sliceMs });
    if (waitMs > 0 || operation.status !== 'running') return operation;
  }
}

describe('the rate of an operation', () => {
  it('is kept, changed while it runs, and paid for by what a dead runner had moved', async () => {
    const queue = await dead(1_000);
    const rate = { perSecond: 100, keepReadyBelow: null };
    const { id } = await startOperation(
      world.broker,
      { kind: 'redrive', q: `queue:${queue}` },
      { control: { rate } },
    );
    const began = world.clock.now;
    let moved = 0;
    for (let i = 0; i < 30; i++) {
      world.clock.now += 100;
      ({ moved } = await settle(id));
      expect(Math.abs(moved - (world.clock.now - began) / 10)).toBeLessThanOrEqual(25);
    }
    // Its runner dies. The next one knows nothing but what is written, and makes no burst of the time that was lost.
    world.clock.now += 7_000;
    const next = world.another();
    for (let i = 0; i < 10; i++) {
      const { operation, waitMs } = await next.operations.runSlice(id, 'r2', { sliceMs: 0 });
      moved = Math.max(moved, operation.moved);
      if (waitMs > 0) break;
    }
    expect(moved).toBeLessThanOrEqual(300 + 2 * 25);
    world.clock.now += 7_000;
    await settle(id);
    moved = await ready(queue);
    await world.broker.operations.change(id, { rate: { perSecond: 10, keepReadyBelow: null } }, BY);
    world.clock.now += 1_000;
    const slower = (await settle(id)).moved;
    expect(slower - moved).toBeLessThanOrEqual(25);
    await world.broker.operations.change(id, { rate: { perSecond: null, keepReadyBelow: null } }, BY);
    const done = await settle(id);
    expect(done).toMatchObject({ status: 'completed', moved: 1_000 });
    expect(done.events.filter(({ type: what }) => what === 'changed')).toHaveLength(2);
  });

  it('"as fast as the queue drains" holds the ready ones under the mark', async () => {
    const queue = await dead(500);
    const rate = { perSecond: null, keepReadyBelow: 60 };
    const { id } = await startOperation(
      world.broker,
      { kind: 'redrive', q: `queue:${queue}` },
      { control: { rate } },
    );
    let rounds = 0;
    for (let status = 'running'; status === 'running'; rounds++) {
      ({ status } = await settle(id));
      expect(await ready(queue)).toBeLessThanOrEqual(60);
      await workers(queue, 0, 37);
    }
    expect(rounds).toBeGreaterThan(10);
    expect(await world.broker.operations.get(id)).toMatchObject({ status: 'completed', moved: 500 });
  });

  it('stands still while it is paused, and goes on without a burst', async () => {
    const queue = await dead(300);
    const rate = { perSecond: 40, keepReadyBelow: null };
    const { id } = await startOperation(
      world.broker,
      { kind: 'redrive', q: `queue:${queue}` },
      { control: { rate } },
    );
    world.clock.now += 1_000;
    const { moved } = await settle(id);
    const paused = await world.broker.operations.act(id, 'pause', BY, 'let me look');
    expect(paused).toMatchObject({ status: 'paused', paused: { by: BY.actor, sentence: 'let me look' } });
    world.clock.now += 60_000;
    expect(await settle(id)).toMatchObject({ status: 'paused', moved });
    expect(await world.broker.operations.act(id, 'pause', BY)).toMatchObject({ status: 'paused' });
    await world.broker.operations.act(id, 'resume', BY);
    expect((await settle(id)).moved - moved).toBeLessThanOrEqual(1);
    await world.broker.operations.change(id, { rate: { perSecond: null, keepReadyBelow: null } }, BY);
    expect(await settle(id)).toMatchObject({ status: 'completed', moved: 300 });
  });
});

describe('a canary', () => {
  const canary = { jobs: 20, maxDiedAgain: 0.1, waitMs: 60_000 };

  it('stops a bad re-drive: no job beyond it is touched, and the sentence says why', async () => {
    const queue = await dead(400);
    const { id } = await startOperation(
      world.broker,
      { kind: 'redrive', q: `queue:${queue}` },
      { control: { canary } },
    );
    expect(await settle(id)).toMatchObject({ moved: 20, phase: 'canary-wait', status: 'running' });
    await workers(queue, 20);
    expect(await step(id)).toMatchObject({
      status: 'paused',
      moved: 20,
      paused: { by: 'canary', sentence: expect.stringMatching(/of 20, 20 died again/) },
    });
    const { outcome } = await world.broker.operations.get(id);
    expect(outcome).toMatchObject({ diedAgain: 20, completed: 0, waiting: 0, running: 0 });
    expect(outcome?.groups).toEqual([{ group: expect.stringMatching(/^[0-9a-f]{12}$/), count: 20 }]);
    // A person overrules it, knowing what happened.
    await world.broker.operations.act(id, 'resume', BY);
    expect(await settle(id)).toMatchObject({ status: 'completed', moved: 400, phase: null });
  });

  it('after a failed one another goes first where the user asks for it, and decides again', async () => {
    const queue = await dead(400);
    const { id } = await startOperation(
      world.broker,
      { kind: 'redrive', q: `queue:${queue}` },
      { control: { canary } },
    );
    await settle(id);
    await workers(queue, 20);
    await step(id);
    for (const action of ['pause', 'cancel'] as const)
      await expect(world.broker.operations.act(id, action, BY, undefined, true)).rejects.toMatchObject({
        code: 'VALIDATION',
        fields: [{ field: 'canary' }],
      });
    const again = await world.broker.operations.act(id, 'resume', BY, 'fixed, I think', true);
    expect(again).toMatchObject({ status: 'running', phase: 'canary' });
    expect(await settle(id)).toMatchObject({ moved: 40, phase: 'canary-wait', status: 'running' });
    await workers(queue, 20);
    expect(await step(id)).toMatchObject({ status: 'paused', paused: { by: 'canary' }, moved: 40 });
    await world.broker.operations.act(id, 'resume', BY, 'fixed', true);
    expect(await settle(id)).toMatchObject({ moved: 60, phase: 'canary-wait' });
    await workers(queue);
    expect(await settle(id)).toMatchObject({ status: 'completed', moved: 400, phase: null });
  });

  it('goes on by itself when it ended well', async () => {
    const queue = await dead(300);
    const { id } = await startOperation(
      world.broker,
      { kind: 'redrive', q: `queue:${queue}` },
      { control: { canary } },
    );
    await settle(id);
    await workers(queue, 2);
    const done = await settle(id);
    expect(done).toMatchObject({ status: 'completed', moved: 300 });
    expect(done.events.map(({ type: what }) => what)).toContain('canary-passed');
  });

  it('is remembered as passed also when the rest takes no longer than a slice', async () => {
    const queue = await dead(22);
    const { id } = await startOperation(
      world.broker,
      { kind: 'redrive', q: `queue:${queue}` },
      { control: { canary } },
    );
    await settle(id);
    await workers(queue, 2);
    const { status, events } = await settle(id, 60_000);
    expect(status).toBe('completed');
    expect(events.map(({ type: what }) => what)).toContain('canary-passed');
  });

  it('that does not end in time pauses, and the time of a pause is not held against it', async () => {
    const queue = await dead(100);
    const { id } = await startOperation(
      world.broker,
      { kind: 'redrive', q: `queue:${queue}` },
      { control: { canary } },
    );
    await settle(id);
    world.clock.now += 50_000;
    expect((await settle(id)).status).toBe('running');
    await world.broker.operations.act(id, 'pause', BY);
    world.clock.now += 600_000;
    await world.broker.operations.act(id, 'resume', BY);
    expect(await settle(id)).toMatchObject({ status: 'running', phase: 'canary-wait', moved: 20 });
    world.clock.now += 10_001;
    expect(await settle(id)).toMatchObject({
      status: 'paused',
      moved: 20,
      paused: { by: 'canary', sentence: expect.stringContaining('did not end within 1 min') },
    });
  });

  it('is of all the queues together, some of each, and no more of it however often its runner changes', async () => {
    const queues = [await dead(50), await dead(50), await dead(50)];
    const q = queues.map((queue) => `queue:${queue}`).join(' OR ');
    const { id } = await startOperation(world.broker, { kind: 'redrive', q }, { control: { canary } });
    const brokers = [world.broker, world.another(), world.another()];
    for (let i = 0; i < 30; i++) {
      world.clock.now += 3_000;
      await Promise.all(brokers.map((broker, n) => broker.operations.runSlice(id, `r${n}`, { sliceMs: 0 })));
      const moved = (await Promise.all(queues.map(ready))).reduce((a, b) => a + b, 0);
      expect(moved).toBeLessThanOrEqual(20);
      if (i === 15) world.clock.now += 10_000;
    }
    for (const queue of queues) expect(await ready(queue)).toBeGreaterThan(0);
    await world.broker.operations.act(id, 'cancel', BY);
  });
});

describe('the automatic stop', () => {
  it('pauses when too many of those that end die again, and judges anew after a person went on', async () => {
    const queue = await dead(1_000);
    const control = {
      rate: { perSecond: 100, keepReadyBelow: null },
      stop: { maxDiedAgain: 0.2, windowMs: 10_000, minEnded: 20 },
    };
    const { id } = await startOperation(world.broker, { kind: 'redrive', q: `queue:${queue}` }, { control });
    const second = async (dying: number) => {
      world.clock.now += 1_000;
      const operation = await settle(id);
      await workers(queue, dying);
      return operation;
    };
    for (let i = 0; i < 3; i++) expect((await second(2)).status).toBe('running');
    await second(60);
    expect(await settle(id)).toMatchObject({
      status: 'paused',
      paused: {
        by: 'died-again',
        sentence: expect.stringMatching(/died again \(\d+(\.\d)?%\); at most 20% may/),
      },
    });
    await world.broker.operations.act(id, 'resume', BY);
    for (let i = 0; i < 3; i++) expect((await second(2)).status).toBe('running');
    await second(60);
    expect((await settle(id)).status).toBe('paused');
    await world.broker.operations.change(id, { stop: null }, BY);
    await world.broker.operations.act(id, 'resume', BY);
    await second(90);
    expect((await settle(id)).status).toBe('running');
    await world.broker.operations.act(id, 'cancel', BY);
  });

  it('does not stop what it is not asked about', async () => {
    const queue = await dead(50);
    const { id } = await startOperation(world.broker, { kind: 'suppress', q: `queue:${queue}` });
    await expect(
      world.broker.operations.change(id, { stop: { maxDiedAgain: 0.5, windowMs: 1_000, minEnded: 1 } }, BY),
    ).rejects.toMatchObject({ code: 'VALIDATION' });
    expect(await runToEnd(world.broker, id)).toMatchObject({ moved: 50, outcome: null });
    await enqueueAll(world.broker, queue, jobs(1, 900));
  });
});
