/** Admission: rates, concurrency, depth, load shedding and draining, each by the clock of Redis and live-editable. */
import { describe, expect, it } from 'vitest';
import type { ClaimedJob } from '@/lib/broker';
import type { ConfigPatch } from '@/lib/contract/queues/queue-config';
import { BY, claimAll, enqueueAll, failure, ids, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const configure = (queue: string, patch: ConfigPatch) => world.broker.config.change(queue, patch, BY);
const claim = async (queue: string, count = 100) =>
  (await world.broker.claim(queue, { worker: 'w1', count })).jobs;
const refs = (list: readonly { jobId: string; token: string }[]) =>
  list.map(({ jobId, token }) => ({ jobId, token }));
const running = (queue: string) => world.redis.hgetall(world.column(queue, 'running'));

describe('a rate limit of the queue', () => {
  it('admits its burst at once, then so many a second, and says when the next may go', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(50));
    await configure(queue, { rate: { perSecond: 10, burst: 5 } });
    const first = await world.broker.claim(queue, { worker: 'w1', count: 100 });
    expect(ids(first.jobs)).toEqual(ids(jobs(5) as { jobId: string }[]));
    expect(first).toMatchObject({ more: false, nextAt: world.clock.now + 100 });
    world.clock.now += 99;
    expect(await claim(queue)).toHaveLength(0);
    world.clock.now += 1;
    expect(await claim(queue)).toHaveLength(1);
    world.clock.now += 3_600_000;
    expect(await claim(queue), 'an idle hour earns no more than the burst').toHaveLength(5);
  });

  it('table: over ten seconds of asking every 7 ms, what is admitted is burst + rate × time', async () => {
    for (const [perSecond, burst] of [
      [1, 1],
      [3, 2],
      [50, 10],
      [250, 1],
      [0.5, 1],
    ] as const) {
      const queue = world.freshQueue();
      await enqueueAll(world.broker, queue, jobs(2_000));
      await configure(queue, { rate: { perSecond, burst } });
      const from = world.clock.now;
      let admitted = 0;
      while (world.clock.now < from + 10_000) {
        admitted += (await claim(queue)).length;
        // No limit is met sooner than asked for.
        world.clock.now += 7;
      }
      const allowed = burst + perSecond * 10;
      expect(admitted).toBeLessThanOrEqual(Math.ceil(allowed));
      // A bucket of one cannot save up what falls due between two questions.
      const askable =
        burst === 1 ? Math.min(allowed, 10_000 / (Math.ceil(1_000 / perSecond / 7) * 7)) : allowed;
      expect(admitted).toBeGreaterThanOrEqual(Math.floor(askable) - 1);
    }
  });

  it('survives a clock that jumps back: no flood, no stop', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(50));
    await configure(queue, { rate: { perSecond: 10, burst: 2 } });
    expect(await claim(queue)).toHaveLength(2);
    world.clock.now -= 3_600_000;
    expect(await claim(queue)).toHaveLength(0);
    // The jump itself is waited out: what was spent is spent.
    world.clock.now += 3_600_000 + 100;
    expect(await claim(queue)).toHaveLength(1);
  });
});

describe('a concurrency limit of the queue', () => {
  it('is never exceeded, is freed by every way a run ends, and cannot be freed twice', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(30));
    await configure(queue, { concurrency: 3 });
    const [a, b, c] = await claim(queue);
    if (!a || !b || !c) throw new Error('three were to be claimed');
    expect(await claim(queue)).toHaveLength(0);

    expect(await world.broker.ack(queue, refs([a]))).toEqual(['completed']);
    expect(await world.broker.ack(queue, refs([a]))).toEqual(['already']);
    expect(await claim(queue), 'a resend gave nothing back').toHaveLength(1);
    await world.broker.fail(queue, [{ ...refs([b])[0], failure: failure() } as never]);
    await world.broker.fail(queue, [{ ...refs([b])[0], failure: failure() } as never]);
    expect(await claim(queue)).toHaveLength(1);
    await world.broker.release(queue, refs([c]));
    const again = await claim(queue);
    expect(ids(again), 'back at its old place').toEqual([c.jobId]);
    await world.broker.cancel(queue, [c.jobId], BY);
    expect(await claim(queue)).toHaveLength(1);
    world.clock.now += 60_000;
    await world.broker.reclaim(queue);
    expect(await claim(queue)).toHaveLength(3);
    expect(await world.broker.ack(queue, refs(again)), 'a stale finish').toEqual(['stale']);
    expect(await claim(queue)).toHaveLength(0);
    expect(await running(queue)).toEqual({ default: '3' });
  });

  it('B4: a worker that lost its lease and finishes late does not free a slot', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(20));
    await configure(queue, { concurrency: 1, tenantLimit: { concurrency: 1 } });
    for (let round = 0; round < 4; round++) {
      const [late] = await claim(queue);
      if (!late) throw new Error('one was to be claimed');
      world.clock.now += 60_000;
      await world.broker.reclaim(queue);
      const [other] = await claim(queue);
      expect(await world.broker.ack(queue, refs([late]))).toEqual(['stale']);
      expect(await claim(queue)).toHaveLength(0);
      expect(await running(queue)).toEqual({ default: '1' });
      if (other) await world.broker.ack(queue, refs([other]));
    }
  });

  it('can be raised, lowered and lifted while jobs run', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(30));
    await configure(queue, { concurrency: 4 });
    const held = await claim(queue);
    await configure(queue, { concurrency: 2 });
    await world.broker.ack(queue, refs(held.slice(0, 2)));
    expect(await claim(queue), 'still two in flight').toHaveLength(0);
    await configure(queue, { concurrency: 5 });
    expect(await claim(queue)).toHaveLength(3);
    await configure(queue, { concurrency: null });
    expect(await claim(queue)).toHaveLength(23);
  });
});

describe('limits of tenants', () => {
  const mixed = (a: number, b: number) => [
    ...jobs(a, 0, { tenantId: 'acme' }),
    ...jobs(b, a, { tenantId: 'bolt' }),
  ];

  it('let others pass a tenant at its limit, and its own jobs keep their order', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, mixed(1_200, 3));
    await configure(queue, { tenantLimit: { concurrency: 2 } });
    // Those that step aside on the way cost a claim its budget: it says that there is more.
    const all: ClaimedJob[] = [];
    for (let more = true; more; ) {
      const result = await world.broker.claim(queue, { worker: 'w1', count: 100 });
      all.push(...result.jobs);
      more = result.more;
    }
    expect(ids(all.filter((job) => job.envelope.tenantId === 'acme'))).toEqual(['j000000', 'j000001']);
    expect(all.filter((job) => job.envelope.tenantId === 'bolt')).toHaveLength(2);
    const [snapshot] = await world.broker.inspect.snapshot([queue]);
    expect(snapshot?.throttledTenants).toBe(2);
    expect((snapshot?.counts.held ?? 0) + (snapshot?.counts.ready ?? 0)).toBe(1_199);
    const order: string[] = [];
    let inHand: readonly ClaimedJob[] = all.filter((job) => job.envelope.tenantId === 'acme');
    for (let i = 0; i < 200; i++) {
      await world.broker.ack(queue, refs(inHand));
      inHand = await claim(queue);
      order.push(...ids(inHand.filter((job) => job.envelope.tenantId === 'acme')));
      expect(inHand.length).toBeGreaterThan(0);
    }
    expect(order).toEqual([...order].sort());
    expect(new Set(order).size).toBe(order.length);
  });

  it('B-limit: a tenant that was at its limit is woken by the end of its own run', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, mixed(5, 0));
    await configure(queue, { tenantLimit: { concurrency: 1 } });
    const [job] = await claim(queue);
    await world.redis.del(world.column(queue, 'wake'));
    if (job) await world.broker.ack(queue, refs([job]));
    expect(await world.redis.zcard(world.column(queue, 'wake'))).toBe(1);
    expect(await claim(queue)).toHaveLength(1);
  });

  it('a rate, with an exception that is stricter and one that lifts it', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, [...mixed(50, 50), ...jobs(50, 100, { tenantId: 'free' })]);
    await configure(queue, {
      tenantLimit: { rate: { perSecond: 10, burst: 10 } },
      tenantLimits: { bolt: { rate: { perSecond: 1, burst: 1 } }, free: {} },
    });
    const by = (list: readonly { envelope: { tenantId: string } }[]) =>
      Object.fromEntries(
        ['acme', 'bolt', 'free'].map((t) => [t, list.filter((j) => j.envelope.tenantId === t).length]),
      );
    expect(by(await claimAll(world.broker, queue))).toEqual({ acme: 10, bolt: 1, free: 50 });
    const admitted: ReturnType<typeof by>[] = [];
    for (let i = 0; i < 20; i++) {
      world.clock.now += 100;
      admitted.push(by(await claimAll(world.broker, queue)));
    }
    const sum = (t: string) => admitted.reduce((n, one) => n + (one[t] ?? 0), 0);
    expect([sum('acme'), sum('bolt')]).toEqual([20, 2]);
  });

  it('a paused tenant stays paused whatever its limit says, and comes back in order', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, mixed(20, 1));
    await configure(queue, { tenantLimit: { concurrency: 1 } });
    const first = await claimAll(world.broker, queue);
    await world.broker.pause(queue, { scope: 'tenant:acme', reason: 'too many' }, BY);
    await world.broker.ack(queue, refs(first));
    world.clock.now += 10_000;
    expect(await claimAll(world.broker, queue)).toHaveLength(0);
    await world.broker.resume(queue, 'tenant:acme', BY);
    expect(ids(await claimAll(world.broker, queue))).toEqual(['j000001']);
  });

  it('room that a paused job leaves goes to the next of its tenant, not to one that came later', async () => {
    const queue = world.freshQueue();
    const add = (jobId: string, jobType: string) =>
      world.broker.enqueue(queue, { jobId, jobType, tenantId: 'acme' });
    await world.broker.config.change(queue, { tenantLimit: { concurrency: 1 } }, BY);
    for (const [id, type] of [
      ['first', 'hook'],
      ['second', 'mail'],
      ['third', 'hook'],
    ] as const)
      await add(id, type);
    const [first] = await claim(queue);
    await add('fourth', 'hook');
    await world.broker.pause(queue, { scope: 'type:mail', reason: 'broken' }, BY);
    if (first) await world.broker.ack(queue, refs([first]));
    const order: string[] = [];
    for (let i = 0; i < 6; i++) {
      const taken = await claim(queue, 1);
      order.push(...ids(taken));
      await world.broker.ack(queue, refs(taken));
    }
    expect(order).toEqual(['third', 'fourth']);
  });

  it('below a rate of the queue say when the next token comes, also for those that stand aside', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, mixed(5, 0));
    await world.broker.config.change(
      queue,
      { rate: { perSecond: 50, burst: 1 }, tenantLimit: { rate: { perSecond: 20, burst: 1 } } },
      BY,
    );
    let ran = 0;
    for (let i = 0; i < 200 && ran < 5; i++) {
      const { jobs: taken, nextAt, more } = await world.broker.claim(queue, { worker: 'w1', count: 10 });
      ran += taken.length;
      await world.broker.ack(queue, refs(taken));
      if (ran === 5) break;
      expect(more || nextAt !== null, 'somebody knows when to come back').toBe(true);
      world.clock.now = Math.max(world.clock.now + 1, nextAt ?? 0);
    }
    expect(ran).toBe(5);
  });

  it('more tenants than one claim looks at all have their turn, whatever their names', async () => {
    const queue = world.freshQueue();
    const tenants = Array.from({ length: 60 }, (_, i) => `t${String(i).padStart(3, '0')}`);
    const all = Array.from({ length: 12 }, (_, round) =>
      tenants.map((tenantId) => ({ jobId: `${tenantId}-${round}`, jobType: 'demo', tenantId })),
    ).flat();
    await enqueueAll(world.broker, queue, all);
    await world.broker.config.change(queue, { tenantLimit: { concurrency: 1 } }, BY);
    const served = new Map<string, number>();
    let inHand: readonly ClaimedJob[] = [];
    for (let i = 0; i < 12; i++) {
      world.clock.now += 5;
      const { claimed } = await world.broker.exchange(queue, refs(inHand), { worker: 'w1', count: 50 });
      inHand = claimed.jobs;
      for (const { envelope } of inHand)
        served.set(envelope.tenantId, (served.get(envelope.tenantId) ?? 0) + 1);
    }
    const counts = tenants.map((tenant) => served.get(tenant) ?? 0);
    expect(Math.min(...counts), String(counts)).toBeGreaterThanOrEqual(Math.max(...counts) / 4);
  });

  it('lifted, everything that stepped aside is back', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, mixed(700, 0));
    await configure(queue, { tenantLimit: { concurrency: 1 } });
    await claimAll(world.broker, queue);
    await configure(queue, { tenantLimit: null });
    const taken: string[] = [];
    for (let i = 0; i < 40; i++) {
      taken.push(...ids(await claim(queue, 500)));
      world.clock.now += 200;
    }
    expect(new Set(taken).size).toBe(699);
    expect(await world.redis.zcard(world.column(queue, 'throttled'))).toBe(0);
  });
});

describe('a depth limit', () => {
  it('refuses with the numbers, changes nothing, and still knows a resend', async () => {
    const queue = world.freshQueue();
    await configure(queue, { depthLimit: 3 });
    await enqueueAll(world.broker, queue, jobs(2));
    await world.broker.enqueue(queue, { jobId: 'later', jobType: 'demo', delayMs: 60_000 });
    const error = await world.broker.enqueue(queue, { jobType: 'demo' }).catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: 'QUEUE_FULL',
      message: expect.stringContaining('holds 3 jobs and takes at most 3'),
    });
    expect(await world.broker.enqueueMany(queue, [...jobs(2), { jobId: 'x', jobType: 'demo' }])).toEqual([
      { jobId: 'j000000', outcome: 'duplicate' },
      { jobId: 'j000001', outcome: 'duplicate' },
      { jobId: 'x', outcome: 'queue-full' },
    ]);
    expect((await world.broker.inspect.ledger(queue)).difference).toBe(0);
    await claimAll(world.broker, queue);
    expect(await world.broker.enqueue(queue, { jobType: 'demo' })).toMatchObject({ outcome: 'ready' });
  });

  it('sheds what is not critical first', async () => {
    const queue = world.freshQueue();
    await configure(queue, { depthLimit: 10, shedAtPercent: 50 });
    await enqueueAll(world.broker, queue, jobs(5));
    const outcomes = await world.broker.enqueueMany(queue, [
      { jobType: 'demo', critical: false },
      { jobType: 'demo' },
      { jobType: 'demo', critical: false },
      ...Array.from({ length: 6 }, () => ({ jobType: 'demo' })),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      'shed',
      'ready',
      'shed',
      'ready',
      'ready',
      'ready',
      'ready',
      'queue-full',
      'queue-full',
    ]);
    await expect(world.broker.enqueue(queue, { jobType: 'demo', critical: false })).rejects.toMatchObject({
      code: 'QUEUE_FULL',
    });
  });
});

describe('draining', () => {
  it('refuses new jobs, finishes old ones, retries included, and ends', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(3));
    await world.broker.drain(queue, { reason: 'moving house' }, BY);
    await expect(world.broker.enqueue(queue, { jobType: 'demo' })).rejects.toMatchObject({
      code: 'QUEUE_DRAINING',
    });
    expect((await world.broker.enqueueMany(queue, jobs(1)))[0]?.outcome).toBe('duplicate');
    const [one, ...rest] = await claimAll(world.broker, queue);
    await world.broker.ack(queue, refs(rest));
    if (one)
      await world.broker.fail(queue, [
        { ...one, failure: { ...failure('HTTP_503', 'retryable'), retryInMs: 1_000 } },
      ]);
    world.clock.now += 1_000;
    expect(await claimAll(world.broker, queue)).toHaveLength(1);
    expect((await world.broker.config.get(queue)).draining).toMatchObject({
      actor: BY.actor,
      reason: 'moving house',
    });
    expect(await world.broker.drain(queue, { draining: false, reason: 'done' }, BY)).toBe(true);
    expect(await world.broker.drain(queue, { draining: false, reason: 'done' }, BY)).toBe(false);
    await world.broker.enqueue(queue, { jobType: 'demo' });
  });
});

describe('settings', () => {
  it('read back as written, to the default and back', async () => {
    const queue = world.freshQueue();
    const patch = {
      depthLimit: 9,
      shedAtPercent: 80,
      rate: { perSecond: 0.5, burst: 3 },
      concurrency: 7,
      tenantLimit: { rate: null, concurrency: 2 },
      tenantLimits: { acme: { rate: { perSecond: 5, burst: 5 }, concurrency: null } },
      fair: 'tenant',
      maxDeliveries: 2,
      completedKeep: 0,
      completedKeepMs: 60_000,
      completedKeepBytes: 5_000,
      deadKeepMs: 86_400_000,
      trashGraceMs: 0,
      retryByType: {
        'email.send': {
          policy: { curve: 'fixed', baseMs: 5, factor: 1, maxMs: 5, jitter: 0 },
          maxAttempts: 2,
          classes: ['retryable'],
        },
      },
    } satisfies ConfigPatch;
    const before = await world.broker.config.get(queue);
    const { config, revision } = await configure(queue, patch);
    expect(config).toMatchObject(patch);
    expect(revision).toBe(1);
    const back = await configure(queue, before.config);
    expect(back.config).toEqual(before.config);
    expect(await world.redis.hgetall(world.column(queue, 'config'))).toEqual({ revision: '2' });
  });

  it('are not changed over somebody else’s change, and each change is on record', async () => {
    const queue = world.freshQueue();
    await configure(queue, { concurrency: 5, reason: 'first' });
    await expect(configure(queue, { concurrency: 6, ifRevision: 0, reason: 'blind' })).rejects.toMatchObject({
      code: 'CONFIG_CHANGED',
    });
    await Promise.all([1, 2, 3].map((n) => configure(queue, { depthLimit: n })));
    await world.broker.pause(queue, { reason: 'stop' }, BY);
    await world.broker.resume(queue, 'queue', { ...BY, reason: 'go' });
    const changes = await world.broker.inspect.changes(queue, 50);
    expect(changes.map(({ what, actor }) => `${what} ${actor}`)).toEqual([
      'resume tester',
      'pause tester',
      ...Array.from({ length: 4 }, () => 'config tester'),
    ]);
    expect(changes.at(-1)).toMatchObject({
      reason: 'first',
      before: '{"concurrency":null}',
      after: '{"concurrency":5}',
    });
  });

  it('refuses what is not valid by name, and changes nothing', async () => {
    const queue = world.freshQueue();
    const bad: [ConfigPatch, string][] = [
      [{ concurrency: 0 }, 'concurrency'],
      [{ rate: { perSecond: 0, burst: 1 } }, 'rate.perSecond'],
      [{ tenantLimits: { 'a b': {} } }, 'tenantLimits'],
      [{ depthLimit: 1.5 }, 'depthLimit'],
      [{ nope: 1 } as ConfigPatch, 'nope'],
      [{}, 'config'],
    ];
    for (const [patch, field] of bad)
      await expect(configure(queue, patch), field).rejects.toMatchObject({
        code: 'VALIDATION',
        message: expect.stringContaining(field),
      });
    expect(await world.redis.exists(world.column(queue, 'config'))).toBe(0);
  });
});
