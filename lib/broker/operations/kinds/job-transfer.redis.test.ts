/** Moving jobs to another queue: whoever dies where, each arrives once, or comes back as it was. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ScriptName } from '@/lib/broker/lua.generated';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { readRaw, readShards, shardViolations, violations } from '@/testing/model/invariants';
import { contextOf, hitsIn, lastChunk, moveAll, specFor } from '@/testing/worlds/operation-chunks';
import { BY, claimAll, enqueueAll, failure, jobs, killAll, setUpWorld } from '@/testing/worlds/world';
import { countOutcome } from '../store/operation-outcome';
import { finishTransfer } from './job-transfer';
import { moveChunk, stopShard, TRANSFER_JOBS } from './move-chunk';
import { forgetShard, readShardProgress } from './shard-progress';

const world = await setUpWorld();
let ctx: ShardedContext;
beforeAll(async () => {
  ctx = contextOf(world);
});

const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const indexed = async (queue: string, column: 'ready' | 'dead' | 'suppressed') =>
  (await world.redis.zrange(world.column(queue, column), '0', '-1')).sort();
const sound = async (...queues: string[]) => {
  for (const queue of queues) expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
};
const moveTo = (target: string, state: JobState = 'dead') => specFor({ kind: 'move', state, target });
const pair = (): [from: string, to: string] => [world.freshQueue(), world.freshQueue()];

/** A runner that dies at a certain script: just before it is sent, or just after it was carried out. */
function dying(script: ScriptName, after: boolean): ShardedContext {
  const own = contextOf(world);
  const { run } = own;
  return Object.assign(own, {
    run: async (...call: Parameters<typeof run>) => {
      if (call[0] === script && !after) throw new Error('killed');
      const reply = await run(...call);
      if (call[0] === script) throw new Error('killed');
      return reply;
    },
  });
}
const DEATHS = (['transfer-send', 'transfer-arrive', 'transfer-settle'] as const).flatMap((script) =>
  [false, true].map((after) => ({ script, after })),
);

describe('a move', () => {
  it('brings jobs into the other queue with all that is theirs, and counts them in both', async () => {
    const [from, to] = pair();
    const payload = new Uint8Array([0, 10, 255, 32, 10, 124]);
    const own = { payload, priority: 7, tenantId: 'acme', traceId: 't', idempotencyKey: `moved/${to}` };
    await killAll(world.broker, from, jobs(120, 0, own));
    const was = await world.broker.inspect.job(from, 'j000000');
    expect(await moveAll(world, ctx, from, moveTo(to))).toMatchObject({
      status: 'done',
      moved: 120,
      scanned: 120,
      skipped: 0,
    });
    expect(await indexed(to, 'ready')).toEqual(names(120));
    const is = await world.broker.inspect.job(to, 'j000000');
    expect([is.payload, is.envelope]).toEqual([was.payload, was.envelope]);
    expect([is.attempt, is.deliveries, is.redrives]).toEqual([0, 1, 1]);
    expect(is.history.map(({ kind }) => kind)).toEqual(['dead', 'moved']);
    expect(is.history.at(-1)).toMatchObject({ actor: 'ann', reason: 'a test' });
    expect((await readRaw(world.redis, world.keys, from)).hash('jobs').size).toBe(0);
    expect(
      (await world.broker.inspect.changes(from, 5)).map(({ before, after }) => `${before}: ${after}`),
    ).toEqual(['move op-1: ended: 120 moved, 0 left alone', 'move op-1: began']);
    expect((await world.broker.inspect.changes(to, 5)).map(({ after }) => after)).toEqual([
      `jobs came from ${from}`,
    ]);
    expect(await world.broker.inspect.queues()).toContain(to);
    const { jobs: keyed } = await world.broker.inspect.find(own.idempotencyKey);
    expect(new Set(keyed.map(({ queue, by }) => `${queue} ${by}`))).toEqual(new Set([`${to} key`]));
    await sound(from, to);
    const [one, two] = await claimAll(world.broker, to, { most: 2 });
    if (!one || !two) throw new Error('there is nothing to claim');
    await world.broker.ack(to, [one]);
    await world.broker.fail(to, [{ ...two, failure: failure('AGAIN') }]);
    const places = [{ queue: to, shard: 0, name: to }];
    expect(await countOutcome(ctx, places, 'op-1', 120)).toMatchObject({
      completed: 1,
      diedAgain: 1,
      waiting: 118,
    });
    for (const name of [from, to]) {
      await forgetShard(ctx, { name }, 'op-1');
      expect(await world.redis.hlen(world.column(name, 'operations'))).toBe(0);
    }
    await sound(from, to);
  });

  it('back into the same queue is a re-drive of a kind', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(3));
    expect(await moveAll(world, ctx, queue, moveTo(queue))).toMatchObject({ status: 'done', moved: 3 });
    expect(await indexed(queue, 'ready')).toEqual(names(3));
    await sound(queue);
  });

  it('leaves a job that ran in the other queue while the time of its uniqueness key lasts', async () => {
    const [from, to] = pair();
    const unique = { key: 'one', scope: 'window' as const };
    await world.broker.config.change(to, { completedKeep: 0 }, BY);
    await enqueueAll(world.broker, to, jobs(1, 0, { unique }));
    await world.broker.ack(to, await claimAll(world.broker, to));
    await killAll(world.broker, from, jobs(1, 0, { unique }));
    const key = () => world.redis.hgetall(world.column(to, 'unique'));
    const before = await key();
    expect(await moveAll(world, ctx, from, moveTo(to))).toMatchObject({
      moved: 0,
      skips: { 'not-unique': 1 },
    });
    expect(await key()).toEqual(before);
    expect(Object.keys(before)).toEqual(['one']);
    await sound(from, to);
  });

  it.each(['dead', 'suppressed'] as const)(
    'leaves what the other queue refuses %s, as it was',
    async (state) => {
      const [from, to] = pair();
      const unique = { key: 'one', scope: 'window' as const };
      await killAll(world.broker, from, jobs(1, 3, { unique }));
      await killAll(world.broker, from, jobs(3), failure('HTTP_500', 'permanent'));
      if (state === 'suppressed') await world.broker.suppress(from, names(4), BY);
      await enqueueAll(world.broker, to, [...jobs(1, 1), ...jobs(1, 9, { unique })]);
      world.clock.now += 1_000;
      const before = await readRaw(world.redis, world.keys, from);
      expect(await moveAll(world, ctx, from, moveTo(to, state))).toMatchObject({
        status: 'done',
        moved: 2,
        skipped: 2,
        skips: { 'id-taken': 1, 'not-unique': 1 },
      });
      expect(await indexed(from, state)).toEqual(['j000001', 'j000003']);
      const after = await readRaw(world.redis, world.keys, from);
      for (const column of ['jobs', 'history', 'deaths', 'attempts'] as const)
        for (const id of ['j000001', 'j000003'])
          expect(after.hash(column).get(id)).toBe(before.hash(column).get(id));
      expect(after.states.get(state)?.get('j000001')).toBe(before.states.get(state)?.get('j000001'));
      await sound(from, to);
    },
  );

  it.each(DEATHS)(
    'whose runner died at $script (after it: $after) is finished by the next',
    async ({ script, after }) => {
      const [from, to] = pair();
      await killAll(world.broker, from, jobs(75));
      await enqueueAll(world.broker, to, jobs(1, 10));
      const spec = moveTo(to);
      const hits = await hitsIn(world, from, 'dead');
      await expect(
        moveChunk(dying(script, after), { name: from }, spec, '', lastChunk(hits)),
      ).rejects.toThrow('killed');
      await sound(from, to);
      for (let steps = 0; ; steps++) {
        const { status, cursor } = await readShardProgress(ctx, { name: from }, spec.id);
        if (status === 'done') break;
        expect(steps).toBeLessThan(5);
        const left = (await hitsIn(world, from, 'dead')).filter(
          (hit) => `${hit.score}|${hit.jobId}` > cursor,
        );
        await moveChunk(ctx, { name: from }, spec, cursor, {
          ...lastChunk(left),
          cursor: lastChunk(left).cursor || cursor,
        });
      }
      expect(await readShardProgress(ctx, { name: from }, spec.id)).toMatchObject({
        moved: 74,
        skipped: 1,
        skips: { 'id-taken': 1 },
      });
      expect(await indexed(to, 'ready')).toEqual(names(75));
      expect(await indexed(from, 'dead')).toEqual(['j000010']);
      for (const log of (await readRaw(world.redis, world.keys, to)).hash('history').values())
        expect(log.match(/ moved /g)).toHaveLength(1);
      await sound(from, to);
    },
  );

  it('is not done twice by a runner that comes late with a batch that was settled', async () => {
    const [from, to] = pair();
    await killAll(world.broker, from, jobs(10));
    const spec = moveTo(to);
    const hits = await hitsIn(world, from, 'dead');
    const chunk = { ...lastChunk(hits.slice(0, 5)), done: false };
    await expect(moveChunk(dying('transfer-send', true), { name: from }, spec, '', chunk)).rejects.toThrow(
      'killed',
    );
    const outbox = await world.redis.hgetBuffer(world.column(from, 'operations'), 'op-1 outbox');
    await finishTransfer(ctx, from, spec);
    // Its jobs have run by now; their rows are gone.
    await world.broker.config.change(to, { completedKeep: 0 }, BY);
    await world.broker.ack(to, await claimAll(world.broker, to));
    await world.redis.hset(world.column(from, 'operations'), 'op-1 outbox', outbox ?? '');
    await finishTransfer(ctx, from, spec);
    expect(await indexed(to, 'ready')).toEqual([]);
    await sound(to);
  });

  it('by several runners at once brings each job over once, and counts each once', async () => {
    const [from, to] = pair();
    await killAll(world.broker, from, jobs(600));
    await enqueueAll(world.broker, to, jobs(10, 290));
    const spec = moveTo(to);
    const walk = async (own: ShardedContext) => {
      for (;;) {
        const { status, cursor } = await readShardProgress(own, { name: from }, spec.id);
        if (status !== 'running') return;
        const left = (await hitsIn(world, from, 'dead')).filter(
          (hit) => cursor === '' || `${hit.score}|${hit.jobId}` > cursor,
        );
        const chunk = lastChunk(left.slice(0, 120));
        const done = left.length <= 120;
        await moveChunk(own, { name: from }, spec, cursor, {
          ...chunk,
          cursor: chunk.cursor || cursor,
          done,
        });
      }
    };
    await Promise.all(Array.from({ length: 4 }, () => walk(contextOf(world))));
    expect(await readShardProgress(ctx, { name: from }, spec.id)).toMatchObject({
      status: 'done',
      scanned: 600,
      moved: 590,
      skipped: 10,
      skips: { 'id-taken': 10 },
    });
    expect(await indexed(to, 'ready')).toEqual(names(600));
    await sound(from, to);
  });

  it('whose batch another runner has settled, and who finds the next one of that runner, counts nothing twice', async () => {
    const [from, to] = pair();
    await killAll(world.broker, from, jobs(2 * TRANSFER_JOBS));
    const spec = moveTo(to);
    const hits = await hitsIn(world, from, 'dead');
    const slow = contextOf(world);
    const { run } = slow;
    let overtaken = false;
    Object.assign(slow, {
      run: async (...call: Parameters<typeof run>) => {
        const reply = await run(...call);
        if (call[0] === 'transfer-send' && !overtaken) {
          overtaken = true;
          await finishTransfer(ctx, from, spec);
          const { cursor } = await readShardProgress(ctx, { name: from }, spec.id);
          const rest = moveChunk(
            dying('transfer-send', true),
            { name: from },
            spec,
            cursor,
            lastChunk(hits.slice(TRANSFER_JOBS)),
          );
          await expect(rest).rejects.toThrow('killed');
        }
        return reply;
      },
    });
    await moveChunk(slow, { name: from }, spec, '', lastChunk(hits));
    const { cursor } = await readShardProgress(ctx, { name: from }, spec.id);
    await moveChunk(ctx, { name: from }, spec, cursor, { hits: [], cursor, done: true, scanned: 0 });
    expect(await readShardProgress(ctx, { name: from }, spec.id)).toMatchObject({
      status: 'done',
      scanned: 2 * TRANSFER_JOBS,
      moved: 2 * TRANSFER_JOBS,
      skipped: 0,
    });
    expect(await indexed(to, 'ready')).toEqual(names(2 * TRANSFER_JOBS));
    await sound(from, to);
  });

  it('that is stopped brings what is on its way to its end', async () => {
    const [from, to] = pair();
    await killAll(world.broker, from, jobs(TRANSFER_JOBS + 10));
    const spec = moveTo(to);
    const hits = await hitsIn(world, from, 'dead');
    await expect(
      moveChunk(dying('transfer-send', true), { name: from }, spec, '', lastChunk(hits)),
    ).rejects.toThrow('killed');
    await expect(stopShard(dying('transfer-arrive', false), { name: from }, spec)).rejects.toThrow('killed');
    expect(await readShardProgress(ctx, { name: from }, spec.id)).toMatchObject({ status: 'running' });
    expect(await stopShard(ctx, { name: from }, spec)).toMatchObject({
      status: 'stopped',
      moved: TRANSFER_JOBS,
    });
    expect(await indexed(to, 'ready')).toEqual(names(TRANSFER_JOBS));
    expect(await indexed(from, 'dead')).toEqual(names(10, TRANSFER_JOBS));
    await sound(from, to);
  });

  it.each(['id', 'tenant'] as const)(
    'into a queue sharded by %s places each job where it is looked for',
    async (by) => {
      const [from, to] = pair();
      for (let tenant = 0; tenant < 6; tenant++)
        await killAll(world.broker, from, jobs(10, tenant * 10, { tenantId: `t${tenant}` }));
      await world.broker.sharding.set(to, { count: 3, by }, BY);
      const own = contextOf(world);
      expect(await moveAll(world, own, from, moveTo(to))).toMatchObject({
        status: 'done',
        moved: 60,
        skipped: 0,
      });
      const shards = await readShards(world.redis, world.keys, to, 3);
      expect(shardViolations(shards)).toEqual([]);
      expect(shards.flatMap((raw) => [...raw.hash('jobs').keys()]).sort()).toEqual(names(60));
      expect(shards.filter((raw) => raw.hash('jobs').size > 0).length).toBeGreaterThan(1);
      const placed = shards.map((raw) => [...raw.hash('jobs').keys()].sort());
      const other = world.freshQueue();
      const another = world.another();
      await another.sharding.set(other, { count: 3, by }, BY);
      for (let tenant = 0; tenant < 6; tenant++)
        await enqueueAll(another, other, jobs(10, tenant * 10, { tenantId: `t${tenant}` }));
      const enqueued = await readShards(world.redis, world.keys, other, 3);
      expect(placed).toEqual(enqueued.map((raw) => [...raw.hash('jobs').keys()].sort()));
    },
  );

  it('to a queue that was sharded anew meanwhile brings its jobs back', async () => {
    const [from, to] = pair();
    await killAll(world.broker, from, jobs(5));
    const stale = contextOf(world);
    await stale.shards.of(to);
    await world.broker.sharding.set(to, { count: 2, by: 'id' }, BY);
    expect(await moveAll(world, stale, from, moveTo(to))).toMatchObject({ moved: 0, skips: { changed: 5 } });
    expect(await indexed(from, 'dead')).toEqual(names(5));
    await sound(from);
  });

  it('works while memory is full', async () => {
    const [from, to] = pair();
    await killAll(world.broker, from, jobs(60));
    await world.broker.inspect.queues();
    await enqueueAll(world.broker, to, jobs(1, 100));
    const spec = moveTo(to);
    // Known by then, as any queue is that has jobs.
    await moveChunk(ctx, { name: from }, spec, '', {
      ...lastChunk((await hitsIn(world, from, 'dead')).slice(0, 1)),
      done: false,
    });
    const { cursor } = await readShardProgress(ctx, { name: from }, spec.id);
    await world.redis.config('SET', 'maxmemory', '1');
    try {
      expect(
        await moveChunk(ctx, { name: from }, spec, cursor, lastChunk(await hitsIn(world, from, 'dead'))),
      ).toMatchObject({
        status: 'done',
        moved: 60,
      });
    } finally {
      await world.redis.config('SET', 'maxmemory', '0');
    }
    await sound(from, to);
  });
});
