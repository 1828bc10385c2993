/** A chunk of an operation: every kind from every state it works on, once each, and nothing that changed since it was found. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { KIND_STATES, OPERATION_KINDS, type OperationKind } from '@/lib/contract/operations/operation-kinds';
import { readRaw, violations } from '@/testing/model/invariants';
import { contextOf, cursorOf, hitsIn, lastChunk, moveAll, specFor } from '@/testing/worlds/operation-chunks';
import {
  BY,
  claimAll,
  enqueueAll,
  failure,
  ids,
  jobs,
  killAll,
  setUpWorld,
  stateOf,
} from '@/testing/worlds/world';
import { countOutcome } from '../store/operation-outcome';
import { moveChunk, stopShard } from './move-chunk';
import { FIRST_SCRIPT_JOBS } from './script-size';
import { forgetShard, readShardProgress } from './shard-progress';

const world = await setUpWorld();
let ctx: ShardedContext;
beforeAll(async () => {
  ctx = contextOf(world);
});

const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const sound = async (...queues: string[]) => {
  for (const queue of queues) expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
};
const historyOf = async (queue: string, id = 'j000000') =>
  (await world.broker.inspect.job(queue, id)).history.map((entry) => entry.kind);
const changesOf = async (queue: string) =>
  (await world.broker.inspect.changes(queue, 20))
    .filter(({ what }) => what === 'operation')
    .map(({ actor, requestId, before, after }) => `${actor} ${requestId} ${before}: ${after}`)
    .reverse();

/** Brings some jobs into a state. */
const INTO: Record<JobState, (queue: string, count: number) => Promise<unknown>> = {
  ready: (queue, count) => enqueueAll(world.broker, queue, jobs(count)),
  'in-flight': async (queue, count) => {
    await INTO.ready(queue, count);
    await claimAll(world.broker, queue);
  },
  scheduled: (queue, count) => enqueueAll(world.broker, queue, jobs(count, 0, { delayMs: 60_000 })),
  retry: async (queue, count) => {
    await INTO.ready(queue, count);
    const again = { ...failure('X', 'retryable'), retryInMs: 60_000 };
    const taken = await claimAll(world.broker, queue);
    await world.broker.fail(
      queue,
      taken.map((job) => ({ ...job, failure: again })),
    );
  },
  held: async (queue, count) => {
    await INTO.ready(queue, count);
    await world.broker.pause(queue, { scope: 'type:demo', reason: 'a test' }, BY);
    await claimAll(world.broker, queue);
  },
  completed: async (queue, count) => {
    await INTO.ready(queue, count);
    await world.broker.ack(queue, await claimAll(world.broker, queue));
  },
  dead: (queue, count) => killAll(world.broker, queue, jobs(count)),
  suppressed: async (queue, count) => {
    await INTO.dead(queue, count);
    await world.broker.suppress(queue, names(count), BY);
  },
  trashed: async (queue, count) => {
    await INTO.dead(queue, count);
    await world.broker.purge(queue, names(count), BY);
  },
};
const AFTER: Record<Exclude<OperationKind, 'export' | 'move' | 'recall' | 'delete-queue'>, string> = {
  redrive: 'ready',
  edit: 'ready',
  suppress: 'suppressed',
  unsuppress: 'dead',
  purge: 'trashed',
  restore: 'dead',
  delete: 'JOB_NOT_FOUND',
  cancel: 'dead',
  promote: 'ready',
  reschedule: 'scheduled',
};
const KINDS = OPERATION_KINDS.filter((kind) => kind in AFTER) as (keyof typeof AFTER)[];
const CASES = KINDS.flatMap((kind) => KIND_STATES[kind].map((state) => ({ kind, state })));
const PATCH = [{ op: 'replace' as const, path: '', value: { n: 1 } }];
const specs = (kind: OperationKind, state: JobState) =>
  specFor({
    kind,
    state,
    patch: kind === 'edit' ? PATCH : null,
    dueAt: kind === 'reschedule' ? world.clock.now + 120_000 : null,
  });

describe('a chunk', () => {
  it.each(CASES)('of kind $kind moves $state jobs, once', async ({ kind, state }) => {
    const queue = world.freshQueue();
    await INTO[state](queue, 7);
    const hits = await hitsIn(world, queue, state);
    expect(ids(hits)).toHaveLength(7);
    const spec = specs(kind, state);
    const progress = await moveChunk(ctx, { name: queue }, spec, '', lastChunk(hits));
    expect(progress).toMatchObject({
      applied: true,
      status: 'done',
      scanned: 7,
      moved: 7,
      skipped: 0,
      skips: {},
    });
    const after = kind === 'reschedule' && state === 'retry' ? 'retry' : AFTER[kind];
    expect(await stateOf(world.broker, queue, 'j000000')).toBe(after);
    await sound(queue);
    expect(await changesOf(queue)).toEqual([`ann op-1 ${kind} op-1: ended: 7 moved, 0 left alone`]);
    // Whoever comes late with the same chunk does nothing.
    const late = await moveChunk(ctx, { name: queue }, spec, '', lastChunk(hits));
    expect(late).toMatchObject({ applied: false, status: 'done', moved: 7, skipped: 0 });
    expect(await readShardProgress(ctx, { name: queue }, 'op-1')).toMatchObject({ status: 'done', moved: 7 });
    await sound(queue);
  });

  it.each(CASES)('of kind $kind leaves $state jobs alone that changed since', async ({ kind, state }) => {
    const queue = world.freshQueue();
    await INTO[state](queue, 3);
    const hits = (await hitsIn(world, queue, state)).map((hit) => ({ ...hit, stamp: `${hit.stamp}1` }));
    const gone = { jobId: 'nobody', stamp: '1', score: '1', class: null };
    const before = await readRaw(world.redis, world.keys, queue);
    const progress = await moveChunk(
      ctx,
      { name: queue },
      specs(kind, state),
      '',
      lastChunk([...hits, gone]),
    );
    expect(progress).toMatchObject({
      status: 'done',
      scanned: 4,
      moved: 0,
      skipped: 4,
      skips: { changed: 4 },
    });
    const after = await readRaw(world.redis, world.keys, queue);
    expect([...after.hash('history')]).toEqual([...before.hash('history')]);
    expect(after.states).toEqual(before.states);
    await sound(queue);
  });

  it('goes on only from where the place is', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(120));
    const hits = await hitsIn(world, queue, 'dead');
    const spec = specs('purge', 'dead');
    const [one, two] = [hits.slice(0, 60), hits.slice(60)];
    const first = { ...lastChunk(one), done: false, scanned: 200 };
    const progress = await moveChunk(ctx, { name: queue }, spec, '', first);
    expect(progress).toMatchObject({
      status: 'running',
      moved: 60,
      scanned: 200,
      cursor: cursorOf(one.at(-1)),
    });
    expect(await moveChunk(ctx, { name: queue }, spec, '', lastChunk(two))).toMatchObject({
      applied: false,
      moved: 60,
    });
    const done = await moveChunk(ctx, { name: queue }, spec, progress.cursor, lastChunk(two));
    expect(done).toMatchObject({ applied: true, status: 'done', moved: 120, scanned: 260 });
    expect(await changesOf(queue)).toEqual([
      'ann op-1 purge op-1: began',
      'ann op-1 purge op-1: ended: 120 moved, 0 left alone',
    ]);
    await sound(queue);
  });

  it('found by two runners at once is moved by one of them', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(400));
    const spec = specs('redrive', 'dead');
    const walk = async (own: ShardedContext) => {
      let { status, cursor } = await readShardProgress(own, { name: queue }, spec.id);
      while (status === 'running') {
        const hits = (await hitsIn(world, queue, 'dead')).slice(0, 30);
        const chunk = { ...lastChunk(hits), cursor: cursorOf(hits.at(-1)) || cursor, done: hits.length < 30 };
        ({ status, cursor } = await moveChunk(own, { name: queue }, spec, cursor, chunk));
      }
    };
    await Promise.all([walk(ctx), walk(contextOf(world)), walk(contextOf(world))]);
    const { totals } = (await world.broker.inspect.snapshot([queue]))[0] ?? {};
    expect(totals?.redriven).toBe(400);
    const { moved, skipped } = await readShardProgress(ctx, { name: queue }, spec.id);
    expect(moved).toBe(400);
    expect(skipped).toBe(0);
    for (const log of (await readRaw(world.redis, world.keys, queue)).hash('history').values())
      expect(log.match(/ redriven /g)).toHaveLength(1);
    await sound(queue);
  });

  it('sends the next script while Redis is at the one before, and no third', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(100));
    const hits = await hitsIn(world, queue, 'dead');
    let [underWay, most] = [0, 0];
    const own = contextOf(world);
    const watched: ShardedContext = {
      ...own,
      run: async (...call) => {
        underWay += 1;
        most = Math.max(most, underWay);
        try {
          return await own.run(...call);
        } finally {
          underWay -= 1;
        }
      },
    };
    const progress = await moveChunk(watched, { name: queue }, specs('redrive', 'dead'), '', lastChunk(hits));
    expect(progress).toMatchObject({ applied: true, status: 'done', moved: 100 });
    expect(most).toBe(2);
    await sound(queue);
  });

  it('is told as it stands when Redis took the second script before the first', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(40));
    const own = contextOf(world);
    let calls = 0;
    let secondIsHere: () => void = () => undefined;
    const second = new Promise<void>((resolve) => {
      secondIsHere = resolve;
    });
    // As when it does not know the script yet: the first is sent anew, and somebody else has brought the script meanwhile.
    const late: ShardedContext = {
      ...own,
      run: async (...call) => {
        calls += 1;
        if (calls === 1) await second;
        const reply = await own.run(...call);
        if (calls >= 2) secondIsHere();
        return reply;
      },
    };
    const hits = await hitsIn(world, queue, 'dead');
    const told = await moveChunk(late, { name: queue }, specs('purge', 'dead'), '', lastChunk(hits));
    expect(told).toMatchObject({
      applied: true,
      moved: FIRST_SCRIPT_JOBS,
      cursor: cursorOf(hits[FIRST_SCRIPT_JOBS - 1]),
    });
    await sound(queue);
  });

  it.each([
    ['few fit', 400, '{}', 5],
    ['rows are large', 45, 'x'.repeat(64 * 1024), 3],
  ])(
    'has counted what it is past, to the entry, wherever it ends, when %s',
    async (_, count, payload, nth) => {
      const queue = world.freshQueue();
      await killAll(world.broker, queue, jobs(count, 0, { payload }));
      const spec = specs('redrive', 'dead');
      const own = contextOf(world);
      const seen: number[] = [];
      const watched: ShardedContext = {
        ...own,
        run: async (...call) => {
          const reply = await own.run(...call);
          const { moved, scanned } = await readShardProgress(own, { name: queue }, spec.id);
          seen.push(scanned - nth * moved);
          return reply;
        },
      };
      const found = await hitsIn(world, queue, 'dead');
      const hits = found
        .map((hit, i) => ({ ...hit, looked: i + 1 }))
        .filter(({ looked }) => looked % nth === 0);
      const chunk = { ...lastChunk(found), hits, scanned: count };
      await moveChunk(watched, { name: queue }, spec, '', chunk);
      expect(seen.length).toBeGreaterThan(3);
      expect([...new Set(seen)]).toEqual([0]);
      await sound(queue);
    },
  );

  it('of large rows is moved in parts, each with its own place to go on from', async () => {
    const queue = world.freshQueue();
    const payload = 'x'.repeat(64 * 1024);
    await killAll(world.broker, queue, jobs(45, 0, { payload }));
    expect(await moveAll(world, ctx, queue, specs('redrive', 'dead'))).toMatchObject({
      status: 'done',
      moved: 45,
      scanned: 45,
    });
    await sound(queue);
  });

  it('stopped moves nothing more, and the record says so', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(4));
    const hits = await hitsIn(world, queue, 'dead');
    const spec = specs('suppress', 'dead');
    const { cursor } = await moveChunk(ctx, { name: queue }, spec, '', {
      ...lastChunk(hits.slice(0, 1)),
      done: false,
    });
    expect(await stopShard(ctx, { name: queue }, spec)).toMatchObject({
      applied: true,
      status: 'stopped',
      moved: 1,
    });
    expect(await stopShard(ctx, { name: queue }, spec)).toMatchObject({ applied: false, status: 'stopped' });
    expect(await moveChunk(ctx, { name: queue }, spec, cursor, lastChunk(hits.slice(1)))).toMatchObject({
      applied: false,
      status: 'stopped',
      moved: 1,
    });
    expect((await changesOf(queue)).at(-1)).toBe('ann op-1 suppress op-1: stopped: 1 moved, 0 left alone');
    await forgetShard(ctx, { name: queue }, 'op-1');
    expect(await world.redis.hlen(world.column(queue, 'operations'))).toBe(0);
    await sound(queue);
  });

  it.each(['purge', 'delete', 'redrive', 'cancel'] as const)(
    'of kind %s works while memory is full',
    async (kind) => {
      const queue = world.freshQueue();
      const state = kind === 'cancel' ? 'ready' : 'dead';
      await INTO[state](queue, 60);
      await world.redis.config('SET', 'maxmemory', '1');
      try {
        expect(await moveAll(world, ctx, queue, specs(kind, state))).toMatchObject({
          status: 'done',
          moved: 60,
        });
      } finally {
        await world.redis.config('SET', 'maxmemory', '0');
      }
      await sound(queue);
    },
  );
});

describe('a re-drive', () => {
  it('leaves alone what its class, its deadline or its key say, each with the reason', async () => {
    const queue = world.freshQueue();
    const at = world.clock.now;
    await killAll(world.broker, queue, jobs(1, 0), failure('BAD', 'malformed'));
    await killAll(world.broker, queue, jobs(1, 1, { deadline: at + 10 }));
    const unique = { key: 'one', scope: 'done' as const };
    await killAll(world.broker, queue, jobs(1, 2, { unique }));
    await killAll(world.broker, queue, jobs(1, 3, { unique }));
    await killAll(world.broker, queue, jobs(1, 4));
    await world.redis.hset(world.column(queue, 'jobs'), 'j000004', 'not a row');
    await crash(queue, 5, 1, { idempotencyKey: 'k"1', correlationId: ',"key":"no' });
    await crash(queue, 6, 1, { correlationId: ',"key":"no' });
    world.clock.now += 10;
    const hits = await hitsIn(world, queue, 'dead');
    const progress = await moveChunk(ctx, { name: queue }, specs('redrive', 'dead'), '', lastChunk(hits));
    expect(progress).toMatchObject({
      moved: 2,
      skipped: 5,
      skips: { 'not-safe': 1, 'deadline-passed': 1, 'not-unique': 1, unreadable: 1, 'no-idempotency-key': 1 },
    });
    expect(ids(await hitsIn(world, queue, 'ready')).sort()).toEqual(['j000002', 'j000005']);
    expect(
      await moveAll(world, ctx, queue, { ...specs('redrive', 'dead'), id: 'op-2', includeUnsafe: true }),
    ).toMatchObject({
      moved: 2,
      skips: { 'deadline-passed': 1, 'not-unique': 1, unreadable: 1 },
    });
  });

  /** Dead of class crash. */
  async function crash(queue: string, from: number, count: number, rest: object) {
    await enqueueAll(world.broker, queue, jobs(count, from, { maxAttempts: 1, ...rest }));
    await claimAll(world.broker, queue, { worker: 'gone' });
    await world.broker.reclaimWorker(queue, 'gone', { errorCode: 'GONE', message: 'gone' });
  }

  it('is followed to the end of each of its jobs', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(6));
    await moveAll(world, ctx, queue, specs('redrive', 'dead'));
    const places = [{ queue, shard: 0, name: queue }];
    expect(await countOutcome(ctx, places, 'op-1', 6)).toMatchObject({
      waiting: 6,
      running: 0,
      completed: 0,
    });
    const [one, two, three] = (await world.broker.claim(queue, { worker: 'w', count: 3 })).jobs;
    if (!one || !two || !three) throw new Error('there is nothing to claim');
    expect(await countOutcome(ctx, places, 'op-1', 6)).toMatchObject({ waiting: 3, running: 3 });
    await world.broker.ack(queue, [one]);
    await world.broker.fail(queue, [{ ...two, failure: failure('AGAIN') }]);
    await world.broker.remove(queue, ['j000005'], BY);
    await world.broker.cancel(queue, ['j000004'], BY);
    const outcome = await countOutcome(ctx, places, 'op-1', 6);
    expect(outcome).toMatchObject({
      completed: 1,
      diedAgain: 1,
      deleted: 1,
      recalled: 1,
      running: 1,
      waiting: 1,
    });
    expect(outcome.groups).toEqual([{ group: expect.stringMatching(/^[0-9a-f]{12}$/), count: 1 }]);
    const again = (await hitsIn(world, queue, 'dead')).map(({ jobId }) => jobId);
    expect(again.sort()).toEqual([two.jobId, 'j000004'].sort());
    await sound(queue);
  });
});

describe('a recall', () => {
  const recall = (undoes: string | null) => specFor({ id: 'op-2', kind: 'recall', state: 'ready', undoes });

  it('takes back what still waits, as dead as it was, and counts it as no new failure', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(4), failure('HTTP_500'));
    await world.broker.suppress(queue, names(1), BY);
    const before = await readRaw(world.redis, world.keys, queue);
    await moveAll(world, ctx, queue, specs('redrive', 'dead'));
    world.clock.now += 5_000;
    // One runs, and one ran already and waits for another attempt.
    const [one, two] = (await world.broker.claim(queue, { worker: 'w', count: 2 })).jobs;
    if (!one || !two) throw new Error('there is nothing to claim');
    await world.broker.fail(queue, [
      { ...two, failure: { ...failure('X', 'retryable'), retryInMs: 60_000 } },
    ]);
    const hits = [...(await hitsIn(world, queue, 'ready')), ...(await hitsIn(world, queue, 'retry'))];
    expect(ids(hits)).toHaveLength(2);
    const progress = await moveChunk(ctx, { name: queue }, recall('op-1'), '', lastChunk(hits));
    expect(progress).toMatchObject({ status: 'done', moved: 2, skipped: 0 });
    const after = await readRaw(world.redis, world.keys, queue);
    for (const id of ids(hits)) {
      const was = before.hash('deaths').get(id)?.split(' ') ?? [];
      expect(after.hash('deaths').get(id)).toBe([...was.slice(0, 9), 'op-2'].join(' '));
      expect(after.states.get('dead')?.get(id)).toBe(before.states.get('dead')?.get(id));
      expect((await historyOf(queue, id)).at(-1)).toBe('recalled');
    }
    expect([...after.hash('groups')]).toEqual([...before.hash('groups')]);
    expect(await countOutcome(ctx, [{ queue, shard: 0, name: queue }], 'op-1', 3)).toMatchObject({
      recalled: 2,
      running: 1,
    });
    await sound(queue);
  });

  it('leaves alone what another operation put back, and what none did', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(2));
    await enqueueAll(world.broker, queue, jobs(1, 5));
    const dead = await hitsIn(world, queue, 'dead');
    await moveChunk(ctx, { name: queue }, specs('redrive', 'dead'), '', lastChunk(dead.slice(0, 1)));
    await moveChunk(
      ctx,
      { name: queue },
      { ...specs('redrive', 'dead'), id: 'op-9' },
      '',
      lastChunk(dead.slice(1)),
    );
    expect(await moveAll(world, ctx, queue, recall('op-1'))).toMatchObject({
      moved: 1,
      skips: { changed: 2 },
    });
    expect(await moveAll(world, ctx, queue, { ...recall(null), id: 'op-3' })).toMatchObject({
      moved: 1,
      skips: { changed: 1 },
    });
    await sound(queue);
  });

  it('frees the uniqueness keys its jobs had taken again, and reaches jobs that are held', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(1, 0, { unique: { key: 'one' } }));
    await moveAll(world, ctx, queue, specs('redrive', 'dead'));
    await world.broker.pause(queue, { scope: 'type:demo', reason: 'a test' }, BY);
    await claimAll(world.broker, queue);
    const hits = await hitsIn(world, queue, 'held');
    expect(await moveChunk(ctx, { name: queue }, recall('op-1'), '', lastChunk(hits))).toMatchObject({
      moved: 1,
    });
    expect(await world.redis.hlen(world.column(queue, 'unique'))).toBe(0);
    await sound(queue);
  });
});

describe('an edit', () => {
  it('writes what its patch makes of each payload, and leaves alone what it does not fit', async () => {
    const queue = world.freshQueue();
    const payloads = [
      '{"to":"a","n":12345678901234567890}',
      'no json',
      '{"n":1}',
      JSON.stringify({ to: 'x'.repeat(65_500) }),
    ];
    for (const [i, payload] of payloads.entries())
      await killAll(world.broker, queue, jobs(1, i, { payload, traceId: 't1' }), failure('BAD', 'malformed'));
    await killAll(world.broker, queue, jobs(1, 4, { payload: new Uint8Array([255, 254]) }));
    const patch = [
      { op: 'test' as const, path: '/to', value: 'a' },
      { op: 'add' as const, path: '/cc', value: ['b'] },
    ];
    const spec = { ...specs('edit', 'dead'), patch };
    expect(await moveAll(world, ctx, queue, spec)).toMatchObject({ moved: 1, skips: { 'patch-failed': 4 } });
    const edited = await world.broker.inspect.job(queue, 'j000000');
    expect(edited.payload).toBe('{"to":"a","n":12345678901234567890,"cc":["b"]}');
    expect(edited.envelope.traceId).toBe('t1');
    expect(edited.history.at(-1)).toMatchObject({ kind: 'edited', actor: 'ann' });
    const picky = { ...spec, id: 'op-0', patch: [], check: () => 'its handler takes no such thing' };
    expect(await moveAll(world, ctx, queue, picky)).toMatchObject({
      moved: 0,
      skips: { 'invalid-payload': 2, 'patch-failed': 2 },
    });
    const grow = {
      ...spec,
      id: 'op-2',
      patch: [{ op: 'add' as const, path: '/more', value: 'y'.repeat(100) }],
    };
    expect(await moveAll(world, ctx, queue, grow)).toMatchObject({
      moved: 1,
      skips: { 'patch-failed': 2, 'payload-too-large': 1 },
    });
    await sound(queue);
  });
});

describe('a reschedule', () => {
  it('is no match where the job has that time already, so a walk may pass its own jobs', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(3, 0, { delayMs: 1_000 }));
    const spec = specs('reschedule', 'scheduled');
    const hits = await hitsIn(world, queue, 'scheduled');
    const first = await moveChunk(ctx, { name: queue }, spec, '', { ...lastChunk(hits), done: false });
    expect(first).toMatchObject({ moved: 3 });
    const again = await hitsIn(world, queue, 'scheduled');
    expect(again.map(({ score }) => Number(score))).toEqual(new Array(3).fill(spec.dueAt));
    const second = await moveChunk(ctx, { name: queue }, spec, first.cursor, lastChunk(again));
    expect(second).toMatchObject({ status: 'done', moved: 3, skipped: 0, scanned: 6 });
    expect(await historyOf(queue)).toEqual(['rescheduled']);
    await sound(queue);
  });
});
