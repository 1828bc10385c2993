/** Unique jobs: at most one with a key at a time, for as long as its scope says; the key belongs to its owner alone. */
import { describe, expect, it } from 'vitest';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import { BY, CRASH, claimOne, failure, setUpWorld, stateOf } from '@/testing/worlds/world';

const world = await setUpWorld();

const job = (
  jobId: string,
  scope: 'claimed' | 'done' | 'window',
  rest: Partial<EnqueueInput> = {},
): EnqueueInput => ({ jobId, jobType: 'demo', unique: { key: 'k', scope, ttlMs: 60_000 }, ...rest });
const add = async (queue: string, input: EnqueueInput) => (await world.broker.enqueueMany(queue, [input]))[0];
const refusedFor = (ownerId: string) => ({ outcome: 'not-unique', ownerId });
const keys = async (queue: string) => Object.keys(await world.redis.hgetall(world.column(queue, 'unique')));

describe('a uniqueness key', () => {
  it('until claimed: free once the job is handed out', async () => {
    const queue = world.freshQueue();
    expect(await add(queue, job('a', 'claimed'))).toMatchObject({ outcome: 'ready' });
    expect(await add(queue, job('b', 'claimed'))).toMatchObject(refusedFor('a'));
    const a = await claimOne(world.broker, queue);
    expect(await add(queue, job('c', 'claimed'))).toMatchObject({ outcome: 'ready' });
    await world.broker.ack(queue, [a]);
    expect(await add(queue, job('d', 'claimed')), 'the end of a does not free what c took').toMatchObject(
      refusedFor('c'),
    );
  });

  it('until done: kept through retries, crashes and delays; free when completed, dead, cancelled or deleted', async () => {
    const queue = world.freshQueue();
    const ends: [string, (id: string) => Promise<unknown>][] = [
      ['completed', async () => world.broker.ack(queue, [await claimOne(world.broker, queue)])],
      [
        'dead',
        async () =>
          world.broker.fail(queue, [{ ...(await claimOne(world.broker, queue)), failure: failure() }]),
      ],
      ['cancelled', (id) => world.broker.cancel(queue, [id], BY)],
      ['deleted', (id) => world.broker.remove(queue, [id])],
    ];
    for (const [how, end] of ends) {
      expect(await add(queue, job(how, 'done', { delayMs: 10 })), how).toMatchObject({
        outcome: 'scheduled',
      });
      world.clock.now += 10;
      const first = await claimOne(world.broker, queue);
      await world.broker.fail(queue, [
        { ...first, failure: { ...failure('HTTP_503', 'retryable'), retryInMs: 5 } },
      ]);
      expect(await add(queue, job('x', 'done'))).toMatchObject(refusedFor(how));
      world.clock.now += 5;
      await claimOne(world.broker, queue, 'w2');
      await world.broker.reclaimWorker(queue, 'w2', CRASH);
      expect(await add(queue, job('x', 'done'))).toMatchObject(refusedFor(how));
      await end(how);
      expect(await keys(queue), how).toEqual([]);
    }
  });

  it('for a window: taken until the time is over, whatever becomes of the job', async () => {
    const queue = world.freshQueue();
    await add(queue, job('a', 'window'));
    await world.broker.ack(queue, [await claimOne(world.broker, queue)]);
    expect(await add(queue, job('b', 'window'))).toMatchObject(refusedFor('a'));
    world.clock.now += 59_999;
    expect(await add(queue, job('b', 'window'))).toMatchObject(refusedFor('a'));
    world.clock.now += 1;
    expect(await add(queue, job('b', 'window'))).toMatchObject({ outcome: 'ready' });
    world.clock.now += 60_000;
    await world.broker.maintain(queue);
    expect(await keys(queue), 'forgotten when it ran out').toEqual([]);
    expect(await world.redis.zcard(world.column(queue, 'uniqueUntil'))).toBe(0);
  });

  it('that ran out may be taken by another, and its first owner does not free it', async () => {
    const queue = world.freshQueue();
    await add(queue, job('a', 'done'));
    world.clock.now += 60_000;
    expect(await add(queue, job('b', 'done'))).toMatchObject({ outcome: 'ready' });
    await world.broker.ack(queue, [await claimOne(world.broker, queue)]);
    expect(await stateOf(world.broker, queue, 'a')).toBe('completed');
    expect(await add(queue, job('c', 'done'))).toMatchObject(refusedFor('b'));
  });

  it('B35: a conflict of ids takes no key, and a resend is a duplicate, not a refusal', async () => {
    const queue = world.freshQueue();
    await world.broker.enqueue(queue, { jobId: 'a', jobType: 'demo' });
    expect(await add(queue, job('a', 'done'))).toMatchObject({ outcome: 'conflict' });
    expect(await keys(queue)).toEqual([]);
    await add(queue, job('b', 'done'));
    expect(await add(queue, job('b', 'done'))).toMatchObject({ outcome: 'duplicate' });
    expect(await keys(queue)).toEqual(['k']);
  });

  it('of a dead job that is re-driven is taken again, or the re-drive is refused', async () => {
    const queue = world.freshQueue();
    await add(queue, job('a', 'done'));
    await world.broker.fail(queue, [{ ...(await claimOne(world.broker, queue)), failure: failure() }]);
    await add(queue, job('b', 'done'));
    expect(await world.broker.redrive(queue, ['a'], BY)).toEqual(['not-unique']);
    expect(await stateOf(world.broker, queue, 'a')).toBe('dead');
    await world.broker.ack(queue, [await claimOne(world.broker, queue)]);
    expect(await world.broker.redrive(queue, ['a'], BY)).toEqual(['ok']);
    expect(await add(queue, job('c', 'done'))).toMatchObject(refusedFor('a'));
  });

  it('in one batch the first takes it; alone, the refusal is an error that names the owner', async () => {
    const queue = world.freshQueue();
    const many = await world.broker.enqueueMany(queue, [job('a', 'done'), job('b', 'done')]);
    expect(many).toEqual([
      { jobId: 'a', outcome: 'ready' },
      { jobId: 'b', outcome: 'not-unique', ownerId: 'a' },
    ]);
    await expect(world.broker.enqueue(queue, job('c', 'done'))).rejects.toMatchObject({
      code: 'NOT_UNIQUE',
      message: expect.stringContaining('The job a'),
    });
    expect((await world.broker.inspect.job(queue, 'a')).envelope.unique).toEqual({ key: 'k', scope: 'done' });
  });

  it('many producers at once: one gets in', async () => {
    const queue = world.freshQueue();
    const brokers = Array.from({ length: 5 }, () => world.another());
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        brokers[i % 5]?.enqueueMany(queue, [job(`p${i}`, 'done')]).then(([r]) => r?.outcome),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'ready')).toHaveLength(1);
  });
});
