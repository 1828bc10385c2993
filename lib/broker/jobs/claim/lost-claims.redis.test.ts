/** A claim from a sharded queue whose reply was lost: its jobs go back, and nobody else's do, whoever took them under the same name. */
import { expect, it } from 'vitest';
import type { Broker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { shardedQueue } from '@/testing/worlds/sharded-queues';
import { claimAll, enqueueAll, ids, impatient, jobs, setUpWorld } from '@/testing/worlds/world';

const KEY = 'KEY0AAAAAAAA';

const world = await setUpWorld();

const named = (broker: Broker, queue: string) => broker.claim(queue, { worker: 'w', count: 20, nonce: KEY });

/** A sharded queue whose 20 jobs a process took with a call of that name, and never heard of. */
async function lostClaim() {
  const made = await shardedQueue(world, { count: 2 });
  const { queue } = made;
  // Redis knows the scripts then, so that one frozen takes the jobs when it goes on.
  await enqueueAll(world.broker, queue, jobs(20, 100));
  await world.broker.ack(queue, (await named(world.broker, queue)).jobs);
  await enqueueAll(world.broker, queue, jobs(20));
  const one = world.another({ redis: impatient(world.server.path, 150) });
  await until(() => one.inspect.snapshot([queue]), { what: 'the shards to be known' });
  await one.abandon(queue, KEY);
  await world.server.kill('SIGSTOP');
  const outcome = await named(one, queue).catch((error: unknown) => error);
  await world.server.kill('SIGCONT');
  expect(outcome).toMatchObject({ code: 'UNKNOWN_OUTCOME' });
  const { counts } = (await world.broker.inspect.snapshot([queue]))[0] ?? {};
  expect(counts).toMatchObject({ ready: 0, 'in-flight': 20 });
  return { ...made, one };
}

it('M5: leaves the jobs that another process handed out to the same name meanwhile with their worker', async () => {
  const { queue, one, sound } = await lostClaim();
  const two = world.another();
  expect(await two.abandon(queue, KEY)).toBe(20);
  const handed = (await named(two, queue)).jobs;
  expect(handed).toHaveLength(20);
  // No shard is awake there, so this call gives back what was lost before it asks.
  expect((await one.claim(queue, { worker: 'w', count: 20 })).jobs).toEqual([]);
  expect(await world.broker.ack(queue, handed)).toEqual(Array(20).fill('completed'));
  await sound();
});

it('M5: gives its own back with their attempts when nobody sends it again', async () => {
  const { queue, one, sound } = await lostClaim();
  const again = await one.claim(queue, { worker: 'w', count: 20 });
  const rest = await claimAll(world.broker, queue);
  const all = [...again.jobs, ...rest];
  expect(ids(all).sort()).toEqual(jobs(20).map(({ jobId }) => jobId));
  expect(new Set(all.map(({ attempt }) => attempt))).toEqual(new Set([1]));
  await sound();
});
