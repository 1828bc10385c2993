/** The ways a job can go wrong, and how each of them ends. */
import { describe, expect, it } from 'vitest';
import { ERROR_CLASSES, isRetryable } from '@/lib/contract/jobs/error-classes';
import { HISTORY_MAX_BYTES, HISTORY_MAX_LINES, readRaw } from '@/testing/model/invariants';
import { BY, CRASH, claimAll, claimOne, enqueueAll, jobs, setUpWorld, stateOf } from '@/testing/worlds/world';

const world = await setUpWorld();

const JOB = 'j000000';
const fault = (retryInMs: number) =>
  ({ errorClass: 'retryable', errorCode: 'HTTP_503', message: 'down', retryInMs }) as const;
const detail = (queue: string, id = JOB) => world.broker.inspect.job(queue, id);

describe('retry', () => {
  it('goes on until the attempts are used up, and keeps each failure on record', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1, 0, { maxAttempts: 3 }));
    for (const [attempt, outcome] of [
      [1, 'retry'],
      [2, 'retry'],
      [3, 'dead'],
    ] as const) {
      const job = await claimOne(world.broker, queue, `w${attempt}`);
      expect([job.attempt, job.delivery]).toEqual([attempt, attempt]);
      expect(await world.broker.fail(queue, [{ ...job, failure: fault(1_000) }])).toEqual([outcome]);
      world.clock.now += 1_000;
    }
    const { state, history, attempt, deliveries } = await detail(queue);
    expect([state, attempt, deliveries]).toEqual(['dead', 3, 3]);
    expect(
      history.map((line) => [line.kind, line.worker, line.errorClass, line.errorCode, line.message]),
    ).toEqual([
      ['failed', 'w1', 'retryable', 'HTTP_503', 'down'],
      ['failed', 'w2', 'retryable', 'HTTP_503', 'down'],
      ['dead', 'w3', 'retryable', 'HTTP_503', 'down'],
    ]);
  });

  it('comes neither a millisecond early nor late', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1));
    await world.broker.fail(queue, [{ ...(await claimOne(world.broker, queue)), failure: fault(500) }]);
    const early = await world.broker.claim(queue, { worker: 'w1' });
    expect([early.jobs.length, early.nextAt]).toEqual([0, world.clock.now + 500]);
    world.clock.now += 499;
    expect((await world.broker.claim(queue, { worker: 'w1' })).jobs).toEqual([]);
    world.clock.now += 1;
    expect((await world.broker.claim(queue, { worker: 'w1' })).jobs).toHaveLength(1);
  });

  it.each(ERROR_CLASSES)('is given to class %s only if another attempt may help', async (errorClass) => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1));
    const failure = { errorClass, errorCode: 'X', message: '' };
    const [outcome] = await world.broker.fail(queue, [{ ...(await claimOne(world.broker, queue)), failure }]);
    expect(outcome).toBe(isRetryable(errorClass) ? 'retry' : 'dead');
  });
});

describe('deadline', () => {
  it('kills at the claim what waited too long', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(2, 0, { deadline: world.clock.now + 100 }));
    expect(await claimAll(world.broker, queue, { most: 1 })).toHaveLength(1);
    world.clock.now += 100;
    expect(await claimAll(world.broker, queue)).toEqual([]);
    const late = await detail(queue, 'j000001');
    expect([late.state, late.deliveries, late.history.at(-1)?.errorClass]).toEqual(['dead', 0, 'deadline']);
  });

  it('kills instead of a retry that would come after it', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(2, 0, { deadline: world.clock.now + 1_000 }));
    const [just, beyond] = await claimAll(world.broker, queue);
    if (!just || !beyond) throw new Error('two jobs were there');
    expect(
      await world.broker.fail(queue, [
        { ...just, failure: fault(1_000) },
        { ...beyond, failure: fault(1_001) },
      ]),
    ).toEqual(['retry', 'dead']);
    expect((await detail(queue, 'j000001')).history.at(-1)?.errorClass).toBe('deadline');
  });

  it('is no way back: what is past it is not re-driven', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1, 0, { deadline: world.clock.now + 10 }));
    world.clock.now += 10;
    await world.broker.claim(queue, { worker: 'w1' });
    expect(await world.broker.redrive(queue, [JOB], BY)).toEqual(['deadline-passed']);
    expect(await stateOf(world.broker, queue, JOB)).toBe('dead');
  });
});

describe('poison', () => {
  it('is dead as a crash after maxDeliveries lost leases, and history says who and when', async () => {
    const queue = world.freshQueue();
    await world.redis.hset(world.column(queue, 'config'), 'maxDeliveries', '3');
    await enqueueAll(world.broker, queue, jobs(1, 0, { maxAttempts: 50 }));
    const lostAt: number[] = [];
    for (let loss = 1; loss <= 3; loss++) {
      await claimOne(world.broker, queue, `w${loss}`);
      world.clock.now += 15_000;
      lostAt.push(world.clock.now);
      expect(await world.broker.reclaim(queue)).toEqual(
        loss < 3 ? { returned: 1, died: 0 } : { returned: 0, died: 1 },
      );
    }
    const job = await detail(queue);
    expect([job.state, job.leaseLosses, job.deliveries]).toEqual(['dead', 3, 3]);
    expect(job.history.map((line) => [line.kind, line.worker, line.at, line.errorClass])).toEqual([
      ['lost', 'w1', lostAt[0], 'crash'],
      ['lost', 'w2', lostAt[1], 'crash'],
      ['lost', 'w3', lostAt[2], 'crash'],
      ['dead', 'w3', lostAt[2], 'crash'],
    ]);
    expect((await world.broker.inspect.search({ state: 'dead', q: 'class:crash', queue })).jobs).toHaveLength(
      1,
    );
  });

  it('is not what is retried honestly: lost leases alone count', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1, 0, { maxAttempts: 20 }));
    for (let run = 0; run < 10; run++)
      await world.broker.fail(queue, [{ ...(await claimOne(world.broker, queue)), failure: fault(0) }]);
    expect(await stateOf(world.broker, queue, JOB)).toBe('retry');
  });

  it('starts anew after a re-drive', async () => {
    const queue = world.freshQueue();
    await world.redis.hset(world.column(queue, 'config'), 'maxDeliveries', '1');
    await enqueueAll(world.broker, queue, jobs(1));
    await claimOne(world.broker, queue);
    expect(await world.broker.reclaimWorker(queue, 'w1', CRASH)).toEqual({
      returned: 0,
      died: 1,
      jobIds: [JOB],
    });
    await world.broker.redrive(queue, [JOB], BY);
    const again = await claimOne(world.broker, queue);
    expect([again.attempt, again.delivery]).toEqual([1, 2]);
    expect(await world.broker.ack(queue, [again])).toEqual(['completed']);
  });
});

describe('history', () => {
  it.each([
    ['plain text', 'x'],
    ['control characters', '\0'],
    ['lone surrogates', '\ud800'],
    ['quotes', '"\\'],
    ['four-byte letters', '😀'],
  ])('stays bounded under endless failures full of %s', async (_, letter) => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1, 0, { maxAttempts: 100 }));
    const failure = { ...fault(0), message: letter.repeat(5_000), stack: letter.repeat(20_000) };
    for (let run = 0; run < 25; run++) {
      await world.broker.fail(queue, [{ ...(await claimOne(world.broker, queue)), failure }]);
      const log = (await readRaw(world.redis, world.keys, queue)).hash('history').get(JOB) ?? '';
      expect(log.length).toBeLessThanOrEqual(HISTORY_MAX_BYTES);
      expect(log.split('\n').length).toBeLessThanOrEqual(HISTORY_MAX_LINES);
    }
    expect((await detail(queue)).history.at(-1)?.message).toContain(letter);
  });
});

describe('a stored row that cannot be read', () => {
  it.each([
    ['no line of ours', 'garbage'],
    ['an envelope whose second line is no JSON', '1 0 8 0 0 a 1 default\nnot json\n{}'],
  ])('goes to the dead-letter queue as malformed, and the others still run (%s)', async (_, row) => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(3));
    await world.redis.hset(world.column(queue, 'jobs'), JOB, row);
    const { jobs: claimed } = await world.broker.claim(queue, { worker: 'w1', count: 3 });
    expect(claimed.map((job) => job.jobId)).toEqual(['j000001', 'j000002']);
    expect(await stateOf(world.broker, queue, JOB)).toBe('dead');
    const { jobs: dead } = await world.broker.inspect.search({ state: 'dead', q: '', queue });
    expect(dead).toMatchObject([{ jobId: JOB, errorClass: 'malformed', errorCode: 'ROW_UNREADABLE' }]);
    expect((await world.broker.inspect.ledger(queue)).difference).toBe(0);
  });
});

describe('a claims row that cannot be read', () => {
  it('costs its job a lost lease, and its neighbours nothing', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(3));
    const claimed = await claimAll(world.broker, queue);
    await world.redis.hset(world.column(queue, 'claims'), JOB, 'garbage');
    expect(await world.broker.reclaimWorker(queue, 'nobody', CRASH)).toMatchObject({ returned: 0 });
    expect(await world.broker.abandon(queue, 'ABCDEFGHJK')).toBe(0);
    expect(await world.broker.ack(queue, [{ ...(claimed[0] ?? { jobId: '', token: '' }) }])).toEqual([
      'stale',
    ]);
    world.clock.now += 3_600_000;
    expect(await world.broker.reclaim(queue)).toEqual({ returned: 3, died: 0 });
    expect(await world.broker.inspect.ledger(queue)).toMatchObject({ difference: 0, strayRows: 0 });
  });
});
