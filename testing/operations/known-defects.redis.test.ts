/** Defects that shipped in the consoles of other queues, each by its name: none of them is here. */
import { describe, expect, it } from 'vitest';
import { TRANSFER_JOBS } from '@/lib/broker/operations/kinds/move-chunk';
import { SCRIPT_JOBS_MAX } from '@/lib/broker/operations/kinds/script-size';
import { JOB_STATES, type JobState } from '@/lib/contract/jobs/job-states';
import { KIND_STATES, OPERATION_KINDS, type OperationKind } from '@/lib/contract/operations/operation-kinds';
import { readRaw, violations } from '@/testing/model/invariants';
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

const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const indexed = async (queue: string, column: 'ready' | 'dead' | 'trash' | 'suppressed') =>
  (await world.redis.zrange(world.column(queue, column), '0', '-1')).sort();
const sound = async (queue: string) =>
  expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);

describe('filter and bulk disagree', () => {
  it('"all" under a filter is what the filter shows, for every kind, down to the last job', async () => {
    for (const kind of ['redrive', 'suppress', 'purge', 'delete'] as const) {
      const queue = world.freshQueue();
      await killAll(world.broker, queue, jobs(120, 0, { payload: '{"mail":"a@b.c"}' }));
      await killAll(world.broker, queue, jobs(120, 500, { payload: '{"mail":"x@y.z"}' }));
      const q = `queue:${queue} "a@b.c"`;
      const { jobs: shown } = await world.broker.inspect.search({ state: 'dead', q }, { limit: 500 });
      expect(shown).toHaveLength(120);
      expect(await operate(world.broker, { kind, q })).toMatchObject({ moved: 120, expected: 120 });
      expect(await indexed(queue, 'dead')).toEqual(names(120, 500));
      await sound(queue);
    }
  });

  it('a filter that cannot be read is refused, not taken for none', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(3));
    for (const q of [`queue:${queue} substr:x`, `queue:${queue} (`, `queue:${queue} type:*x`])
      await expect(previewOf(world.broker, { kind: 'purge', q })).rejects.toMatchObject({
        code: 'BAD_QUERY',
      });
    expect(await indexed(queue, 'dead')).toEqual(names(3));
  });

  it('a list of one queue is about that queue, whatever its filter says', async () => {
    const [one, two] = [world.freshQueue(), world.freshQueue()];
    for (const queue of [one, two]) await killAll(world.broker, queue, jobs(5));
    const wanted = { kind: 'purge', q: `queue:${two} OR type:demo`, queue: one } as const;
    expect(await operate(world.broker, wanted)).toMatchObject({ moved: 5 });
    expect(await indexed(two, 'dead')).toEqual(names(5));
  });
});

describe('re-drive that can lose jobs', () => {
  it('a job leaves the dead letters and is ready in one step: no script of an operation does one without the other', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(700));
    const { id } = await startOperation(world.broker, { kind: 'redrive', q: `queue:${queue}` });
    for (let running = true; running; ) {
      const { operation } = await world.another().operations.runSlice(id, 'r1', { sliceMs: 0 });
      running = operation.status === 'running';
      const raw = await world.broker.inspect.ledger(queue);
      expect(raw).toMatchObject({ difference: 0 });
      expect((await indexed(queue, 'dead')).length + (await indexed(queue, 'ready')).length).toBe(700);
    }
    await sound(queue);
  });

  it('neighbours that died in the same millisecond are told apart', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(300));
    const half = names(300).filter((_, i) => i % 2 === 0);
    const ticked = half.map((jobId) => ({ queue, jobId }));
    expect(
      await operate(world.broker, { kind: 'delete', jobs: ticked }, { control: { typedCount: 150 } }),
    ).toMatchObject({ moved: 150 });
    expect(await indexed(queue, 'dead')).toEqual(names(300).filter((_, i) => i % 2 === 1));
    await sound(queue);
  });
});

describe('iterating a set while changing it', () => {
  it('misses none and meets none twice, while others come and go around it', async () => {
    const queue = world.freshQueue();
    const died = async (count: number, from: number) => {
      await enqueueAll(world.broker, queue, jobs(count, from, { delayMs: 60_000 }));
      await world.broker.cancel(queue, names(count, from), BY);
    };
    for (let i = 0; i < 10; i++) {
      await died(60, i * 1_000);
      world.clock.now += 5;
    }
    const { id, expected } = await startOperation(world.broker, { kind: 'suppress', q: `queue:${queue}` });
    expect(expected).toBe(600);
    let turn = 0;
    const done = await runToEnd(
      () => {
        turn += 1;
        return world.another();
      },
      id,
      {
        onStep: async () => {
          world.clock.now += 1;
          await died(20, 50_000 + turn * 100);
          await world.broker.purge(queue, names(3, 9_000 + turn * 3), BY);
        },
      },
    );
    expect(done.moved + done.skipped).toBe(600);
    // Purged by hand before its turn, or after: each of them is in one of the two.
    const left = [...(await indexed(queue, 'suppressed')), ...(await indexed(queue, 'trash'))].sort();
    expect(left).toEqual(Array.from({ length: 10 }, (_, i) => names(60, i * 1_000)).flat());
    expect((await indexed(queue, 'dead')).every((jobId) => jobId >= 'j050000')).toBe(true);
    await sound(queue);
  });
});

describe('iterating an index whose order the change itself changes', () => {
  it('meets none twice: those that were put off lie ahead of the walk', async () => {
    const queue = world.freshQueue();
    for (let i = 0; i < 6; i++)
      await enqueueAll(world.broker, queue, jobs(100, i * 1_000, { delayMs: 60_000 * (i + 1) }));
    const dueAt = world.clock.now + 210_000;
    const wanted = { kind: 'reschedule', state: 'scheduled', q: `queue:${queue}`, dueAt } as const;
    const preview = await previewOf(world.broker, wanted);
    expect(preview.count).toBe(600);
    expect(await operate(world.broker, wanted)).toMatchObject({ moved: 600, skipped: 0 });
    const due = await world.redis.zrange(world.column(queue, 'scheduled'), '0', '-1', 'WITHSCORES');
    expect(new Set(due.filter((_, i) => i % 2 === 1))).toEqual(new Set([String(dueAt)]));
    await sound(queue);
  });
});

describe('endless retry loop', () => {
  it('jobs that die again while the re-drive runs are not put back by it a second time', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(600));
    const rate = { perSecond: 1_000, keepReadyBelow: null };
    const { id } = await startOperation(
      world.broker,
      { kind: 'redrive', q: `queue:${queue}` },
      { control: { rate } },
    );
    let steps = 0;
    const done = await runToEnd(world.broker, id, {
      onStep: async () => {
        steps += 1;
        world.clock.now += 50;
        // A handler that is still broken: all of it dies again at once.
        await killAll(world.broker, queue, [], failure('STILL_BROKEN'));
      },
    });
    expect(steps).toBeGreaterThan(5);
    await killAll(world.broker, queue, [], failure('STILL_BROKEN'));
    expect(done).toMatchObject({ status: 'completed', moved: 600, skipped: 0 });
    const [shown] = await world.broker.inspect.snapshot([queue]);
    expect(shown?.totals.redriven).toBe(600);
    expect(await indexed(queue, 'dead')).toEqual(names(600));
    expect((await world.broker.operations.get(id)).outcome).toMatchObject({ diedAgain: 600 });
  });
});

describe('wrong verb at "all"', () => {
  /** Where a job is after the kind has had its way with it. */
  const AFTER: Partial<Record<OperationKind, string>> = {
    redrive: 'ready',
    suppress: 'suppressed',
    unsuppress: 'dead',
    purge: 'trashed',
    restore: 'dead',
    delete: 'JOB_NOT_FOUND',
    cancel: 'dead',
    promote: 'ready',
  };
  const make: Partial<Record<JobState, (queue: string) => Promise<unknown>>> = {
    ready: (queue) => enqueueAll(world.broker, queue, jobs(3)),
    scheduled: (queue) => enqueueAll(world.broker, queue, jobs(3, 0, { delayMs: 60_000 })),
    'in-flight': async (queue) => {
      await enqueueAll(world.broker, queue, jobs(3));
      await claimAll(world.broker, queue);
    },
    dead: (queue) => killAll(world.broker, queue, jobs(3)),
    suppressed: async (queue) => {
      await killAll(world.broker, queue, jobs(3));
      await world.broker.suppress(queue, names(3), BY);
    },
    trashed: async (queue) => {
      await killAll(world.broker, queue, jobs(3));
      await world.broker.purge(queue, names(3), BY);
    },
  };
  const cases = OPERATION_KINDS.flatMap((kind) =>
    KIND_STATES[kind].flatMap((state) => (AFTER[kind] && make[state] ? [[kind, state] as const] : [])),
  );

  it.each(cases)('%s of all that is %s does that, and nothing else', async (kind, state) => {
    const queue = world.freshQueue();
    await make[state]?.(queue);
    for (const jobId of names(3)) expect(await stateOf(world.broker, queue, jobId)).toBe(state);
    expect(await operate(world.broker, { kind, state, q: `queue:${queue}` })).toMatchObject({ moved: 3 });
    for (const jobId of names(3)) expect(await stateOf(world.broker, queue, jobId)).toBe(AFTER[kind]);
    await sound(queue);
  });

  it('a kind that does not fit the state is refused, also on ticked jobs', async () => {
    for (const kind of OPERATION_KINDS)
      for (const state of JOB_STATES)
        if (!KIND_STATES[kind].includes(state))
          await expect(
            world.broker.operations.preview(
              { kind, scope: { state, jobs: [{ queue: 'q', jobId: 'j' }] }, target: 'x' } as never,
              BY,
            ),
          ).rejects.toMatchObject({ code: 'VALIDATION' });
  });
});

describe('all-or-nothing bulk', () => {
  it('one conflict costs one job: the others go, and the one is reported', async () => {
    const queue = world.freshQueue();
    const unique = { key: 'only-one', scope: 'done' as const, ttlMs: 86_400_000 };
    await killAll(world.broker, queue, [...jobs(500), ...jobs(1, 900, { unique })]);
    await enqueueAll(world.broker, queue, jobs(1, 901, { unique, delayMs: 60_000 }));
    expect(await operate(world.broker, { kind: 'redrive', q: `queue:${queue}` })).toMatchObject({
      status: 'completed',
      moved: 500,
      skipped: 1,
      skips: { 'not-unique': 1 },
    });
    expect(await indexed(queue, 'dead')).toEqual(names(1, 900));
    await sound(queue);
  });
});

describe('unbounded work per click', () => {
  it('a preview, a confirmation and each step touch a bounded number of entries, however many there are', async () => {
    const queue = world.freshQueue();
    const count = 12_000;
    for (let i = 0; i < count; i += 1_000) {
      await enqueueAll(world.broker, queue, jobs(1_000, i, { delayMs: 60_000 }));
      for (let j = 0; j < 1_000; j += 500) await world.broker.cancel(queue, names(500, i + j), BY);
    }
    const commandsOf = async (work: () => Promise<unknown>) => {
      await world.redis.config('RESETSTAT');
      await work();
      const stats = await world.redis.info('commandstats');
      const calls = [...stats.matchAll(/^cmdstat_(?:evalsha|eval):calls=(\d+)/gm)];
      return calls.reduce((sum, [, n]) => sum + Number(n), 0);
    };
    let id = '';
    const start = await commandsOf(async () => {
      ({ id } = await startOperation(world.broker, { kind: 'redrive', q: `queue:${queue}` }));
    });
    // 2,000 jobs are looked at for the skips, fifty at a time; the rest is known from counts.
    expect(start).toBeLessThan(150);
    const step = await commandsOf(() => world.broker.operations.runSlice(id, 'r1', { sliceMs: 0 }));
    // Ten jobs a script.
    expect(step).toBeLessThan(30);
    const { moved } = await world.broker.operations.get(id);
    expect(moved).toBeLessThanOrEqual(250);
    await world.broker.operations.act(id, 'cancel', BY);
  });

  it('no script file of an operation deals with more than five hundred entries', () => {
    // What one call may bring along is bounded where it is made.
    for (const most of [SCRIPT_JOBS_MAX, TRANSFER_JOBS]) {
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(500);
    }
  });
});
