/** Many jobs at once: in one call, and in one tick. */
import { describe, expect, it } from 'vitest';
import { expectWithin } from '@/testing/time-limit';
import { claimAll, ids, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const ready = (queue: string) => world.redis.zcard(world.column(queue, 'ready'));

describe('jobs added in one tick', () => {
  it('stand in line in the order they were added, in however many scripts they went', async () => {
    const queue = world.freshQueue();
    const inputs = jobs(500);
    await Promise.all(inputs.map((input) => world.broker.enqueue(queue, input)));
    expect(ids(await claimAll(world.broker, queue))).toEqual(inputs.map(({ jobId }) => jobId));
  });

  it('have the bytes they were called with, whatever their caller writes there next', async () => {
    const queue = world.freshQueue();
    const bytes = Buffer.from('first');
    const first = world.broker.enqueue(queue, { jobType: 'demo', payload: bytes });
    bytes.write('later');
    const later = world.broker.enqueueMany(queue, [{ jobType: 'demo', payload: bytes }]);
    bytes.write('never');
    await Promise.all([first, later]);
    const payloads = (await claimAll(world.broker, queue)).map(({ payload }) => payload.toString());
    expect(payloads.sort()).toEqual(['first', 'later']);
  });
});

describe('a batch that Redis takes in part', () => {
  it.each([
    ['once', 'enqueueMany'],
    ['until it is in: what a full Redis refuses is not sent again', 'enqueueManyUntil'],
  ] as const)(
    'says how many are in and why, and is whole when it is sent again: sent %s',
    async (_, verb) => {
      const queue = world.freshQueue();
      const inputs = jobs(1_000).map((job) => ({ ...job, payload: 'x'.repeat(4_000) }));
      const used = Number(/used_memory:(\d+)/.exec(await world.redis.info('memory'))?.[1]);
      await world.redis.config('SET', 'maxmemory', used + 2_000_000);
      const startedAtMs = performance.now();
      const refusal = await world.broker[verb](queue, inputs).catch((error: unknown) => error);
      await expectWithin(performance.now() - startedAtMs, 3_000);
      await world.redis.config('SET', 'maxmemory', 0);
      const inside = await ready(queue);
      expect(inside).toBeGreaterThan(0);
      expect(inside).toBeLessThan(1_000);
      expect(refusal).toMatchObject({
        code: 'REDIS_FULL',
        message: `${inside} of 1000 jobs are enqueued; then: Redis has reached its memory limit and refused the write. Raise maxmemory or purge. Send the batch again with the same jobIds (or the same Idempotency-Key): those that are in are not entered twice.`,
      });
      const outcomes = (await world.broker.enqueueMany(queue, inputs)).map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(inside);
      expect(outcomes.filter((outcome) => outcome === 'ready')).toHaveLength(1_000 - inside);
      expect(await ready(queue)).toBe(1_000);
    },
  );
});

describe('half of a character', () => {
  it('is refused in a payload and in whatever else is stored as it is, by the name of its field', async () => {
    const queue = world.freshQueue();
    const half = 'a\ud800b';
    const refusal = (job: object) =>
      world.broker.enqueue(queue, { jobType: 'demo', ...job }).catch((error: Error) => error.message);
    expect(await refusal({ payload: half })).toMatch(/^job is not valid: payload: holds half of a character/);
    for (const field of ['jobId', 'jobType', 'tenantId', 'payloadRef', 'idempotencyKey', 'correlationId'])
      expect(await refusal({ [field]: half })).toMatch(new RegExp(`^job is not valid: ${field}: `));
    await expect(
      world.broker.enqueueMany(queue, [{ jobType: 'demo' }, { jobType: 'demo', payload: half }]),
    ).rejects.toMatchObject({ message: expect.stringContaining('jobs[1] is not valid: payload: ') });
    const by = { actor: 'ann' };
    await expect(world.broker.pause(queue, { reason: half }, by)).rejects.toMatchObject({
      code: 'VALIDATION',
    });
    expect(await ready(queue)).toBe(0);
    // Whole pairs, and bytes that are no text at all, are.
    await world.broker.enqueueMany(queue, [
      { jobType: 'demo', payload: '"😀"' },
      { jobType: 'demo', payload: Buffer.from([0xed, 0xa0, 0x80]) },
    ]);
    const payloads = (await claimAll(world.broker, queue)).map(({ payload }) => payload.toString('hex'));
    expect(payloads.sort()).toEqual(['22f09f988022', 'eda080']);
  });
});
