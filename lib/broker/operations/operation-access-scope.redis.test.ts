/** An operation touches nothing outside of what whoever started it may touch: whatever its query says, and whatever was ticked. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessScope, type QueueScope, scopeHasJob } from '@/lib/contract/access/grant-scopes';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';
import type { Operation } from '@/lib/contract/operations/operation';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import type { PreviewInput, Scope } from '@/lib/contract/operations/operation-request';
import { QUEUE_CONFIG_DEFAULT } from '@/lib/contract/queues/queue-config-default';
import { matches, parseQueryOrThrow } from '@/lib/contract/search/query';
import { readRaw, violations } from '@/testing/model/invariants';
import { everything, type Planted } from '@/testing/model/search-jobs';
import { runToEnd } from '@/testing/worlds/operation-runs';
import { BY, claimAll, failure, jobs, killAll, START, setUpWorld, stateOf } from '@/testing/worlds/world';

const world = await setUpWorld();

const TENANTS = ['acme', 'acme-2', 'other'] as const;
const TYPES = ['mail.send', 'mail.open', 'pay'] as const;

/** Two queues with dead letters of three tenants, and some that are ready. */
async function twoQueues(): Promise<string[]> {
  const queues = [world.freshQueue(), world.freshQueue()];
  world.clock.now = START;
  for (const queue of queues) {
    const inputs = TENANTS.flatMap((tenantId, t) =>
      jobs(6, 10 * t).map((job, i) => ({ ...job, tenantId, jobType: TYPES[i % 3] ?? 'pay' })),
    );
    await killAll(world.broker, queue, inputs, failure());
    await world.broker.enqueueMany(
      queue,
      TENANTS.flatMap((tenantId, t) => jobs(3, 100 + 10 * t, { tenantId })),
    );
  }
  world.clock.now += 1_000;
  return queues;
}

const keyOf = ({ queue, facts }: Planted) => `${queue}/${facts.id}`;

async function start(kind: OperationKind, scope: Partial<Scope>, rest: Partial<PreviewInput> = {}) {
  const preview = await world.broker.operations.preview(
    { kind, includeUnsafe: true, ...rest, scope: { state: 'dead', ...scope } },
    BY,
  );
  const { token, typedCount } = preview;
  const request = { previewToken: token, reason: 'a test', ...(typedCount === null ? {} : { typedCount }) };
  return { preview, operation: await world.broker.operations.start(request, BY) };
}
const run = ({ id }: Operation) => runToEnd(world.broker, id);

const KINDS = ['redrive', 'suppress', 'purge', 'delete', 'edit'] as const;
const MORE: Partial<Record<OperationKind, Partial<PreviewInput>>> = {
  edit: { patch: [{ op: 'replace', path: '', value: { edited: true } }] },
};

describe('an operation', () => {
  it('moves what matches and lies within, and leaves everything else as it is', {
    timeout: 240_000,
  }, async () => {
    const areaOf = (queues: readonly string[]): fc.Arbitrary<QueueScope> =>
      fc.record({
        queue: fc.constantFrom(...queues, 'nobody', ...queues.map((queue) => `${queue}*`), '*'),
        tenants: fc.option(fc.uniqueArray(fc.constantFrom(...TENANTS), { minLength: 1 }), { nil: null }),
      });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...KINDS),
        fc.constantFrom('', 'type:mail.*', 'tenant:other', '-tenant:acme', 'j00000', 'payload.x:1 OR pay'),
        fc.boolean(),
        fc.gen(),
        async (kind, q, ticked, gen) => {
          const queues = await twoQueues();
          const within: AccessScope = gen(fc.array, areaOf(queues), { maxLength: 3 });
          const before = await everything(world, queues);
          const dead = before.filter(({ state }) => state === 'dead');
          const asked = ticked
            ? dead
            : dead.filter(({ facts }) => matches(parseQueryOrThrow(q), facts, world.clock.now));
          const inside = asked
            .filter(({ queue, facts }) => scopeHasJob(within, queue, facts.tenant))
            .map(keyOf);
          const scope = ticked
            ? { jobs: dead.map(({ queue, facts }) => ({ queue, jobId: facts.id })) }
            : { q: `(queue:${queues[0]} OR queue:${queues[1]}) ${q === '' ? '' : `(${q})`}` };
          const { preview, operation } = await start(kind, { ...scope, within }, MORE[kind]);
          expect(preview.samples.every((job) => scopeHasJob(within, job.queue, job.tenantId))).toBe(true);
          if (!ticked) expect(preview.count).toBe(inside.length);
          expect(
            (preview.diffs ?? []).every(({ queue, jobId }) => inside.includes(`${queue}/${jobId}`)),
          ).toBe(true);
          const done = await run(operation);
          expect(done).toMatchObject({ status: 'completed', moved: inside.length });
          expect(done.moved + done.skipped).toBe(done.expected);
          const after = new Map((await everything(world, queues)).map((job) => [keyOf(job), job]));
          for (const job of before) {
            if (inside.includes(keyOf(job))) expect(after.get(keyOf(job))?.state).not.toBe('dead');
            else expect(after.get(keyOf(job))).toEqual(job);
          }
          for (const queue of queues) {
            expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
            const touched = inside.some((key) => key.startsWith(`${queue}/`));
            const reached = within.some((area) => scopeHasJob([{ ...area, tenants: null }], queue, ''));
            const noted = await world.redis.hexists(world.column(queue, 'operations'), operation.id);
            if (!touched && !reached) expect(noted).toBe(0);
          }
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 40), endOnFailure: true },
    );
  });

  it.each([
    ['cancel', 'ready'],
    ['cancel', 'in-flight'],
    ['delete', 'ready'],
  ] as const)('a %s of %s jobs keeps to it, ticked or not', async (kind, state) => {
    for (const ticked of [false, true]) {
      const queue = world.freshQueue();
      await world.broker.enqueueMany(queue, [
        ...jobs(4, 0, { tenantId: 'acme' }),
        ...jobs(4, 10, { tenantId: 'other' }),
      ]);
      if (state === 'in-flight') await claimAll(world.broker, queue, { leaseMs: 3_600_000 });
      const within = [{ queue, tenants: ['acme'] }];
      const all = [...jobs(4, 0), ...jobs(4, 10), ...jobs(1, 99)].map((job) => ({
        queue,
        jobId: job.jobId ?? '',
      }));
      const scope = ticked ? { jobs: all } : { q: `queue:${queue}` };
      const { preview, operation } = await start(kind, { state, within, ...scope });
      expect(preview.count).toBe(ticked ? 9 : 4);
      const done = await run(operation);
      // Those of others are told like the one that was never there.
      expect(done).toMatchObject({ moved: 4, skips: ticked ? { changed: 5 } : {} });
      for (const { jobId = '' } of jobs(4, 10)) expect(await stateOf(world.broker, queue, jobId)).toBe(state);
      const { jobs: shown, skips = [] } = await world.broker.operations.jobs(done.id, {
        outcome: 'skipped',
        limit: 50,
      });
      expect(shown).toEqual([]);
      expect(new Set(skips.map(({ reason }) => reason))).toEqual(new Set(ticked ? ['changed'] : []));
    }
  });

  it('to another queue takes only jobs within along', async () => {
    const [queue = '', target = ''] = await twoQueues();
    const within = [{ queue, tenants: ['acme', 'acme-2'] }];
    const { operation } = await start('move', { q: '', within }, { target });
    expect(await run(operation)).toMatchObject({ moved: 0, skips: { 'id-taken': 12 } });
    const empty = world.freshQueue();
    await world.broker.enqueueMany(empty, jobs(1, 900));
    const { operation: again } = await start('move', { q: '', within }, { target: empty });
    expect(await run(again)).toMatchObject({ moved: 12, outcome: { waiting: 12 } });
    const waiting = await world.broker.operations.jobs(again.id, { outcome: 'waiting', limit: 50 });
    expect(waiting.jobs).toHaveLength(12);
    expect(new Set(waiting.jobs.map((job) => `${job.queue} ${job.tenantId}`))).toEqual(
      new Set([`${empty} acme`, `${empty} acme-2`]),
    );
  });
});

it('is broken down without what lies outside, also where it is too much to look at each', async () => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(2_050, 0, { tenantId: 'acme', jobType: 'mail.send' }));
  await killAll(
    world.broker,
    queue,
    jobs(30, 5_000, { tenantId: 'other', jobType: 'secret' }),
    failure('THEIRS'),
  );
  await world.broker.config.change(queue, { purgeNeedsApproval: true }, BY);
  world.clock.now += 1_000;
  const preview = (tenants: string[]) =>
    world.broker.operations.preview(
      { kind: 'purge', scope: { state: 'dead', q: `queue:${queue}`, within: [{ queue: '*', tenants }] } },
      BY,
    );
  const { breakdown, count, exact, inspected, needsApproval } = await preview(['acme']);
  expect({ count, exact, needsApproval }).toEqual({ count: 2_050, exact: true, needsApproval: true });
  expect(inspected).not.toBeNull();
  expect(breakdown.tenant).toEqual([{ value: 'acme', count: 2_050 }]);
  expect(breakdown.type).toEqual([{ value: 'mail.send', count: 2_050 }]);
  expect(breakdown.code).toEqual([{ value: failure().errorCode, count: 2_050 }]);
  expect(breakdown.age.reduce((sum, { count: one }) => sum + one, 0)).toBe(2_050);
  // Nothing of it is touched: nobody is asked.
  expect(await preview(['nobody'])).toMatchObject({ count: 0, needsApproval: false });
});

describe('what undoes an operation', () => {
  const undoOf = (id: string, within?: AccessScope) =>
    world.broker.operations.undo(id, { reason: 'a test' }, BY, within);

  it('touches what whoever undoes it may touch, of what it could touch itself', async () => {
    const [queue = ''] = await twoQueues();
    const { operation } = await start('suppress', { q: '', within: [{ queue, tenants: ['acme', 'other'] }] });
    expect(await run(operation)).toMatchObject({ moved: 12 });
    const mine = [{ queue: '*', tenants: ['acme', 'acme-2'] }];
    const undo = await undoOf(operation.id, mine);
    expect(undo).toMatchObject({ expected: 6, scope: { within: [{ queue, tenants: ['acme'] }] } });
    expect(await run(undo)).toMatchObject({ moved: 6 });
    const left = await world.broker.inspect.search({ state: 'suppressed', q: `queue:${queue}` });
    expect(new Set(left.jobs.map(({ tenantId }) => tenantId))).toEqual(new Set(['other']));
  });

  it('keeps to what the operation could touch, whoever undoes it', async () => {
    const [queue = ''] = await twoQueues();
    const within = [{ queue, tenants: ['acme'] }];
    const { operation } = await start('redrive', { q: '', within });
    await run(operation);
    const undo = await undoOf(operation.id);
    expect(undo).toMatchObject({ kind: 'recall', scope: { within } });
    expect(await run(undo)).toMatchObject({ moved: 6 });
  });

  it('touches nothing where the two have nothing in common', async () => {
    const [queue = ''] = await twoQueues();
    const { operation } = await start('purge', { q: '', within: [{ queue, tenants: ['acme'] }] });
    await run(operation);
    const undo = await undoOf(operation.id, [{ queue, tenants: ['other'] }]);
    expect(await run(undo)).toMatchObject({ expected: 0, moved: 0, status: 'completed' });
  });
});

it('says in the record of the queue what it was kept to', async () => {
  const [queue = ''] = await twoQueues();
  const { operation } = await start('suppress', { q: '', within: [{ queue, tenants: ['acme'] }] });
  await run(operation);
  const [entry] = await world.broker.inspect.changes(queue, 1);
  expect(entry?.before).toContain(`within ${queue} of acme`);
});

it('shows what became of its jobs, and not of later ones of others by their ids', async () => {
  const queue = world.freshQueue();
  const mine = jobs(1, 0, { tenantId: 'acme' });
  await killAll(world.broker, queue, mine);
  world.clock.now += 1;
  const { operation } = await start('redrive', { q: '', within: [{ queue, tenants: ['acme'] }] });
  await run(operation);
  const [claimed] = await claimAll(world.broker, queue);
  if (!claimed) throw new Error('nothing to claim');
  await world.broker.ack(queue, [{ jobId: claimed.jobId, token: claimed.token }]);
  await world.broker.remove(queue, [claimed.jobId], BY);
  // An id is free again when no resend of its job is waited for any more.
  for (let windows = 0; windows < 2; windows++) {
    world.clock.now += QUEUE_CONFIG_DEFAULT.resendWindowMs;
    await world.broker.maintain(queue);
  }
  await world.broker.enqueueMany(queue, jobs(1, 0, { tenantId: 'other', jobType: 'secret' }));
  const [theirs] = await claimAll(world.broker, queue);
  if (!theirs) throw new Error('nothing to claim');
  await world.broker.ack(queue, [{ jobId: theirs.jobId, token: theirs.token }]);
  const page = await world.broker.operations.jobs(operation.id, { outcome: 'completed', limit: 10 });
  expect(page.jobs).toMatchObject([{ jobId: claimed.jobId, jobType: 'unknown', tenantId: 'unknown' }]);
  for (const state of JOB_STATES)
    expect((await world.broker.inspect.search({ state, q: `queue:${queue} type:secret` })).jobs.length).toBe(
      state === 'completed' ? 1 : 0,
    );
});
