/** Which jobs an operation left alone, by name, each with why: the first hundred of a place, exactly once, however it was run. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { OperationJobsPage } from '@/lib/contract/operations/operation';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import { readRaw, violations } from '@/testing/model/invariants';
import { contextOf, hitsIn, lastChunk, moveAll, specFor } from '@/testing/worlds/operation-chunks';
import { runToEnd, startOperation } from '@/testing/worlds/operation-runs';
import { BY, enqueueAll, failure, jobs, killAll, setUpWorld } from '@/testing/worlds/world';
import { moveChunk, stopShard } from '../kinds/move-chunk';
import { forgetShard, skippedField } from '../kinds/shard-progress';
import { listSkippedJobs, SKIPPED_JOBS_MAX } from './operation-jobs';

const world = await setUpWorld();
let ctx: ShardedContext;
beforeAll(async () => {
  ctx = contextOf(world);
});

const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const placeOf = (queue: string) => ({ queue, shard: 0, name: queue });
const named = (queue: string, limit = 200) =>
  listSkippedJobs(ctx, [placeOf(queue)], { id: 'op-1', cursor: undefined, limit, within: undefined });
const words = ({ skips }: Pick<OperationJobsPage, 'skips'>) =>
  skips?.map(({ jobId, reason }) => `${jobId} ${reason}`).sort();
const sound = async (queue: string) =>
  expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);

it('names each job that a re-drive left alone, and says where it is now', async () => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(10), failure('BAD', 'malformed'));
  await killAll(world.broker, queue, jobs(10, 10));
  const { id } = await startOperation(world.broker, { kind: 'redrive', q: `queue:${queue}` });
  await world.broker.purge(queue, names(2, 10), BY);
  await world.broker.remove(queue, names(1, 12), BY);
  const done = await runToEnd(world.broker, id);
  expect(done).toMatchObject({ moved: 7, skips: { 'not-safe': 10, changed: 3 } });
  const page = await world.broker.operations.jobs(id, { outcome: 'skipped' });
  // Those that had left before their turn were met nowhere, and cannot be named.
  expect(words(page)).toEqual(names(10).map((name) => `${name} not-safe`));
  expect(page.jobs.map(({ jobId, state }) => `${jobId} ${state}`).sort()).toEqual(
    names(10).map((name) => `${name} dead`),
  );
  await world.broker.remove(queue, names(4), BY);
  await world.broker.suppress(queue, names(1, 4), BY);
  const after = await world.broker.operations.jobs(id, { outcome: 'skipped' });
  expect(after.skips).toHaveLength(10);
  expect(after.jobs.filter(({ state }) => state === 'dead')).toHaveLength(5);
  expect(after.jobs.filter(({ state }) => state === 'suppressed')).toHaveLength(1);
  await sound(queue);
});

it('gives them out page by page, each once, over several queues', async () => {
  const queues = [world.freshQueue(), world.freshQueue(), world.freshQueue()];
  for (const [i, queue] of queues.entries())
    await killAll(world.broker, queue, jobs(5 + i), failure('BAD', 'malformed'));
  const { id } = await startOperation(world.broker, {
    kind: 'redrive',
    q: queues.map((queue) => `queue:${queue}`).join(' OR '),
  });
  await runToEnd(world.broker, id);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await world.broker.operations.jobs(id, { outcome: 'skipped', limit: 4, cursor });
    expect(page.skips?.length).toBeLessThanOrEqual(4);
    expect(page.jobs).toHaveLength(page.skips?.length ?? 0);
    found.push(...(page.skips ?? []).map(({ queue, jobId }) => `${queue}/${jobId}`));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(found.sort()).toEqual(queues.flatMap((q, i) => names(5 + i).map((n) => `${q}/${n}`)).sort());
  await expect(world.broker.operations.jobs(id, { outcome: 'skipped', cursor: 'x' })).rejects.toMatchObject({
    code: 'BAD_CURSOR',
  });
});

it('names the first hundred of a place and counts the rest', async () => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(130), failure('BAD', 'malformed'));
  const spec = specFor({ kind: 'redrive', state: 'dead' });
  expect(await moveAll(world, ctx, queue, spec)).toMatchObject({ skipped: 130, moved: 0 });
  const { skips = [] } = await named(queue);
  expect(skips).toHaveLength(SKIPPED_JOBS_MAX);
  expect(new Set(skips.map(({ jobId }) => jobId)).size).toBe(SKIPPED_JOBS_MAX);
  await forgetShard(ctx, { name: queue }, spec.id);
  expect(await world.redis.hlen(world.column(queue, 'operations'))).toBe(0);
  expect((await named(queue)).skips).toEqual([]);
});

it('names a job once, whoever came second, and stopping forgets none', async () => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(6), failure('BAD', 'malformed'));
  const spec = specFor({ kind: 'redrive', state: 'dead' });
  const chunk = { ...lastChunk(await hitsIn(world, queue, 'dead')), done: false };
  await moveChunk(ctx, { name: queue }, spec, '', chunk);
  expect(await moveChunk(ctx, { name: queue }, spec, '', chunk)).toMatchObject({ applied: false });
  await stopShard(ctx, { name: queue }, spec);
  expect(words(await named(queue))).toEqual(names(6).map((name) => `${name} not-safe`));
  expect(await world.redis.hget(world.column(queue, 'operations'), skippedField(spec.id))).not.toBeNull();
});

describe('what has changed since it was found is named by every kind', () => {
  it.each([
    ['purge', 'dead'],
    ['suppress', 'dead'],
    ['unsuppress', 'suppressed'],
    ['restore', 'trashed'],
    ['delete', 'dead'],
    ['redrive', 'dead'],
    ['recall', 'ready'],
    ['cancel', 'ready'],
    ['reschedule', 'ready'],
    ['promote', 'scheduled'],
  ] as const satisfies readonly (readonly [OperationKind, JobState])[])('%s of %s', async (kind, state) => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1, 50));
    const gone = names(3).map((jobId, i) => ({ jobId, stamp: '1', score: i + 1, class: null }));
    const spec = specFor({ kind, state, dueAt: kind === 'reschedule' ? world.clock.now + 60_000 : null });
    expect(await moveChunk(ctx, { name: queue }, spec, '', lastChunk(gone))).toMatchObject({
      skips: { changed: 3 },
    });
    const page = await named(queue);
    expect(words(page)).toEqual(names(3).map((name) => `${name} changed`));
    expect(page.jobs).toEqual([]);
  });

  it('move: what the other queue refused, too', async () => {
    const [from, to] = [world.freshQueue(), world.freshQueue()];
    await killAll(world.broker, from, jobs(4));
    await enqueueAll(world.broker, to, jobs(2));
    await moveAll(world, ctx, from, specFor({ kind: 'move', state: 'dead', target: to }));
    const page = await named(from);
    expect(words(page)).toEqual(names(2).map((name) => `${name} id-taken`));
    expect(page.jobs.map(({ state }) => state)).toEqual(['dead', 'dead']);
    await sound(from);
  });
});
