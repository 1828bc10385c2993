/** Failure groups: what falls together, when they were seen, and how many a queue remembers. */
import { describe, expect, it } from 'vitest';
import { GROUPS_MAX } from '@/testing/model/dead-invariants';
import { readRaw, violations } from '@/testing/model/invariants';
import { BY, claimAll, claimOne, enqueueAll, jobs, killAll, START, setUpWorld } from '@/testing/worlds/world';

const HOUR = 3_600_000;
const world = await setUpWorld();

const found = async (queue: string) => violations(await readRaw(world.redis, world.keys, queue));
const raw = (queue: string) => readRaw(world.redis, world.keys, queue);
const groupOf = async (queue: string, id = 'j000000') =>
  (await world.redis.hget(world.column(queue, 'deaths'), id))?.split(' ')[3] ?? '';
async function seen(queue: string, group: string) {
  const row = await world.redis.hget(world.column(queue, 'groups'), group);
  const [first, last, total, trend = ''] = row?.split(' ') ?? [];
  const [hour, counts = ''] = trend.split(':');
  return {
    first: Number(first),
    last: Number(last),
    total: Number(total),
    hour: Number(hour),
    counts: counts.split(',').map(Number),
  };
}
const why = (message: string, errorCode = 'HTTP_503', stack?: string) => ({
  errorClass: 'permanent' as const,
  errorCode,
  message,
  ...(stack === undefined ? {} : { stack }),
});
let next = 0;
/** One job dies; answers its group. */
async function dies(queue: string, failure: ReturnType<typeof why>, jobType = 'demo'): Promise<string> {
  const id = `j${String(next++).padStart(6, '0')}`;
  await killAll(world.broker, queue, [{ jobId: id, jobType, payload: '' }], failure as never);
  return groupOf(queue, id);
}

describe('failures', () => {
  it('that differ in their values only are one group', async () => {
    const queue = world.freshQueue();
    const a = await dies(queue, why('Order 4711 was not found'));
    expect(await dies(queue, why('Order 018f4e5c-7b2a-7c3d-9e0f-1a2b3c4d5e6f was not found'))).toBe(a);
    expect(a).toMatch(/^[0-9a-f]{12}$/);
    expect(await seen(queue, a)).toMatchObject({ total: 2 });
  });

  it('of another type, code, message or place are others', async () => {
    const queue = world.freshQueue();
    const stack = (name: string) => `Error: x\n    at ${name} (/app/a.js:1:1)`;
    const groups = [
      await dies(queue, why('Order 1 was not found')),
      await dies(queue, why('Order 1 was not found'), 'other'),
      await dies(queue, why('Order 1 was not found', 'HTTP_404')),
      await dies(queue, why('Customer 1 was not found')),
      await dies(queue, why('Order 1 was not found', 'HTTP_503', stack('charge'))),
      await dies(queue, why('Order 1 was not found', 'HTTP_503', stack('refund'))),
    ];
    expect(new Set(groups).size).toBe(6);
    expect(await found(queue)).toEqual([]);
  });

  it('without a word of their own are told apart by type, class and code', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(4, 0, { maxAttempts: 1 }));
    await world.broker.cancel(queue, ['j000000', 'j000001'], BY);
    await claimAll(world.broker, queue);
    world.clock.now += 60_000;
    await world.broker.reclaim(queue);
    const groups = await Promise.all([0, 1, 2, 3].map((i) => groupOf(queue, `j00000${i}`)));
    expect(groups[0]).toBe(groups[1]);
    expect(groups[2]).toBe(groups[3]);
    expect(groups[0]).not.toBe(groups[2]);
    expect(await dies(queue, { errorClass: 'crash', errorCode: 'LEASE_EXPIRED', message: '' } as never)).toBe(
      groups[2],
    );
  });

  it('cannot write themselves into another group by their message', async () => {
    const queue = world.freshQueue();
    const told = await dies(queue, why('{"print":"aaaaaaaaaaaa","message":"x"}'));
    const plain = await dies(queue, why('x'));
    expect(told).not.toBe(plain);
    await world.redis.del(world.column(queue, 'deaths'), world.column(queue, 'deadBy'));
    await world.broker.maintain(queue);
    const again = await Promise.all(
      [next - 2, next - 1].map((n) => groupOf(queue, `j${String(n).padStart(6, '0')}`)),
    );
    expect(again).toEqual([told, plain]);
  });
});

describe('a group', () => {
  it('knows since when, until when, and how many in each of the last 24 hours', async () => {
    const queue = world.freshQueue();
    world.clock.now = START + 10 * 60_000;
    const group = await dies(queue, why('a'));
    const at = (hours: number) => {
      world.clock.now = START + 10 * 60_000 + hours * HOUR;
    };
    await dies(queue, why('a'));
    at(1);
    await dies(queue, why('a'));
    at(5);
    await dies(queue, why('a'));
    let now = await seen(queue, group);
    expect(now).toMatchObject({ first: START + 10 * 60_000, last: world.clock.now, total: 4 });
    expect(now.hour).toBe(Math.floor(world.clock.now / HOUR));
    expect(now.counts).toEqual([...Array(18).fill(0), 2, 1, 0, 0, 0, 1]);
    // Hours that are too long ago are forgotten.
    at(24);
    await dies(queue, why('a'));
    now = await seen(queue, group);
    expect(now.counts).toEqual([1, 0, 0, 0, 1, ...Array(18).fill(0), 1]);
    expect(now.total).toBe(5);
    at(200);
    await dies(queue, why('a'));
    expect((await seen(queue, group)).counts).toEqual([...Array(23).fill(0), 1]);
    // A clock that goes back counts in the latest hour there is.
    at(190);
    await dies(queue, why('a'));
    now = await seen(queue, group);
    expect(now.counts).toEqual([...Array(23).fill(0), 2]);
    expect(now.last).toBe(START + 10 * 60_000 + 200 * HOUR);
    world.clock.now = START;
  });

  it('counts each death, not each way back from the trash', async () => {
    const queue = world.freshQueue();
    const group = await dies(queue, why('a'));
    const id = `j${String(next - 1).padStart(6, '0')}`;
    await world.broker.purge(queue, [id], BY);
    await world.broker.restore(queue, [id], BY);
    expect((await seen(queue, group)).total).toBe(1);
    await world.broker.redrive(queue, [id], BY);
    const job = await claimOne(world.broker, queue);
    await world.broker.fail(queue, [{ ...job, failure: why('a') }]);
    expect((await seen(queue, group)).total).toBe(2);
    expect(await found(queue)).toEqual([]);
  });

  it('without a dead letter is forgotten after 30 days, with one never', async () => {
    const queue = world.freshQueue();
    const kept = await dies(queue, why('kept'));
    const gone = await dies(queue, why('gone'));
    await world.broker.purge(queue, [`j${String(next - 1).padStart(6, '0')}`], BY);
    await world.broker.maintain(queue);
    const groups = async () => [...(await raw(queue)).hash('groups').keys()].sort();
    world.clock.now += 29 * 24 * HOUR;
    await world.broker.maintain(queue);
    expect(await groups()).toEqual([kept, gone].sort());
    world.clock.now += 2 * 24 * HOUR;
    await world.broker.maintain(queue);
    expect(await groups()).toEqual([kept]);
    world.clock.now = START;
  });
});

describe('a queue that knows as many groups as it may', () => {
  async function full(most: number): Promise<string> {
    const queue = world.freshQueue();
    const trend = Array(24).fill(0).join(',');
    const rows = Array.from({ length: most - 1 }, (_, i) => [
      i.toString(16).padStart(12, '0'),
      `${world.clock.now} ${world.clock.now} 0 ${Math.floor(world.clock.now / HOUR)}:${trend}`,
    ]);
    await world.redis.hset(world.column(queue, 'groups'), ...rows.flat());
    return queue;
  }

  it('puts a new failure to others of its type, class and code, and knows the old ones as before', async () => {
    const queue = await full(GROUPS_MAX);
    const last = await dies(queue, why('', 'HTTP_503'));
    const sizes = async () => (await raw(queue)).hash('groups').size;
    expect(await sizes()).toBe(GROUPS_MAX);
    expect(await dies(queue, why('something new'))).toBe(last);
    expect(await dies(queue, why('and another'))).toBe(last);
    expect((await seen(queue, last)).total).toBe(3);
    // Not even that one is known: it is found by its index all the same, and has no row.
    const unknown = await dies(queue, why('new, too', 'OTHER'));
    expect(unknown).not.toBe(last);
    expect(await sizes()).toBe(GROUPS_MAX);
    expect(await found(queue)).toEqual([]);
  });

  it('forgets those that were not seen for a day', async () => {
    const queue = await full(GROUPS_MAX);
    await world.broker.maintain(queue);
    for (let minutes = 0; minutes < 40; minutes++) {
      world.clock.now += minutes === 0 ? 25 * HOUR : 60_000;
      await world.broker.maintain(queue);
    }
    expect((await raw(queue)).hash('groups').size).toBeLessThanOrEqual(1_500);
    world.clock.now = START;
  });
});

describe('a queue of several tenants', () => {
  const letters = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  let fresh = 0;
  /** Jobs of the tenant die, each of something new. @returns their groups */
  async function dieOfNew(queue: string, tenantId: string, most: number): Promise<string[]> {
    const groups: string[] = [];
    for (let left = most; left > 0; left -= 500) {
      const batch = Array.from({ length: Math.min(left, 500) }, () => `n${String(next++).padStart(6, '0')}`);
      await enqueueAll(
        world.broker,
        queue,
        batch.map((jobId) => ({ jobId, tenantId, jobType: 'demo', payload: '' })),
      );
      const claimed = await claimAll(world.broker, queue);
      await world.broker.fail(
        queue,
        claimed.map((job) => ({ ...job, failure: why(`It ended in ${letters(fresh++)}`) })),
      );
      const rows = await world.redis.hmget(world.column(queue, 'deaths'), ...batch);
      groups.push(...rows.map((row) => row?.split(' ')[3] ?? ''));
    }
    return groups;
  }
  const rows = async (queue: string) => (await raw(queue)).hash('groups');

  it('lets one tenant make a quarter of its groups; what others die of has groups of its own', async () => {
    const queue = world.freshQueue();
    const greedy = await dieOfNew(queue, 'greedy', 2_500);
    expect(new Set(greedy.slice(0, 500)).size).toBe(500);
    expect(new Set(greedy.slice(500)).size).toBe(1);
    expect((await rows(queue)).size).toBe(501);
    expect(await seen(queue, greedy.at(-1) ?? '')).toMatchObject({ total: 2_000 });
    for (const tenant of ['quiet', 'default']) {
      const groups = await dieOfNew(queue, tenant, 3);
      expect(new Set([...groups, greedy.at(-1)]).size).toBe(4);
      for (const group of groups) expect(await seen(queue, group)).toMatchObject({ total: 1 });
    }
    // A group that one tenant made is the group of all who die of the same.
    const [shared = ''] = greedy;
    await enqueueAll(world.broker, queue, [
      { jobId: 'same', tenantId: 'quiet', jobType: 'demo', payload: '' },
    ]);
    const [job] = await claimAll(world.broker, queue);
    if (job) await world.broker.fail(queue, [{ ...job, failure: why(`It ended in ${letters(0)}`) }]);
    expect(await groupOf(queue, 'same')).toBe(shared);
    expect(await found(queue)).toEqual([]);
  });

  it('leaves tenants a quarter, however many groups jobs without a tenant make', async () => {
    const queue = world.freshQueue();
    await dieOfNew(queue, 'default', 2_500);
    const [quiet = ''] = await dieOfNew(queue, 'quiet', 1);
    expect(await seen(queue, quiet)).toMatchObject({ total: 1 });
    expect(await found(queue)).toEqual([]);
  });

  it('gives the tenant room again as its groups go, also where an older version removed them', async () => {
    const queue = world.freshQueue();
    const own = await dieOfNew(queue, 'greedy', 500);
    const limits = world.column(queue, 'limits');
    expect(await world.redis.hget(limits, 'groups:greedy')).toBe('500');
    // Removed without a word to their owner.
    await world.redis.hdel(world.column(queue, 'groups'), ...own.slice(0, 100));
    for (let i = 0; i < 10; i++) await world.broker.maintain(queue);
    expect(await world.redis.hget(limits, 'groups:greedy')).toBe('400');
    // Of another tenant, so that the queue has enough groups for a look at shares.
    await dieOfNew(queue, 'quiet', 200);
    const again = await dieOfNew(queue, 'greedy', 1);
    expect((await rows(queue)).has(again[0] ?? '')).toBe(true);
    expect(await world.redis.hget(limits, 'groups:greedy')).toBe('401');

    await world.broker.purge(queue, [...(await raw(queue)).zset('dead').keys()].slice(0, 500), BY);
    world.clock.now += 31 * 24 * HOUR;
    for (let i = 0; i < 30; i++) {
      world.clock.now += 60_000;
      await world.broker.maintain(queue);
    }
    const left = await rows(queue);
    const owners = await world.redis.hgetall(limits);
    const owned = Object.keys(owners).filter((field) => field.startsWith('group:'));
    expect(owned.map((field) => field.slice('group:'.length)).sort()).toEqual([...left.keys()].sort());
    expect(Number(owners['groups:greedy'] ?? 0) + Number(owners['groups:quiet'] ?? 0)).toBe(left.size);
    expect(left.size).toBeLessThan(300);
    world.clock.now = START;
  });
});
