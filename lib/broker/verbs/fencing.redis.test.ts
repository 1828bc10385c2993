/** A claim that is over can change nothing, and is told so. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRaw } from '@/testing/invariants';
import {
  BY,
  CRASH,
  claimOne,
  enqueueAll,
  failure,
  jobs,
  openWorld,
  stateOf,
  type World,
} from '@/testing/world';
import type { ClaimedJob } from './claim';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

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
