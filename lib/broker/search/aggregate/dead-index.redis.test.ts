/** What is known of each death, the index by five facets and the counts of all combinations: kept exact, and made anew when lost. */
import { describe, expect, it } from 'vitest';
import { SCRIPTS } from '@/lib/broker/lua.generated';
import type { Column } from '@/lib/broker/redis/redis-keys';
import { alike, deathOf } from '@/testing/model/dead-invariants';
import { readRaw, violations } from '@/testing/model/invariants';
import {
  BY,
  claimAll,
  claimOne,
  enqueueAll,
  failure,
  ids,
  jobs,
  killAll,
  setUpWorld,
} from '@/testing/worlds/world';

const world = await setUpWorld();

const found = async (queue: string) => violations(await readRaw(world.redis, world.keys, queue));
const hash = (queue: string, column: Column) => world.redis.hgetall(world.column(queue, column));
const death = async (queue: string, id = 'j000000') =>
  deathOf((await world.redis.hget(world.column(queue, 'deaths'), id)) ?? '');
const WHO = { jobType: 'invoice.send', jobVersion: 7, tenantId: 'acme', priority: -3 };
const KNOWN = { type: 'invoice.send', version: '7', tenant: 'acme', priority: '-3', operation: '-' };

describe('what is known of a death', () => {
  it('by failure: who it was, why, and on which attempt', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1, 0, { ...WHO, maxAttempts: 3 }));
    for (let attempt = 1; attempt <= 3; attempt++) {
      const job = await claimOne(world.broker, queue);
      const again = { ...failure('HTTP_503', 'retryable'), retryInMs: 0 };
      await world.broker.fail(queue, [{ ...job, failure: again }]);
    }
    expect(await death(queue)).toMatchObject({
      ...KNOWN,
      diedAt: String(world.clock.now),
      class: 'retryable',
      code: 'HTTP_503',
      attempt: '3',
    });
    expect(await found(queue)).toEqual([]);
  });

  it.each([
    [
      'deadline',
      '0',
      async (queue: string) => {
        await enqueueAll(world.broker, queue, jobs(1, 0, { ...WHO, deadline: world.clock.now + 10 }));
        world.clock.now += 10;
        await world.broker.claim(queue, { worker: 'w1' });
      },
    ],
    [
      'cancelled',
      '0',
      async (queue: string) => {
        await enqueueAll(world.broker, queue, jobs(1, 0, { ...WHO, delayMs: 9_000 }));
        await world.broker.cancel(queue, ['j000000'], BY);
      },
    ],
    [
      'cancelled',
      '1',
      async (queue: string) => {
        await enqueueAll(world.broker, queue, jobs(1, 0, WHO));
        await claimOne(world.broker, queue);
        await world.broker.cancel(queue, ['j000000'], BY);
      },
    ],
    [
      'crash',
      '1',
      async (queue: string) => {
        await enqueueAll(world.broker, queue, jobs(1, 0, { ...WHO, maxAttempts: 1 }));
        await claimOne(world.broker, queue);
        world.clock.now += 60_000;
        await world.broker.reclaim(queue);
      },
    ],
  ] as const)('by %s, after %s attempts', async (errorClass, attempt, die) => {
    const queue = world.freshQueue();
    await die(queue);
    expect(await death(queue)).toMatchObject({ ...KNOWN, class: errorClass, attempt });
    expect(await found(queue)).toEqual([]);
  });

  it('of a job whose row cannot be read: nothing but when and why', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1, 0, WHO));
    await world.redis.hset(world.column(queue, 'jobs'), 'j000000', 'not ours');
    await world.broker.claim(queue, { worker: 'w1' });
    expect(await death(queue)).toMatchObject({
      type: 'unknown',
      version: '0',
      tenant: 'unknown',
      priority: '0',
    });
    expect(await found(queue)).toEqual([]);
  });

  it('leads out of every index, also when the job’s own row has vanished', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(2, 0, WHO));
    await world.redis.hdel(world.column(queue, 'jobs'), 'j000000');
    expect(await world.broker.purge(queue, ['j000000'], BY)).toEqual(['ok']);
    expect(await world.redis.zcard(world.column(queue, 'deadBy'))).toBe(5);
    expect((await hash(queue, 'deadCounts'))['#']).toBe('1');
  });

  it('stays with it through the trash and back', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(1, 0, WHO));
    const before = [await death(queue), await hash(queue, 'deadCounts')];
    for (const [there, back] of [
      ['purge', 'restore'],
      ['suppress', 'restore'],
    ] as const) {
      world.clock.now += 1_000;
      await world.broker[there](queue, ['j000000'], BY);
      expect(await hash(queue, 'deadCounts')).toEqual({});
      await world.broker[back](queue, ['j000000'], BY);
      expect([await death(queue), await hash(queue, 'deadCounts')]).toEqual(before);
    }
    expect(await found(queue)).toEqual([]);
  });
});

describe('the counts', () => {
  it('are those of the dead, whatever is asked, and nothing when none is left', async () => {
    const queue = world.freshQueue();
    const mixed = Array.from({ length: 240 }, (_, i) => ({
      ...jobs(1, i)[0],
      jobType: `type${i % 3}`,
      tenantId: `t${i % 7}`,
      jobVersion: 1 + (i % 2),
    }));
    await killAll(world.broker, queue, mixed as ReturnType<typeof jobs>);
    const cube = await hash(queue, 'deadCounts');
    expect(cube['#']).toBe('240');
    // type1 and not tenant t3, by the counts and by the jobs.
    const counted = Object.entries(cube).reduce((sum, [field, n]) => {
      const [, type, , tenant] = field.split(' ');
      return type === 'type1' && tenant !== 't3' ? sum + Number(n) : sum;
    }, 0);
    expect(counted).toBe(mixed.filter((job) => job.jobType === 'type1' && job.tenantId !== 't3').length);
    await world.broker.redrive(queue, ids(jobs(100) as { jobId: string }[]), BY);
    await world.broker.purge(queue, ids(jobs(100, 100) as { jobId: string }[]), BY);
    expect(await found(queue)).toEqual([]);
    await world.broker.remove(queue, ids(jobs(40, 200) as { jobId: string }[]), BY);
    expect(await world.redis.exists(world.column(queue, 'deadCounts'), world.column(queue, 'deadBy'))).toBe(
      0,
    );
  });

  it('go with the dead that are old enough to be deleted', async () => {
    const queue = world.freshQueue();
    await world.broker.config.change(queue, { deadKeepMs: 3_600_000 }, BY);
    await killAll(world.broker, queue, jobs(70));
    world.clock.now += 3_600_001;
    await killAll(world.broker, queue, jobs(3, 100));
    await world.broker.maintain(queue);
    expect((await hash(queue, 'deadCounts'))['#']).toBe('3');
    expect(await found(queue)).toEqual([]);
  });
});

describe('lost under a busy queue,', () => {
  const mendOnce = async (queue: string) => {
    const keys = SCRIPTS.repair.keys.map((column) => world.column(queue, column as Column));
    const reply = await world.redis.eval(SCRIPTS.repair.lua, keys.length, ...keys, String(world.clock.now));
    return reply as [mended: number, unfinished: number];
  };
  const KINDS = [failure('HTTP_500'), failure('BAD', 'malformed'), failure('HTTP_503', 'retryable')];
  async function dying(count: number): Promise<string> {
    const queue = world.freshQueue();
    for (let i = 0; i < count; i += 100) {
      // Some die in one millisecond, so that only their ids tell them apart.
      if (i % 300 === 0) world.clock.now += 1;
      const some = jobs(100, i, { tenantId: `t${i % 700}`, jobType: `type${i % 300}` });
      await killAll(world.broker, queue, some, KINDS[(i / 100) % 3]);
    }
    await world.broker.suppress(queue, ids(jobs(30, 5) as { jobId: string }[]), BY);
    await world.broker.purge(queue, ids(jobs(30, 305) as { jobId: string }[]), BY);
    expect(await found(queue)).toEqual([]);
    return queue;
  }
  /** What a queue does meanwhile: deaths, re-drives of old and new ones, purges, and old ones that come back. */
  async function goOn(queue: string, n: number): Promise<void> {
    world.clock.now += n % 2;
    await killAll(world.broker, queue, jobs(3, 50_000 + 10 * n, { tenantId: 't0' }), KINDS[n % 3]);
    const some = (from: number, count: number) => ids(jobs(count, from) as { jobId: string }[]);
    await world.broker.redrive(queue, [...some((n * 131) % 2_000, 3), ...some(50_000 + 10 * n - 10, 1)], BY);
    await world.broker.purge(queue, some((n * 177) % 2_000, 4), BY);
    await world.broker.restore(
      queue,
      [...some((n * 177 - 177) % 2_000, 2), ...some(305 + n, 1), ...some(5 + n, 1)],
      BY,
    );
    await claimAll(world.broker, queue);
  }

  it.each([
    ['deadCounts'],
    ['deadBy'],
    ['deaths'],
    ['groups'],
    ['deaths', 'deadBy', 'deadCounts', 'groups'],
  ] as Column[][])(
    '%s: made anew in steps, right in the end, whatever happens meanwhile',
    async (...columns) => {
      const queue = await dying(2_000);
      const before = await readRaw(world.redis, world.keys, queue);
      for (const column of columns) await world.redis.del(world.column(queue, column));
      let steps = 0;
      for (let quiet = 0; quiet < 2 && steps < 400; steps++) {
        const [mended, unfinished] = await mendOnce(queue);
        quiet = mended + unfinished === 0 ? quiet + 1 : 0;
        if (steps < 60) await goOn(queue, steps + 1);
      }
      expect(steps, 'a step looks at a bounded number').toBeGreaterThan(4);
      expect(await found(queue)).toEqual([]);
      const after = await readRaw(world.redis, world.keys, queue);
      expect(after.hash('deadCounts').has('~')).toBe(false);
      // A job that has been dead all along is in the group it was in: its history knows the print.
      const kept = [...before.hash('deaths')].filter(
        ([id, row]) => after.hash('deaths').get(id)?.split(' ')[0] === row.split(' ')[0],
      );
      expect(kept.length).toBeGreaterThan(500);
      for (const [id, row] of kept) {
        const [old, now] = [deathOf(row), deathOf(after.hash('deaths').get(id) ?? '')];
        expect(old && now && alike(now)).toBe(old && alike(old));
      }
      // Each group that has a dead letter is known, since when its oldest died, or longer.
      for (const row of after.hash('deaths').values()) {
        const [group, diedAt] = [deathOf(row)?.group ?? '', Number(deathOf(row)?.diedAt)];
        const [first, last] = (after.hash('groups').get(group) ?? '').split(' ').map(Number);
        expect(first).toBeLessThanOrEqual(diedAt);
        expect(last).toBeGreaterThanOrEqual(diedAt);
      }
      expect(await mendOnce(queue)).toEqual([0, 0]);
    },
  );

  it('rows of an earlier shape are brought into this one', async () => {
    const queue = world.freshQueue();
    await killAll(world.broker, queue, jobs(120));
    const rows = await hash(queue, 'deaths');
    for (const [id, row] of Object.entries(rows))
      await world.redis.hset(world.column(queue, 'deaths'), id, row.split(' ').slice(0, 3).join(' '));
    await world.redis.del(world.column(queue, 'deadCounts'), world.column(queue, 'groups'));
    const members = await world.redis.zrange(world.column(queue, 'deadBy'), '0', '-1');
    await world.redis.zrem(
      world.column(queue, 'deadBy'),
      ...members.filter((member) => member.startsWith('group=')),
    );
    await world.broker.maintain(queue);
    expect(await hash(queue, 'deaths')).toEqual(rows);
    expect(await found(queue)).toEqual([]);
  });
});
