/** A preview changes nothing, and says what there is, what would be skipped, what would wait, and what an edit would write. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/broker';
import { operate, previewOf } from '@/testing/worlds/operation-runs';
import { BY, CRASH, claimAll, enqueueAll, failure, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

/** How often anything was written since the server started. */
async function writes(): Promise<number> {
  const info = await world.redis.info('persistence');
  return Number(/rdb_changes_since_last_save:(\d+)/.exec(info)?.[1]);
}

/** A live worker of some queues, and what it says it can run. */
async function worker(
  workerId: string,
  queues: readonly string[],
  handlers: { type: string; versions: number[]; schema?: object }[],
  status: 'running' | 'draining' = 'running',
) {
  const told = JSON.stringify(handlers.map((handler) => ({ schema: null, ...handler })));
  await world.broker.workers.report(
    {
      workerId,
      status,
      host: 'here',
      pid: 1,
      version: '1',
      startedAt: world.clock.now,
      queues: Object.fromEntries(queues.map((queue) => [queue, 1])),
      concurrency: 1,
      leaseMs: 15_000,
      jobs: [],
      completed: 0,
      failed: 0,
      breakers: [],
      unknownJobs: [],
      handlers: handlers.map(({ type, versions }) => ({ type, versions })),
      schemasDigest: createHash('sha256').update(told).digest('hex'),
      memoryBytes: 1,
      eventLoopDelayMs: 0,
      end: null,
      actions: [],
    },
    told,
  );
}

describe('a preview', () => {
  it('changes nothing, counts exactly, and breaks down what it counted', async () => {
    const [one, two] = [world.freshQueue(), world.freshQueue()];
    await killAll(world.broker, one, jobs(12, 0, { tenantId: 'acme' }), failure('HTTP_500', 'retryable'));
    await killAll(world.broker, one, jobs(8, 100, { tenantId: 'other' }), failure('HTTP_404'));
    world.clock.now += 7_200_000;
    await killAll(
      world.broker,
      two,
      jobs(5, 200, { tenantId: 'acme', jobType: 'mail' }),
      failure('HTTP_404'),
    );
    await world.broker.purge(two, [], BY);
    const before = await writes();
    const preview = await previewOf(world.broker, {
      kind: 'redrive',
      q: `(queue:${one} OR queue:${two}) code:HTTP_404`,
    });
    expect(preview).toMatchObject({
      at: world.clock.now,
      cutoff: world.clock.now,
      count: 13,
      exact: true,
      sampled: null,
      inspected: null,
      skips: {},
      breakdown: {
        queue: [
          { value: one, count: 8 },
          { value: two, count: 5 },
        ],
        type: [
          { value: 'demo', count: 8 },
          { value: 'mail', count: 5 },
        ],
        code: [{ value: 'HTTP_404', count: 13 }],
        class: [{ value: 'permanent', count: 13 }],
        tenant: [
          { value: 'other', count: 8 },
          { value: 'acme', count: 5 },
        ],
      },
      advice: [{ class: 'permanent', count: 13, safety: 'after-fix' }],
    });
    expect(preview.breakdown.age.filter(({ count }) => count > 0)).toEqual([
      { value: '<=5m', count: 5 },
      { value: '1h–24h', count: 8 },
    ]);
    expect(preview.samples).toHaveLength(10);
    // Newest first.
    expect(preview.samples[0]?.queue).toBe(two);
    expect(preview.samples.at(-1)?.queue).toBe(one);
    // The preview itself, kept under its token.
    expect(await writes()).toBe(before + 1);
  });

  it('counts of many exactly too, and says that it looked at some of them only', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(2_200), failure('A'));
    await killAll(world.broker, queue, jobs(100, 5_000), failure('B', 'malformed'));
    const preview = await previewOf(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    expect(preview).toMatchObject({
      count: 2_300,
      exact: true,
      sampled: null,
      inspected: 2_000,
      typedCount: 2_300,
      breakdown: {
        code: [
          { value: 'A', count: 2_200 },
          { value: 'B', count: 100 },
        ],
      },
    });
    expect(preview.skips['not-safe']).toBe(100);
    expect(preview.ageSampled).toBeNull();
  });

  it('says of how many the ages are, where no index has them', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(1_200), failure('A'));
    world.clock.now += 2 * 3_600_000;
    await killAll(world.broker, queue, jobs(1_200, 2_000), failure('A'));
    // Of two terms: the rest is counted, the ages are of some of the newest.
    const q = `queue:${queue} code:A class:permanent`;
    const preview = await previewOf(world.broker, { kind: 'redrive', q });
    expect(preview).toMatchObject({ count: 2_400, exact: true, sampled: null, ageSampled: 500 });
    expect(preview.breakdown.age.reduce((sum, { count }) => sum + count, 0)).toBe(500);
    expect(preview.breakdown.code).toEqual([{ value: 'A', count: 2_400 }]);
  });

  it('says why jobs would be skipped, and they are', async () => {
    const queue = world.freshQueue();
    const unique = (key: string) => ({ unique: { key, scope: 'done' as const, ttlMs: 60_000_000 } });
    await killAll(world.broker, queue, jobs(3, 0, { deadline: world.clock.now + 1_000 }));
    await killAll(world.broker, queue, jobs(1, 10, unique('taken')));
    await enqueueAll(world.broker, queue, jobs(1, 11, { ...unique('taken'), delayMs: 60_000 }));
    await killAll(world.broker, queue, jobs(4, 20), failure('BAD', 'malformed'));
    await world.broker.config.change(queue, { maxDeliveries: 1 }, BY);
    await enqueueAll(world.broker, queue, [...jobs(2, 30), ...jobs(2, 40, { idempotencyKey: 'k-1' })]);
    await claimAll(world.broker, queue, { worker: 'dies' });
    await world.broker.reclaimWorker(queue, 'dies', CRASH);
    await world.redis.hset(world.column(queue, 'jobs'), 'j000000', 'not a row');
    world.clock.now += 1_000;
    const wanted = { kind: 'redrive', q: `queue:${queue}` } as const;
    const skips = {
      unreadable: 1,
      'deadline-passed': 2,
      'not-unique': 1,
      'not-safe': 4,
      'no-idempotency-key': 2,
    };
    const preview = await previewOf(world.broker, wanted);
    expect(preview).toMatchObject({ count: 12, skips });
    expect(preview.advice.map((advice) => advice.class)).toEqual(['crash', 'malformed', 'permanent']);
    expect(await operate(world.broker, wanted)).toMatchObject({ moved: 2, skipped: 10, skips });
    const unsafe = { ...wanted, includeUnsafe: true };
    const rest = { unreadable: 1, 'deadline-passed': 2, 'not-unique': 1 };
    expect((await previewOf(world.broker, unsafe)).skips).toEqual(rest);
    expect(await operate(world.broker, unsafe)).toMatchObject({ moved: 6, skips: rest });
  });

  it('says what would wait: pauses, types nobody takes, workers that drain', async () => {
    const [served, deserted, draining] = [world.freshQueue(), world.freshQueue(), world.freshQueue()];
    await killAll(world.broker, served, jobs(5, 0, { tenantId: 'acme' }));
    await killAll(world.broker, served, jobs(4, 10, { tenantId: 'other' }));
    await killAll(world.broker, served, jobs(3, 20, { jobType: 'strange', tenantId: 'third' }));
    await killAll(world.broker, deserted, jobs(2, 900));
    await killAll(world.broker, draining, jobs(1));
    await worker('w-1', [served], [{ type: 'demo', versions: [1] }]);
    await worker('w-2', [draining], [{ type: 'demo', versions: [1] }], 'draining');
    await world.broker.pause(served, { scope: 'tenant:acme', reason: 'a test' }, BY);
    const q = [served, deserted, draining].map((queue) => `queue:${queue}`).join(' OR ');
    const predicted = await previewOf(world.broker, { kind: 'redrive', q });
    expect(predicted.unsupported).toMatchObject([{ queue: served, jobType: 'strange', count: 3 }]);
    expect(predicted.blocked).toEqual([
      { reason: 'paused', scope: `tenant acme of ${served}`, count: 5 },
      { reason: 'no-worker', scope: deserted, count: 2 },
      { reason: 'draining', scope: draining, count: 1 },
    ]);
    await world.broker.pause(served, { reason: 'a test' }, BY);
    expect((await previewOf(world.broker, { kind: 'redrive', q: `queue:${served}` })).blocked).toEqual([
      { reason: 'paused', scope: served, count: 7 },
      { reason: 'paused', scope: `${served} and tenant acme of ${served}`, count: 5, pauses: 2 },
    ]);
    // What does not become ready does not wait.
    expect((await previewOf(world.broker, { kind: 'purge', q })).blocked).toEqual([]);
    expect(
      (await previewOf(world.broker, { kind: 'move', q: `queue:${deserted}`, target: served })).blocked,
    ).toEqual([{ reason: 'paused', scope: served, count: 2 }]);
  });

  it('of an edit shows payloads before and after, judged by what live handlers take, and the operation does the same', async () => {
    // A broker of its own: what workers take is asked for every few seconds only.
    const broker = world.another();
    const queue = world.freshQueue();
    const schema = {
      type: 'object',
      properties: { amount: { type: 'number' }, to: { type: 'string' } },
      required: ['amount', 'to'],
    };
    await worker('w-edit', [queue], [{ type: 'pay', versions: [1], schema }]);
    const pay = (from: number, payload: string) => jobs(1, from, { jobType: 'pay', payload });
    await killAll(world.broker, queue, [
      ...pay(0, '{"amount":"12","to":"a","big":9007199254740993}'),
      ...pay(1, '{"amount":"13"}'),
      ...pay(2, 'not json'),
      ...pay(3, '{"to":"b"}'),
    ]);
    const patch = [{ op: 'replace' as const, path: '/amount', value: 12 }];
    const wanted = { kind: 'edit', q: `queue:${queue}`, patch } as const;
    const preview = await previewOf(broker, { ...wanted, patch });
    const skips = { 'patch-failed': 2, 'invalid-payload': 1 };
    expect(preview.skips).toEqual(skips);
    const diffs = new Map(preview.diffs?.map((diff) => [diff.jobId, diff]));
    expect(diffs.get('j000000')).toEqual({
      queue,
      jobId: 'j000000',
      before: '{"amount":"12","to":"a","big":9007199254740993}',
      after: '{"amount":12,"to":"a","big":9007199254740993}',
      problem: null,
    });
    expect(diffs.get('j000001')).toMatchObject({
      after: '{"amount":12}',
      problem: expect.stringContaining('to'),
    });
    expect(diffs.get('j000002')).toMatchObject({ after: null, problem: expect.stringContaining('JSON') });
    expect(diffs.get('j000003')).toMatchObject({ after: null, problem: expect.stringContaining('amount') });
    expect(await operate(broker, { ...wanted, patch })).toMatchObject({ moved: 1, skips });
    expect(await broker.inspect.job(queue, 'j000000')).toMatchObject({
      state: 'ready',
      payload: '{"amount":12,"to":"a","big":9007199254740993}',
    });
  });

  it('of a move to another queue needs one that exists, and sees ids that are taken', async () => {
    const [from, to] = [world.freshQueue(), world.freshQueue()];
    await killAll(world.broker, from, jobs(4));
    await expect(
      previewOf(world.broker, { kind: 'move', q: `queue:${from}`, target: 'nowhere' }),
    ).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND', fields: [{ field: 'target' }] });
    await enqueueAll(world.broker, to, jobs(1));
    const wanted = { kind: 'move', q: `queue:${from}`, target: to } as const;
    expect((await previewOf(world.broker, wanted)).skips).toEqual({ 'id-taken': 1 });
    const moved = await operate(world.broker, wanted);
    expect(moved).toMatchObject({ moved: 3, skips: { 'id-taken': 1 } });
    expect(moved.outcome).toMatchObject({ waiting: 3 });
    expect(await world.redis.zcard(world.column(to, 'ready'))).toBe(4);
  });
});

it('M6: of one user the newest hundred previews are kept', async () => {
  const quotaOwner = { id: 'local:tina', name: 'tina', tenants: [], isAdmin: false, seesAll: false };
  const queue = world.freshQueue();
  await enqueueAll(world.broker, queue, jobs(1));
  const look = async (by: Actor) =>
    (
      await world.broker.operations.preview(
        { kind: 'cancel', scope: { state: 'ready', q: `queue:${queue}` } },
        by,
      )
    ).token;
  const other = await look({ ...BY, quotaOwner: { ...quotaOwner, id: 'local:tom' } });
  const ofLibrary = await look(BY);
  const tokens: string[] = [];
  for (let n = 0; n < 103; n += 1) tokens.push(await look({ ...BY, quotaOwner }));
  const kept = await Promise.all(tokens.map((token) => world.redis.exists(world.keys.preview(token))));
  expect(kept).toEqual(tokens.map((_, n) => (n < 3 ? 0 : 1)));
  const start = (previewToken = '') => world.broker.operations.start({ previewToken, reason: 'a test' }, BY);
  await expect(start(tokens[0])).rejects.toMatchObject({ code: 'PREVIEW_STALE' });
  for (const token of [tokens[3], other, ofLibrary])
    expect(await world.redis.exists(world.keys.preview(token ?? ''))).toBe(1);
});
