/** Single calls of one tick share a script, and each gets its own answer. */
import { expect, it } from 'vitest';
import { ids, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

async function scriptsOf(run: () => Promise<unknown>): Promise<number> {
  const calls = async () =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await world.redis.info('commandstats'))?.[1] ?? 0);
  const before = await calls();
  await run();
  return (await calls()) - before;
}

it('claims of one worker get as many jobs as each asked for, in order, and the last ones what is left', async () => {
  const queue = world.freshQueue();
  await world.broker.enqueueMany(queue, jobs(10));
  const claim = (worker: string, count: number) => world.broker.claim(queue, { worker, count });
  await claim('w', 1);
  let taken: string[][] = [];
  const scripts = await scriptsOf(async () => {
    const claims = [claim('w', 1), claim('w', 2), claim('w', 3), claim('w', 4), claim('other', 1)];
    taken = (await Promise.all(claims)).map((result) => ids(result.jobs));
  });
  // Leases have the name of their worker. The other one's finds the queue empty.
  expect(scripts).toBe(2);
  expect(taken.map(({ length }) => length)).toEqual([1, 2, 3, 3, 0]);
  expect(new Set(taken.flat()).size).toBe(9);
});

it('a queue that is drained as fast as it fills takes one script a turn', async () => {
  const queue = world.freshQueue();
  let acks: { jobId: string; token: string }[] = [];
  const turn = async () => {
    const { acked, claimed } = await world.broker.exchange(queue, acks, { worker: 'w', count: 2 });
    expect(acked).toEqual(acks.map(() => 'completed'));
    acks = claimed.jobs.map(({ jobId, token }) => ({ jobId, token }));
    return acks.length;
  };
  const taken: number[] = [];
  const scripts = await scriptsOf(async () => {
    for (const job of jobs(3)) {
      await world.broker.enqueue(queue, job);
      taken.push(await turn(), await turn());
    }
    taken.push((await world.broker.claim(queue, { worker: 'w', count: 2 })).jobs.length);
  });
  expect(taken).toEqual([1, 0, 1, 0, 1, 0, 0]);
  expect(scripts).toBe(3 + taken.length);
});

it('acks of one job each get the outcome of their own claim', async () => {
  const queue = world.freshQueue();
  await world.broker.enqueueMany(queue, jobs(4));
  const { jobs: claimed } = await world.broker.claim(queue, { worker: 'w', count: 4 });
  const ack = async (at: number, token = claimed[at]?.token ?? '') =>
    (await world.broker.ack(queue, [{ jobId: claimed[at]?.jobId ?? '', token }]))[0];
  await ack(0);
  let outcomes: (string | undefined)[] = [];
  const scripts = await scriptsOf(async () => {
    outcomes = await Promise.all([ack(1), ack(2), ack(2), ack(0), ack(3, '1-AAAAAAAAAAAAAAAA')]);
  });
  expect(scripts).toBe(1);
  expect(outcomes).toEqual(['completed', 'completed', 'already', 'already', 'stale']);
});

it('a call that is wrong fails alone', async () => {
  const queue = world.freshQueue();
  await world.broker.enqueueMany(queue, jobs(3));
  const { jobs: claimed } = await world.broker.claim(queue, { worker: 'w', count: 3 });
  const acks = [...claimed.map(({ jobId, token }) => ({ jobId, token })), { jobId: 'a b', token: 'x' }];
  const ends = await Promise.allSettled(acks.map((item) => world.broker.ack(queue, [item])));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
});
