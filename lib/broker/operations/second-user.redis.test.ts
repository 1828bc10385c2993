/** Approval that is asked for after an operation was confirmed, and changes that an earlier approval did not cover. */
import { describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/broker';
import type { OperationChange } from '@/lib/contract/operations/operation-request';
import { until } from '@/testing/poll';
import { runToEnd, startOperation, type Wanted } from '@/testing/worlds/operation-runs';
import { BY, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const person = (name: string): Actor & { reason: string } => ({
  actor: name,
  actorId: `local:${name}`,
  method: 'local',
  reason: 'a test',
});
const [ANN, BEN] = [person('Ann'), person('Ben')];
const FASTER: OperationChange = { rate: { perSecond: null, keepReadyBelow: null } };
const SLOW = { rate: { perSecond: 0.0001, keepReadyBelow: null } };

const ask = (queue: string) => world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
const trashed = (queue: string) => world.redis.zcard(world.column(queue, 'trash'));
const step = async (id: string) =>
  (await world.broker.operations.runSlice(id, 'r1', { sliceMs: 0 })).operation;
const act = (id: string, action: 'resume' | 'approve' | 'pause', by: Actor) =>
  world.broker.operations.act(id, action, by);

/** A purge of ten jobs by Ann that has moved its first one; the next is due in hours. */
async function slowPurge() {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(10));
  const { id } = await startOperation(
    world.broker,
    { kind: 'purge', q: `queue:${queue}` },
    { by: ANN, control: SLOW },
  );
  await until(async () => (await step(id)).moved === 1, { what: 'its first job' });
  return { queue, id };
}
/** Its queue asks for approval, and its runner has seen it. */
async function asked() {
  const { queue, id } = await slowPurge();
  await ask(queue);
  await until(async () => (await step(id)).status === 'paused', { what: 'the check', timeoutMs: 20_000 });
  return { queue, id };
}

describe('a queue that asks for approval while an operation runs', () => {
  it('pauses it within a second, also while it waits for its rate', async () => {
    const { queue, id } = await asked();
    const { paused, events } = await world.broker.operations.get(id);
    expect(paused).toMatchObject({ by: 'approval', sentence: expect.stringContaining(queue) });
    expect(events.at(-1)).toMatchObject({ type: 'paused', by: 'approval' });
    expect(await trashed(queue)).toBe(1);
  });

  it('lets another user resume it, who then has approved it', async () => {
    const { id } = await asked();
    await expect(act(id, 'resume', ANN)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await act(id, 'resume', BEN)).toMatchObject({ status: 'running', decidedBy: 'Ben' });
    await act(id, 'pause', BEN);
    await act(id, 'resume', ANN);
    expect((await step(id)).status).toBe('running');
  });

  it.each(['running', 'paused'] as const)(
    'is not overtaken by a higher rate of one that is %s',
    async (status) => {
      const { queue, id } = await slowPurge();
      if (status === 'paused') await act(id, 'pause', ANN);
      await ask(queue);
      const changed = await world.broker.operations.change(id, FASTER, ANN);
      expect(changed).toMatchObject({ status: 'paused', rate: { perSecond: null } });
      await expect(act(id, 'resume', ANN)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await step(id);
      expect(await trashed(queue)).toBe(1);
      await act(id, 'resume', BEN);
      expect(await runToEnd(world.broker, id)).toMatchObject({ moved: 10, decidedBy: 'Ben' });
    },
  );

  it('is the queue a move leads to when that protects its jobs less from now on', async () => {
    const [from, to] = [world.freshQueue(), world.freshQueue()];
    await killAll(world.broker, from, jobs(10));
    await killAll(world.broker, to, jobs(1, 50));
    for (const queue of [from, to]) await ask(queue);
    const wanted = { kind: 'move', q: `queue:${from}`, target: to } as const;
    const { id, status } = await startOperation(world.broker, wanted, { by: ANN, control: SLOW });
    expect(status).toBe('running');
    await until(async () => (await step(id)).moved === 1, { what: 'its first job' });
    await world.broker.config.change(to, { purgeNeedsApproval: false }, BY);
    const paused = async () => ((await step(id)).paused?.by === 'approval' ? true : null);
    await until(paused, { what: 'the check', timeoutMs: 20_000 });
  });

  it('asks nothing of an operation that deletes nothing', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(10));
    await ask(queue);
    const { id } = await startOperation(
      world.broker,
      { kind: 'suppress', q: `queue:${queue}` },
      { by: ANN, control: SLOW },
    );
    await world.broker.operations.change(id, FASTER, ANN);
    expect(await runToEnd(world.broker, id)).toMatchObject({ status: 'completed', moved: 10 });
  });
});

it('an edit that has ended keeps its patch once, as readers see it', async () => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(1, 0, { payload: '{"a":1}' }));
  const patch = [{ op: 'replace' as const, path: '/a', value: 2 }];
  const edit: Wanted = { kind: 'edit', patch, includeUnsafe: true, q: `queue:${queue}` };
  const { id } = await startOperation(world.broker, edit, { by: ANN });
  expect(await runToEnd(world.broker, id)).toMatchObject({ status: 'completed', moved: 1, patch });
  const record = JSON.parse((await world.redis.hget(world.keys.global('operationsRecords'), id)) ?? '{}');
  expect([record.patch, record.maskedPatch]).toEqual([null, patch]);
});

describe('an approval is of the operation as it was', () => {
  async function approved(control: OperationChange = SLOW) {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(10, 0, { payload: '{"a":1}' }));
    await ask(queue);
    const edit: Wanted = {
      kind: 'edit',
      patch: [{ op: 'replace', path: '/a', value: 2 }],
      includeUnsafe: true,
    };
    const started = await startOperation(
      world.broker,
      { ...edit, q: `queue:${queue}` },
      { by: ANN, control },
    );
    expect(started.status).toBe('awaiting-approval');
    return { queue, id: started.id };
  }
  const STOP = { maxDiedAgain: 0.1, windowMs: 60_000, minEnded: 10 };
  const RATE = { perSecond: 0.001, keepReadyBelow: 100 };

  it.each<[string, OperationChange]>([
    ['a higher rate', { rate: { ...RATE, perSecond: 0.002 } }],
    ['no rate', { rate: { ...RATE, perSecond: null } }],
    ['more ready jobs', { rate: { ...RATE, keepReadyBelow: 101 } }],
    ['as many ready jobs as there are', { rate: { ...RATE, keepReadyBelow: null } }],
    ['no stop', { stop: null }],
    ['a later stop', { stop: { ...STOP, maxDiedAgain: 0.2 } }],
    ['a stop that judges later', { stop: { ...STOP, minEnded: 11 } }],
  ])('%s asks again', async (_, change) => {
    const { id } = await approved({ rate: RATE, stop: STOP });
    await act(id, 'approve', BEN);
    const changed = await world.broker.operations.change(id, change, ANN);
    expect(changed).toMatchObject({ status: 'paused', decidedBy: null, paused: { by: 'approval' } });
    await expect(act(id, 'resume', ANN)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await act(id, 'resume', BEN)).toMatchObject({ status: 'running', decidedBy: 'Ben' });
  });

  it.each<[string, OperationChange]>([
    ['a lower rate', { rate: { ...RATE, perSecond: 0.0001 } }],
    ['fewer ready jobs', { rate: { ...RATE, keepReadyBelow: 99 } }],
    ['an earlier stop', { stop: { ...STOP, maxDiedAgain: 0.05 } }],
  ])('%s does not', async (_, change) => {
    const { id } = await approved({ rate: RATE, stop: STOP });
    await act(id, 'approve', BEN);
    expect(await world.broker.operations.change(id, change, ANN)).toMatchObject({
      status: 'running',
      decidedBy: 'Ben',
    });
  });

  it('so it changes only to less while another user looks at it', async () => {
    const { id } = await approved();
    await expect(world.broker.operations.change(id, FASTER, ANN)).rejects.toMatchObject({
      code: 'OPERATION_STATE',
    });
    const slower = { rate: { perSecond: 0.00001, keepReadyBelow: null } };
    expect(await world.broker.operations.change(id, slower, ANN)).toMatchObject({
      status: 'awaiting-approval',
    });
  });
});

it('rights are decided on the record that is changed', async () => {
  const { id } = await slowPurge();
  const seen: [string, boolean][] = [];
  const refuse = (record: { id: string }, isLooser: boolean) => {
    seen.push([record.id, isLooser]);
    throw new Error('not yours');
  };
  const { operations } = world.broker;
  await expect(operations.change(id, FASTER, ANN, refuse)).rejects.toThrow('not yours');
  await expect(operations.change(id, { stop: null }, ANN, refuse)).rejects.toThrow('not yours');
  await expect(
    operations.act(id, 'cancel', ANN, 'x', false, (record) => refuse(record, false)),
  ).rejects.toThrow('not yours');
  expect(seen).toEqual([
    [id, true],
    [id, false],
    [id, false],
  ]);
  expect(await operations.get(id)).toMatchObject({ status: 'running', rate: SLOW.rate });
});
