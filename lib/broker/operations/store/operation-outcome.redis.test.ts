/** What became of jobs that an operation had put back: each told to it once, whichever way it ended, and to no other. */
import { describe, expect, it } from 'vitest';
import { deathOf, OUTCOMES_MAX } from '@/testing/model/dead-invariants';
import { readRaw, violations } from '@/testing/model/invariants';
import {
  BY,
  CRASH,
  claimAll,
  claimOne,
  enqueueAll,
  failure,
  jobs,
  killAll,
  setUpWorld,
  type World,
} from '@/testing/worlds/world';

const world = await setUpWorld();

const found = async (queue: string) => violations(await readRaw(world.redis, world.keys, queue));
const column = (queue: string, name: Parameters<World['column']>[1]) => world.column(queue, name);
const names = (count: number, from = 0) => jobs(count, from).map((job) => job.jobId ?? '');
const outcome = (queue: string, op = 'op-1') =>
  world.redis.hget(column(queue, 'operations'), `${op} outcome`);
const drivenOf = async (queue: string) => (await readRaw(world.redis, world.keys, queue)).hash('redriven');

/** A queue whose operation has put so many dead jobs back, as its mover leaves them. */
async function driven(count: number, { op = 'op-1', known = true } = {}): Promise<string> {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(count, 0, { maxAttempts: 5 }));
  expect(await world.broker.redrive(queue, names(count), BY)).toEqual(Array(count).fill('ok'));
  if (known) await world.redis.hset(column(queue, 'operations'), op, 'running');
  await world.redis.hset(column(queue, 'redriven'), ...names(count).flatMap((id) => [id, op]));
  return queue;
}

describe('a job that an operation had put back', () => {
  it('is completed, by an ack or in an exchange, and remembered as such', async () => {
    const queue = await driven(3);
    const taken = await claimAll(world.broker, queue);
    world.clock.now += 5;
    await world.broker.ack(queue, taken.slice(0, 1));
    await world.broker.ack(queue, taken.slice(0, 1));
    await world.broker.exchange(queue, taken.slice(1), { worker: 'w1', count: 1 });
    expect(await outcome(queue)).toBe('3 0 0 0');
    expect(await world.redis.zrange(column(queue, 'outcomes'), '0', '-1', 'WITHSCORES')).toEqual(
      names(3).flatMap((id) => [`op-1|${id}`, String(world.clock.now)]),
    );
    expect((await drivenOf(queue)).size).toBe(0);
    expect(await found(queue)).toEqual([]);
  });

  it('dies again: by failure groups, and its death names the operation', async () => {
    const queue = await driven(5);
    const taken = await claimAll(world.broker, queue);
    await world.broker.fail(queue, [
      ...taken.slice(0, 2).map((job) => ({ ...job, failure: failure('A') })),
      ...taken.slice(2, 3).map((job) => ({ ...job, failure: failure('B') })),
    ]);
    const deaths = await world.redis.hmget(column(queue, 'deaths'), ...names(3));
    const [a, , b] = deaths.map((row) => deathOf(row ?? ''));
    expect([a?.operation, b?.operation]).toEqual(['op-1', 'op-1']);
    const counted = await outcome(queue);
    expect(counted?.split(' ').slice(0, 4)).toEqual(['0', '3', '0', '0']);
    expect(new Set(counted?.split(' ').slice(4))).toEqual(new Set([`${a?.group}=2`, `${b?.group}=1`]));
    // Again, by hand this time: that is no business of the operation's.
    await world.broker.redrive(queue, names(1), BY);
    await world.broker.fail(queue, [{ ...(await claimOne(world.broker, queue)), failure: failure('A') }]);
    expect(await outcome(queue)).toBe(counted);
    expect(deathOf((await world.redis.hget(column(queue, 'deaths'), 'j000000')) ?? '')?.operation).toBe('-');
    // With its worker, as well.
    for (let loss = 0; loss < 5; loss++) {
      await claimAll(world.broker, queue, { worker: 'w9' });
      await world.broker.reclaimWorker(queue, 'w1', CRASH);
      await world.broker.reclaimWorker(queue, 'w9', CRASH);
    }
    expect((await outcome(queue))?.split(' ').slice(0, 4)).toEqual(['0', '5', '0', '0']);
    expect(await found(queue)).toEqual([]);
  });

  it('is not done while it waits for another attempt, was given back, or lost its lease', async () => {
    const queue = await driven(3);
    const [retried, released] = await claimAll(world.broker, queue);
    if (!retried || !released) throw new Error('three were there');
    const later = { ...failure('X', 'retryable'), retryInMs: 1_000 };
    await world.broker.fail(queue, [{ ...retried, failure: later }]);
    await world.broker.release(queue, [released]);
    world.clock.now += 60_000;
    await world.broker.reclaim(queue);
    await world.broker.pause(queue, { scope: 'type:demo', reason: 'a test' }, BY);
    await world.broker.claim(queue, { worker: 'w1' });
    expect((await drivenOf(queue)).size).toBe(3);
    expect(await outcome(queue)).toBeNull();
    await world.broker.resume(queue, 'type:demo', BY);
    const taken = await claimAll(world.broker, queue);
    await world.broker.ack(queue, taken);
    expect(await outcome(queue)).toBe('3 0 0 0');
    expect(await found(queue)).toEqual([]);
  });

  it('is cancelled: recalled, and its death is no operation’s', async () => {
    const queue = await driven(2);
    await claimAll(world.broker, queue, { most: 1 });
    await world.broker.cancel(queue, names(2), BY);
    expect(await outcome(queue)).toBe('0 0 2 0');
    expect(deathOf((await world.redis.hget(column(queue, 'deaths'), 'j000000')) ?? '')?.operation).toBe('-');
    expect(await found(queue)).toEqual([]);
  });

  it('is deleted, or found to have no row any more', async () => {
    const queue = await driven(4);
    await world.broker.remove(queue, ['j000000'], BY);
    await world.redis.hdel(column(queue, 'jobs'), 'j000001');
    const held = await claimAll(world.broker, queue);
    await world.redis.hdel(column(queue, 'jobs'), 'j000002', 'j000003');
    const [failed] = held;
    if (!failed) throw new Error('two were there');
    await world.broker.fail(queue, [{ ...failed, failure: failure() }]);
    world.clock.now += 60_000;
    await world.broker.reclaim(queue);
    expect(await outcome(queue)).toBe('0 0 0 4');
    expect((await drivenOf(queue)).size).toBe(0);
  });

  it('dies of its deadline while it waits', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1, 0, { deadline: world.clock.now + 50_000 }));
    await world.broker.fail(queue, [{ ...(await claimOne(world.broker, queue)), failure: failure() }]);
    await world.broker.redrive(queue, names(1), BY);
    await world.redis.hset(column(queue, 'operations'), 'op-1', 'running');
    await world.redis.hset(column(queue, 'redriven'), 'j000000', 'op-1');
    world.clock.now += 50_000;
    await world.broker.claim(queue, { worker: 'w1' });
    expect(await outcome(queue)).toMatch(/^0 1 0 0 [0-9a-f]{12}=1$/);
  });

  it('by an operation that is forgotten counts for nobody, and leaves nothing behind', async () => {
    const queue = await driven(2, { known: false });
    const [one, other] = await claimAll(world.broker, queue);
    if (!one || !other) throw new Error('two were there');
    await world.broker.ack(queue, [one]);
    await world.broker.fail(queue, [{ ...other, failure: failure() }]);
    expect(
      await world.redis.exists(
        column(queue, 'operations'),
        column(queue, 'outcomes'),
        column(queue, 'redriven'),
      ),
    ).toBe(0);
  });
});

describe('an operation', () => {
  it('names twenty groups of those that died again, and the rest together', async () => {
    const queue = await driven(60);
    const taken = await claimAll(world.broker, queue);
    for (let i = 0; i < 60; i += 20)
      await world.broker.fail(
        queue,
        taken.slice(i, i + 20).map((job, k) => ({ ...job, failure: failure(`CODE_${(i + k) % 30}`) })),
      );
    const [, died, , , ...groups] = (await outcome(queue))?.split(' ') ?? [];
    expect(died).toBe('60');
    expect(groups).toHaveLength(21);
    expect(groups.filter((group) => group.startsWith('other='))).toHaveLength(1);
    expect(groups.reduce((sum, group) => sum + Number(group.split('=')[1]), 0)).toBe(60);
    expect(await found(queue)).toEqual([]);
  });

  it('counts its own, beside another', async () => {
    const queue = await driven(5);
    await world.redis.hset(column(queue, 'operations'), 'op-2', 'running');
    await world.redis.hset(column(queue, 'redriven'), ...names(3, 2).flatMap((id) => [id, 'op-2']));
    await world.broker.ack(queue, await claimAll(world.broker, queue));
    expect([await outcome(queue), await outcome(queue, 'op-2')]).toEqual(['2 0 0 0', '3 0 0 0']);
  });

  it('remembers the newest ten thousand that were completed', async () => {
    const queue = await driven(20);
    for (let i = 0; i < OUTCOMES_MAX; i += 1_000)
      await world.redis.zadd(
        column(queue, 'outcomes'),
        ...Array.from({ length: 1_000 }, (_, k) => [i + k, `op-0|old${i + k}`]).flat(),
      );
    await world.broker.ack(queue, await claimAll(world.broker, queue));
    expect(await world.redis.zcard(column(queue, 'outcomes'))).toBe(OUTCOMES_MAX);
    expect(await world.redis.zcount(column(queue, 'outcomes'), world.clock.now, '+inf')).toBe(20);
    expect(await world.redis.zscore(column(queue, 'outcomes'), 'op-0|old19')).toBeNull();
  });
});

it('what lost its rows is found by maintenance, and its end told', async () => {
  const queue = await driven(6);
  const taken = await claimAll(world.broker, queue, { most: 3 });
  // One completed, but nobody knew that it had been put back; one gone with its row and its place.
  await world.redis.hdel(column(queue, 'redriven'), 'j000000');
  await world.broker.ack(queue, taken.slice(0, 1));
  await world.redis.hset(column(queue, 'redriven'), 'j000000', 'op-1', 'nobody', 'op-1');
  await world.broker.maintain(queue);
  expect(await outcome(queue)).toBe('1 0 0 1');
  expect([...(await drivenOf(queue)).keys()].sort()).toEqual(names(5, 1));
  // Its place in line lost, it is dead, and that is how it ended.
  await world.redis.del(column(queue, 'ready'), column(queue, 'waiting'));
  await world.broker.maintain(queue);
  expect(await outcome(queue)).toMatch(/^1 3 0 1 [0-9a-f]{12}=3$/);
  expect(await found(queue)).toEqual([]);
});
