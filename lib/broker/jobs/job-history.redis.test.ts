/** A job's history is short: what repeats must not push out what happened. */
import { expect, it } from 'vitest';
import { readRaw, violations } from '@/testing/model/invariants';
import { claimOne, enqueueAll, failure, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

const ID = 'j000000';
const lines = async (queue: string) => (await world.broker.inspect.job(queue, ID)).history;
const kinds = async (queue: string) => (await lines(queue)).map(({ kind }) => kind);
const failOnce = async (queue: string) => {
  const again = { ...failure('HTTP_503', 'retryable'), retryInMs: 0 };
  await world.broker.fail(queue, [{ ...(await claimOne(world.broker, queue)), failure: again }]);
};
/** As a worker does while the breaker of the job's type is open. */
const giveBack = async (queue: string, times: number) => {
  for (let i = 0; i < times; i++) {
    const job = await claimOne(world.broker, queue, `w${i}`);
    expect(await world.broker.release(queue, [{ ...job, delayMs: 100 }])).toEqual(['released']);
    world.clock.now += 100;
  }
};

it('of a job given back for hours keeps its failures, and one line that says when and how often', async () => {
  const queue = world.freshQueue();
  await enqueueAll(world.broker, queue, jobs(1, 0, { maxAttempts: 100 }));
  for (let i = 0; i < 3; i++) await failOnce(queue);
  await giveBack(queue, 60);
  expect(await kinds(queue)).toEqual(['failed', 'failed', 'failed', 'released']);
  const last = (await lines(queue)).at(-1);
  expect(last).toMatchObject({ at: world.clock.now - 100, delivery: 63, worker: 'w59' });
  await failOnce(queue);
  await giveBack(queue, 2);
  expect(await kinds(queue)).toEqual(['failed', 'failed', 'failed', 'released', 'failed', 'released']);
  expect((await lines(queue)).map(({ delivery }) => delivery)).toEqual([1, 2, 3, 63, 64, 66]);
});

it('is one line, too, where there was nothing but that, and where the reply to a claim was lost', async () => {
  const queue = world.freshQueue();
  await enqueueAll(world.broker, queue, jobs(1));
  await giveBack(queue, 3);
  expect(await kinds(queue)).toEqual(['released']);
  const nonce = 'lostreply1';
  await world.broker.claim(queue, { worker: 'w1', nonce });
  expect(await world.broker.abandon(queue, nonce)).toEqual(1);
  expect(await kinds(queue)).toEqual(['released']);
  const [line] = await lines(queue);
  expect(line).toMatchObject({ delivery: 4, worker: 'w1' });
});

it('keeps failures as long as they may be, within the bounds of a history', async () => {
  const queue = world.freshQueue();
  await enqueueAll(world.broker, queue, jobs(1, 0, { maxAttempts: 100 }));
  const long = { ...failure('LONG', 'retryable'), retryInMs: 0, stack: 'at nowhere '.repeat(2_000) };
  for (let i = 0; i < 8; i++)
    await world.broker.fail(queue, [{ ...(await claimOne(world.broker, queue)), failure: long }]);
  const before = await kinds(queue);
  await giveBack(queue, 1);
  expect(await kinds(queue)).toEqual([...before, 'released']);
  expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
});
