/** A claim that is over can change nothing, and is told so. */
import { describe, expect, it } from 'vitest';
import { createContext } from '@/lib/broker/redis/broker-context';
import { readRaw, violations } from '@/testing/model/invariants';
import {
  BY,
  CRASH,
  claimAll,
  claimOne,
  commandsFor,
  enqueueAll,
  failure,
  jobs,
  setUpWorld,
  stateOf,
} from '@/testing/worlds/world';
import { abandonInShard } from './claim-from-shard';
import type { ClaimedJob } from './claimed-job';

const KEY = 'KEY0AAAAAAAA';

const world = await setUpWorld();

const JOB = 'j000000';
type Call = (queue: string, job: ClaimedJob) => Promise<string[]>;
const CALLS: Record<string, Call> = {
  ack: (queue, job) => world.broker.ack(queue, [job]),
  fail: (queue, job) => world.broker.fail(queue, [{ ...job, failure: failure() }]),
  'fail, to be retried': (queue, job) =>
    world.broker.fail(queue, [{ ...job, failure: { ...failure('X', 'retryable'), retryInMs: 5 } }]),
  extend: (queue, job) => world.broker.extend(queue, [job], 60_000),
  release: (queue, job) => world.broker.release(queue, [job]),
};
type Loss = (queue: string) => Promise<unknown>;
const LOSSES: Record<string, Loss> = {
  'its lease ran out': async (queue) => {
    world.clock.now += 15_001;
    await world.broker.reclaim(queue);
  },
  'its worker was declared dead': (queue) => world.broker.reclaimWorker(queue, 'w1', CRASH),
  'the job was cancelled': (queue) => world.broker.cancel(queue, [JOB], BY),
  'another worker holds the job now': async (queue) => {
    world.clock.now += 15_001;
    await world.broker.reclaim(queue);
    await claimOne(world.broker, queue, 'w2');
  },
};
const CASES = Object.keys(CALLS).flatMap((call) => Object.keys(LOSSES).map((loss) => ({ call, loss })));

/** All that is stored of the queue but its event log. */
const everything = async (queue: string) => {
  const raw = await readRaw(world.redis, world.keys, queue);
  return (
    JSON.stringify(
      (['jobs', 'claims', 'attempts', 'history', 'counters', 'deaths', 'results'] as const).map((c) => [
        ...raw.hash(c),
      ]),
    ) + JSON.stringify([...raw.states].map(([state, index]) => [state, [...index]]))
  );
};

describe('B24: a stale claim', () => {
  it.each(CASES)('is refused by $call when $loss', async ({ call, loss }) => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1));
    const late = await claimOne(world.broker, queue);
    await LOSSES[loss]?.(queue);
    const before = await everything(queue);
    expect(await CALLS[call]?.(queue, late)).toEqual(['stale']);
    expect(await everything(queue)).toBe(before);
  });

  it.each(Object.keys(CALLS))('is refused by %s when its token was made up', async (call) => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1));
    const held = await claimOne(world.broker, queue);
    const before = await everything(queue);
    // A prefix and an extension of the true token are as wrong as any other.
    for (const token of [held.token.slice(0, -1), `${held.token}0`, '1-00000000']) {
      expect(await CALLS[call]?.(queue, { ...held, token })).toEqual(['stale']);
      expect(await everything(queue)).toBe(before);
    }
  });

  it('does not lose the lease for a worker that was only slow, until someone reclaims', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1));
    const slow = await claimOne(world.broker, queue);
    world.clock.now += 60_000;
    expect(await world.broker.ack(queue, [slow])).toEqual(['completed']);
  });
});

describe('a call that is sent again', () => {
  it.each([
    ['ack', 'completed', 'completed'],
    ['fail', 'dead', 'dead'],
    ['fail, to be retried', 'retry', 'retry'],
    ['release', 'released', 'ready'],
  ])('%s is answered as done, and done once', async (call, outcome, state) => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1));
    const job = await claimOne(world.broker, queue);
    expect(await CALLS[call]?.(queue, job)).toEqual([outcome]);
    const before = await everything(queue);
    expect(await CALLS[call]?.(queue, job)).toEqual(['already']);
    expect(await everything(queue)).toBe(before);
    expect(await stateOf(world.broker, queue, JOB)).toBe(state);
  });

  it('says which of two words for one claim was heard: the first', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(3));
    const [acked, failed, released] = [
      await claimOne(world.broker, queue),
      await claimOne(world.broker, queue),
      await claimOne(world.broker, queue),
    ];
    await CALLS.ack?.(queue, acked);
    await CALLS.fail?.(queue, failed);
    await CALLS.release?.(queue, released);
    for (const [job, heard] of [
      [acked, 'ack'],
      [failed, 'fail'],
      [released, 'release'],
    ] as const)
      for (const call of ['ack', 'fail', 'release'])
        expect(await CALLS[call]?.(queue, job), `${call} after ${heard}`).toEqual([
          call === heard ? 'already' : 'stale',
        ]);
  });

  it('counts a job named twice in one ack once', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(1));
    const job = await claimOne(world.broker, queue);
    expect(await world.broker.ack(queue, [job, job])).toEqual(['completed', 'already']);
    expect((await world.broker.inspect.snapshot([queue]))[0]?.totals.completed).toBe(1);
  });
});

describe('a claim call with a name', () => {
  it('M5: costs the same number of commands with 500 and with 5,000 jobs in flight, abandoned first', async () => {
    const queue = world.freshQueue();
    const cost = async (inFlight: number) => {
      const more = inFlight - (await world.redis.hlen(world.column(queue, 'claims')));
      await enqueueAll(world.broker, queue, jobs(more + 10, inFlight));
      await claimAll(world.broker, queue, { most: more, leaseMs: 600_000 });
      const resend = async () => {
        await world.broker.abandon(queue, KEY);
        await world.broker.claim(queue, { worker: 'w2', count: 3, nonce: KEY });
      };
      await resend();
      return commandsFor(world.redis, resend);
    };
    const few = await cost(500);
    expect(await cost(5_000)).toBe(few);
  });

  it('M5: is given back as a whole, when its name came twice as well; what ended meanwhile stays ended', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(6));
    const first = (await world.broker.claim(queue, { worker: 'w', count: 3, nonce: KEY })).jobs;
    const second = (await world.broker.claim(queue, { worker: 'w', count: 2, nonce: KEY })).jobs;
    const [done] = first;
    const other = await claimOne(world.broker, queue);
    if (!done) throw new Error('three were claimed');
    await world.broker.ack(queue, [done]);
    expect(await world.broker.abandon(queue, KEY)).toBe(4);
    expect(await world.broker.abandon(queue, KEY)).toBe(0);
    expect(await world.broker.ack(queue, [...first.slice(1), ...second])).toEqual(Array(4).fill('stale'));
    expect(await world.broker.ack(queue, [done, other])).toEqual(['already', 'completed']);
    expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
  });

  it('M5: is given back alone where its tokens are known, and leaves the jobs of other calls of the name with them', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(6));
    const call = async (count: number) =>
      (await world.broker.claim(queue, { worker: 'w', count, nonce: KEY })).jobs;
    const [first, second, third] = [await call(1), await call(2), await call(1)];
    const ctx = createContext({ url: world.server.path, clock: () => world.clock.now });
    const only = second[0]?.token.split('-')[1];
    expect(await abandonInShard(ctx, queue, KEY, { only: '0123456789ABCDEF' })).toBe(0);
    expect(await abandonInShard(ctx, queue, KEY, { only })).toBe(2);
    expect(await abandonInShard(ctx, queue, KEY, { only })).toBe(0);
    expect(await world.broker.ack(queue, [...second, ...first])).toEqual(['stale', 'stale', 'completed']);
    expect(await world.broker.abandon(queue, KEY)).toBe(1);
    expect(await world.broker.ack(queue, third)).toEqual(['stale']);
    ctx.close();
    expect(await world.redis.exists(world.column(queue, 'calls'), world.column(queue, 'callEnds'))).toBe(0);
    expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
  });

  it('M5: is forgotten when its leases are over, by maintenance or by the next such call; at most 10,000 are known', async () => {
    const queue = world.freshQueue();
    await enqueueAll(world.broker, queue, jobs(4));
    const known = () => world.redis.hkeys(world.column(queue, 'calls'));
    await world.broker.claim(queue, { worker: 'w', nonce: KEY, leaseMs: 1_000 });
    world.clock.now += 1_001;
    await world.broker.claim(queue, { worker: 'w', nonce: `${KEY}2`, leaseMs: 1_000 });
    expect(await known()).toEqual([`${KEY}2`]);
    world.clock.now += 1_001;
    await world.broker.maintain(queue);
    expect(await known()).toEqual([]);
    const far = world.clock.now + 60_000;
    const names = Array.from({ length: 10_000 }, (_, i) => `NAME${String(i).padStart(6, '0')}`);
    await world.redis.hset(world.column(queue, 'calls'), ...names.flatMap((name) => [name, 'NONCE|job']));
    await world.redis.zadd(world.column(queue, 'callEnds'), ...names.flatMap((name) => [far, name]));
    await world.broker.claim(queue, { worker: 'w', nonce: KEY, leaseMs: 120_000 });
    expect((await known()).length).toBe(10_000);
    expect(await known()).toContain(KEY);
  });

  it('likely row 4: gets tokens that never repeat, though the name and the job id come again', async () => {
    const queue = world.freshQueue();
    await world.broker.config.change(queue, { completedKeep: 0 }, BY);
    const tokens = new Set<string>();
    for (let life = 0; life < 3; life++) {
      await enqueueAll(world.broker, queue, jobs(1));
      await world.broker.abandon(queue, KEY);
      const [job] = (await world.broker.claim(queue, { worker: 'w', nonce: KEY })).jobs;
      if (!job) throw new Error('one was ready');
      expect(tokens.has(job.token)).toBe(false);
      tokens.add(job.token);
      await world.broker.ack(queue, [job]);
      // Beyond all that is remembered of finished jobs.
      for (let i = 0; i < 2; i++) {
        world.clock.now += 3_600_000;
        await world.broker.maintain(queue);
      }
    }
    expect(tokens.size).toBe(3);
  });
});
