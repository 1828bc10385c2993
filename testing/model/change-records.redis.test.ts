/** Invariant 24: what a person changed has exactly one record, written by the script that changed it: both, or neither. */
import { describe, expect, it } from 'vitest';
import { operate } from '@/testing/worlds/operation-runs';
import { BY, enqueueAll, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const by = (n: number) => ({ actor: `actor-${n}`, reason: `reason ${n}`, requestId: `request-${n}` });
const records = (queue: string) => world.broker.inspect.changes(queue, 200);
type Change = (queue: string, who: ReturnType<typeof by>) => Promise<unknown>;

/** Everything a person can change about a queue, and what of it stands in the record. */
const CHANGES: Readonly<Record<string, { what: string; change: Change }>> = {
  'a setting': {
    what: 'config',
    change: (queue, who) => world.broker.config.change(queue, { concurrency: 40 }, who),
  },
  'a pause': {
    what: 'pause',
    change: (queue, who) => world.broker.pause(queue, { reason: who.reason, scope: 'tenant:a' }, who),
  },
  'the end of a pause': {
    what: 'resume',
    change: (queue, who) => world.broker.resume(queue, 'tenant:a', who),
  },
  draining: { what: 'drain', change: (queue, who) => world.broker.drain(queue, { reason: who.reason }, who) },
  'the end of draining': {
    what: 'undrain',
    change: (queue, who) => world.broker.drain(queue, { draining: false, reason: who.reason }, who),
  },
  'a schedule': {
    what: 'schedule',
    change: (queue, who) =>
      world.broker.schedules.fence({
        id: `s-${queue}`,
        queue,
        generation: 1,
        isNew: true,
        by: who,
        before: '',
        after: '{}',
      }),
  },
  sharding: { what: 'sharding', change: (queue, who) => world.broker.sharding.set(queue, { count: 5 }, who) },
};

describe('invariant 24', () => {
  it('each change has one record, with who, why, when and by which request', async () => {
    const queue = world.freshQueue();
    let n = 0;
    for (const [name, { what, change }] of Object.entries(CHANGES)) {
      const before = await records(queue);
      const at = world.clock.now;
      await change(queue, by(n));
      const after = await records(queue);
      // Sharing out the limits anew is a second change, of the settings of each shard, with a record of its own.
      const fresh = after.slice(0, after.length - before.length).reverse();
      expect(
        fresh.map((one) => one.what),
        name,
      ).toEqual(what === 'sharding' ? ['sharding', 'config'] : [what]);
      expect(fresh[0]).toMatchObject({
        at,
        actor: `actor-${n}`,
        reason: `reason ${n}`,
        requestId: `request-${n}`,
      });
      expect(after.slice(fresh.length)).toEqual(before);
      world.clock.now += 1;
      n += 1;
    }
  });

  it('what changes nothing has none: ending what is not, a refused or an outdated change', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1));
    expect(await world.broker.resume(queue, 'tenant:a', BY)).toBe(false);
    expect(await world.broker.drain(queue, { draining: false, reason: 'a test' }, BY)).toBe(false);
    await expect(
      world.broker.config.change(queue, { concurrency: 1, ifRevision: 7 }, BY),
    ).rejects.toMatchObject({
      code: 'CONFIG_CHANGED',
    });
    await expect(world.broker.config.change(queue, { concurrency: 0 }, BY)).rejects.toMatchObject({
      code: 'VALIDATION',
    });
    await expect(world.broker.sharding.set(queue, { count: 2 }, BY)).rejects.toMatchObject({
      code: 'WRONG_STATE',
    });
    expect(await records(queue)).toEqual([]);
  });

  it('of rivals over the same settings each that got through has one, in the order of their revisions', async () => {
    const queue = world.freshQueue();
    const rivals = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) =>
        world
          .another()
          .config.change(queue, { depthLimit: 100 + n, ...(n % 2 ? { ifRevision: 0 } : {}) }, by(n)),
      ),
    );
    const won = rivals.filter(({ status }) => status === 'fulfilled').length;
    const all = await records(queue);
    expect(won).toBeGreaterThan(0);
    expect(all).toHaveLength(won);
    expect((await world.broker.config.get(queue)).revision).toBe(won);
    // Each was made over the one before it.
    for (let i = 0; i + 1 < all.length; i++) expect(all[i]?.before).toBe(all[i + 1]?.after);
    expect(JSON.parse(all[0]?.after ?? '{}')).toEqual({
      depthLimit: (await world.broker.config.get(queue)).config.depthLimit,
    });
  });

  it.each(Object.entries(CHANGES).map(([name, one]) => ({ name, ...one })))(
    '$name that cannot be recorded is not made',
    async ({ name, change }) => {
      const queue = world.freshQueue();
      if (name === 'the end of a pause')
        await world.broker.pause(queue, { reason: 'a test', scope: 'tenant:a' }, BY);
      if (name === 'the end of draining') await world.broker.drain(queue, { reason: 'a test' }, BY);
      const key = world.column(queue, 'changes');
      await world.redis.del(key);
      await world.redis.set(key, 'a key of another type');
      const dump = async () =>
        Promise.all(
          (['config', 'pauses', 'occurrences'] as const).map((column) =>
            world.redis.hgetall(world.column(queue, column)),
          ),
        );
      const before = await dump();
      await expect(change(queue, by(1)), name).rejects.toThrow();
      expect(await dump(), name).toEqual(before);
    },
  );

  it('what a person does to jobs stands in the history of each, as often as it was done to it', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(30));
    const all = jobs(30).map((job) => job.jobId ?? '');
    const redriven = await operate(world.broker, { kind: 'redrive', q: `queue:${queue}` }, { by: by(1) });
    expect(redriven.moved).toBe(30);
    await world.broker.cancel(queue, all.slice(0, 20), by(2));
    await world.broker.suppress(queue, all.slice(0, 5), by(3));
    await world.broker.purge(queue, all.slice(5, 12), by(4));
    await world.broker.restore(queue, all.slice(5, 8), by(5));
    // Done again, these change nothing.
    await world.broker.suppress(queue, all.slice(0, 5), by(6));
    await world.broker.redrive(queue, all, by(7));
    const done = new Map<string, number>();
    for (const jobId of all)
      for (const { kind, actor } of (await world.broker.inspect.job(queue, jobId)).history)
        if (actor) done.set(`${kind} by ${actor}`, (done.get(`${kind} by ${actor}`) ?? 0) + 1);
    expect(Object.fromEntries(done)).toEqual({
      'redriven by actor-1': 30,
      'dead by actor-2': 20,
      'suppressed by actor-3': 5,
      'purged by actor-4': 7,
      'restored by actor-5': 3,
      // Dead or suppressed: not those in the trash, not those in line.
      'redriven by actor-7': 16,
    });
  });
});
