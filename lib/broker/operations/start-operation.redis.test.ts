/** From a preview to an operation: what is confirmed is what was looked at, once, by who may. */
import { describe, expect, it } from 'vitest';
import { PREVIEW_TTL_MS } from '@/lib/contract/operations/operation-kinds';
import { operate, previewOf, runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import {
  BY,
  claimAll,
  enqueueAll,
  failure,
  jobs,
  killAll,
  setUpWorld,
  stateOf,
} from '@/testing/worlds/world';

const world = await setUpWorld();

const OTHER = { actor: 'second', reason: 'looked at it' };
const confirm = (previewToken: string, rest: object = {}) => ({ previewToken, reason: 'a test', ...rest });

describe('a confirmation', () => {
  it('is refused when the set is not the one that was looked at, and says what changed', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(20));
    const { token } = await previewOf(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    await world.broker.suppress(queue, ['j000001', 'j000002'], BY);
    await expect(world.broker.operations.start(confirm(token), BY)).rejects.toMatchObject({
      code: 'PREVIEW_STALE',
      message: expect.stringMatching(/20 jobs matched.*18 do now: 2 of them have left/),
    });
    // What died since is not part of it, and changes nothing.
    await world.broker.restore(queue, ['j000001', 'j000002'], BY);
    world.clock.now += 10;
    await killAll(world.broker, queue, jobs(5, 100));
    expect(await world.broker.operations.start(confirm(token), BY)).toMatchObject({ expected: 20 });
  });

  it('uses its preview up: once, unless it is the same request sent again', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(3));
    const { token } = await previewOf(world.broker, { kind: 'purge', q: `queue:${queue}` });
    const by = { ...BY, requestId: 'purge these three' };
    const both = await Promise.all([
      world.broker.operations.start(confirm(token), by),
      world.another().operations.start(confirm(token), by),
    ]);
    expect(both[0]?.id).toBe(both[1]?.id);
    const id = both[0]?.id ?? '';
    await expect(world.broker.operations.start(confirm(token), BY)).rejects.toMatchObject({
      code: 'PREVIEW_STALE',
      message: expect.stringContaining(id),
    });
    await runToEnd(world.broker, id);
    // After its end, and after the preview is gone, the same request still finds it.
    await world.redis.del(world.keys.preview(token));
    expect(await world.broker.operations.start(confirm(token), by)).toMatchObject({
      id,
      status: 'completed',
    });
    const again = await previewOf(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    await expect(world.broker.operations.start(confirm(again.token), by)).rejects.toMatchObject({
      code: 'ID_CONFLICT',
    });
  });

  it('needs a preview that is still kept', async () => {
    const { token } = await previewOf(world.broker, { kind: 'purge', q: 'code:NOTHING' });
    expect(await world.redis.pttl(world.keys.preview(token))).toBeGreaterThan(PREVIEW_TTL_MS - 60_000);
    await world.redis.del(world.keys.preview(token));
    for (const gone of [token, 'not-a-token', '']) {
      await expect(world.broker.operations.start(confirm(gone), BY)).rejects.toMatchObject({
        code: 'PREVIEW_STALE',
        fields: [{ field: 'previewToken' }],
      });
    }
  });

  it.each([
    ['redrive', 1_001, 1_000],
    ['purge', 101, 100],
  ] as const)('of a %s of many jobs asks for their number', async (kind, many, few) => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(many));
    const preview = await previewOf(world.broker, { kind, q: `queue:${queue}` });
    expect(preview.typedCount).toBe(many);
    for (const typedCount of [undefined, many - 1]) {
      await expect(
        world.broker.operations.start(confirm(preview.token, { typedCount }), BY),
      ).rejects.toMatchObject({ code: 'VALIDATION', fields: [{ field: 'typedCount' }] });
    }
    const started = await world.broker.operations.start(confirm(preview.token, { typedCount: many }), BY);
    expect(started.status).toBe('running');
    await world.broker.operations.act(started.id, 'cancel', BY);
    await world.broker.remove(queue, ['j000000'], BY);
    expect((await previewOf(world.broker, { kind, q: `queue:${queue}` })).typedCount).toBeNull();
    expect(few).toBe(many - 1);
  });

  it.each([
    [13, 12],
    [1, null],
  ])('B13: of %d jobs lowers a canary of 20, so that a job follows it', async (count, canaryJobs) => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(count));
    const { token } = await previewOf(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    const { canary } = await world.broker.operations.start(
      confirm(token, { canary: { jobs: 20, maxDiedAgain: 0, waitMs: 60_000 } }),
      BY,
    );
    expect(canary?.jobs ?? null).toBe(canaryJobs);
  });

  it('takes a canary and an automatic stop only for what runs again', async () => {
    const { token } = await previewOf(world.broker, { kind: 'purge', q: 'code:NOTHING' });
    await expect(
      world.broker.operations.start(confirm(token, { canary: { jobs: 5 }, stop: { maxDiedAgain: 0.1 } }), BY),
    ).rejects.toMatchObject({ code: 'VALIDATION', fields: [{ field: 'canary' }, { field: 'stop' }] });
  });

  it.each([
    [{ kind: 'purge', scope: { state: 'ready', q: '' } }, 'scope.state'],
    [{ kind: 'recall', scope: { state: 'dead', q: '' } }, 'scope.state'],
    [{ kind: 'move', scope: { q: '' } }, 'target'],
    [{ kind: 'redrive', scope: { q: '' }, target: 'x' }, 'target'],
    [{ kind: 'edit', scope: { q: '' } }, 'patch'],
    [{ kind: 'reschedule', scope: { state: 'retry', q: '' } }, 'dueAt'],
    [{ kind: 'redrive', scope: {} }, 'scope.q'],
    [{ kind: 'redrive', scope: { q: '', jobs: [{ queue: 'a', jobId: 'b' }] } }, 'scope.q'],
    [{ kind: 'everything', scope: { q: '' } }, 'kind'],
  ])('of %j is refused at %s before anything is read', async (request, field) => {
    await expect(world.broker.operations.preview(request as never, BY)).rejects.toMatchObject({
      code: 'VALIDATION',
      fields: [{ field }],
    });
  });

  it('of a query that cannot be read says where it is wrong', async () => {
    await expect(previewOf(world.broker, { kind: 'purge', q: 'tpye:x' })).rejects.toMatchObject({
      code: 'BAD_QUERY',
    });
  });
});

describe('a second person', () => {
  it('must approve a purge where the queue asks for it, and cannot be the first', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(4));
    await world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
    const preview = await previewOf(world.broker, { kind: 'purge', q: `queue:${queue}` });
    expect(preview.needsApproval).toBe(true);
    expect((await previewOf(world.broker, { kind: 'redrive', q: `queue:${queue}` })).needsApproval).toBe(
      false,
    );
    expect((await previewOf(world.broker, { kind: 'purge', q: 'code:ELSEWHERE' })).needsApproval).toBe(false);
    const { id, status } = await world.broker.operations.start(confirm(preview.token), BY);
    expect(status).toBe('awaiting-approval');
    expect((await world.broker.operations.runSlice(id, 'r1')).operation.moved).toBe(0);
    await expect(world.broker.operations.act(id, 'approve', BY)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(world.broker.operations.act(id, 'pause', OTHER)).rejects.toMatchObject({
      code: 'OPERATION_STATE',
    });
    const approved = await world.broker.operations.act(id, 'approve', OTHER);
    expect(approved).toMatchObject({ status: 'running', decidedBy: 'second' });
    expect(await runToEnd(world.broker, id)).toMatchObject({ status: 'completed', moved: 4 });
    const { events } = await world.broker.operations.get(id);
    expect(events.map(({ type: what, by }) => `${what} ${by}`)).toEqual([
      `created ${BY.actor}`,
      'approved second',
      'completed redrive',
    ]);
  });

  it('may reject it, and then it never starts; its jobs may be chosen again', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(4));
    await world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
    const ticked = [{ queue, jobId: 'j000002' }];
    const { id } = await startOperation(world.broker, { kind: 'purge', jobs: ticked });
    expect(await world.broker.operations.act(id, 'reject', OTHER, 'still needed')).toMatchObject({
      status: 'rejected',
      decidedBy: 'second',
      error: 'still needed',
    });
    await expect(world.broker.operations.act(id, 'approve', OTHER)).rejects.toMatchObject({
      code: 'OPERATION_STATE',
    });
    expect((await world.broker.operations.runSlice(id, 'r1')).operation.status).toBe('rejected');
    expect(await stateOf(world.broker, queue, 'j000002')).toBe('dead');
    await world.broker.config.change(queue, { purgeNeedsApproval: false }, BY);
    expect(await operate(world.broker, { kind: 'purge', jobs: ticked })).toMatchObject({ moved: 1 });
  });
});

it('closes an export that was not downloaded and a purge that was not approved in time', async () => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(4));
  await world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
  const exported = await startOperation(world.broker, { kind: 'export', q: `queue:${queue}`, format: 'csv' });
  const fetched = await startOperation(world.broker, { kind: 'export', q: `queue:${queue}` });
  await world.broker.operations.exported(fetched.id, { rows: 4, truncated: false });
  const purge = await startOperation(world.broker, { kind: 'purge', q: `queue:${queue}` });
  world.clock.now += 86_400_000;
  expect(await world.broker.operations.closeExpired()).toBe(0);
  world.clock.now += 1;
  expect(await world.broker.operations.closeExpired()).toBe(1);
  world.clock.now += 6 * 86_400_000;
  expect(await world.broker.operations.closeExpired()).toBe(1);
  const [a, b, c] = await Promise.all(
    [exported, fetched, purge].map(({ id }) => world.broker.operations.get(id)),
  );
  expect(a).toMatchObject({ status: 'cancelled', error: expect.stringContaining('downloaded') });
  expect(b).toMatchObject({ status: 'completed', moved: 4 });
  expect(c).toMatchObject({ status: 'rejected', error: expect.stringContaining('approved') });
});

describe('jobs in flight', () => {
  it('are cancelled by the claim that was seen, and left alone when they were claimed anew', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(6));
    const held = await claimAll(world.broker, queue);
    const preview = await previewOf(world.broker, {
      kind: 'cancel',
      state: 'in-flight',
      q: `queue:${queue}`,
    });
    expect(preview.count).toBe(6);
    const { id, expected } = await world.broker.operations.start(confirm(preview.token), BY);
    expect(expected).toBe(6);
    const [first, second, third] = held;
    if (!first || !second || !third) throw new Error('nothing was claimed');
    await world.broker.ack(queue, [{ jobId: first.jobId, token: first.token }]);
    await world.broker.release(queue, [{ jobId: second.jobId, token: second.token }]);
    await claimAll(world.broker, queue);
    // Its heartbeat moves it in the index; it is the same run.
    await world.broker.extend(queue, [{ jobId: third.jobId, token: third.token }], 60_000);
    expect(await runToEnd(world.broker, id)).toMatchObject({ moved: 4, skips: { changed: 2 } });
    expect(await stateOf(world.broker, queue, first.jobId)).toBe('completed');
    expect(await stateOf(world.broker, queue, second.jobId)).toBe('in-flight');
    expect(await stateOf(world.broker, queue, third.jobId)).toBe('dead');
  });

  it('are refused in a sentence when they are too many to be fixed one by one', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(5_001));
    await claimAll(world.broker, queue);
    await expect(
      previewOf(world.broker, { kind: 'cancel', state: 'in-flight', q: `queue:${queue}` }),
    ).rejects.toMatchObject({ code: 'VALIDATION', message: expect.stringMatching(/More than 5000 running/) });
  });
});

it('refuses to keep more than a hundred operations under way', async () => {
  const cancelAll = async () => {
    for (const id of await world.broker.operations.running())
      await world.broker.operations.act(id, 'cancel', BY);
  };
  await cancelAll();
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(1), failure());
  const open: string[] = [];
  for (let i = 0; i < 4; i++) {
    const batch = Array.from({ length: 25 }, () =>
      startOperation(world.broker, { kind: 'redrive', q: `queue:${queue}` }),
    );
    open.push(...(await Promise.all(batch)).map(({ id }) => id));
  }
  await expect(startOperation(world.broker, { kind: 'redrive', q: `queue:${queue}` })).rejects.toMatchObject({
    code: 'LIMIT_REACHED',
  });
  expect((await world.broker.operations.running()).filter((id) => open.includes(id))).toHaveLength(100);
  await world.broker.operations.act(open[0] ?? '', 'cancel', BY);
  await startOperation(world.broker, { kind: 'redrive', q: `queue:${queue}` });
  await cancelAll();
});
