/** Many jobs in one call: those of one claim share its token, and each job gets its own row, result and answer. */
import { expect, it } from 'vitest';
import { claimAll, enqueueAll, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const claimed = async (queue: string, count: number) =>
  (await world.broker.claim(queue, { worker: 'w', count })).jobs;

it('tells the jobs of several claims, their results, the lost ones and the doubled ones apart', async () => {
  const queue = world.freshQueue();
  await enqueueAll(world.broker, queue, [...jobs(4), ...jobs(2, 4, { tenantId: 'acme' })]);
  const [first, second] = [await claimed(queue, 3), await claimed(queue, 3)];
  const [a, b, c] = first;
  const [d, e, f] = second;
  if (!a || !b || !c || !d || !e || !f) throw new Error('six jobs were enqueued');
  const acks = [
    { ...ref(a), result: 'of a' },
    ref(b),
    ref(d),
    { jobId: c.jobId, token: '1-strange00' },
    { ...ref(e), result: 'of\ne' },
    ref(a),
    ref(f),
  ];
  expect(await world.broker.ack(queue, acks)).toEqual([
    'completed',
    'completed',
    'completed',
    'stale',
    'completed',
    'already',
    'completed',
  ]);
  const results = await Promise.all(
    [a, b, d, e, f].map(
      async ({ jobId }) => (await world.broker.inspect.unmasked(queue, jobId)).result?.result,
    ),
  );
  expect(results).toEqual(['of a', null, null, 'of\ne', null]);
  // What is left in flight is the one whose token was wrong, and the slots of tenants are given back.
  expect(await world.redis.hgetall(world.column(queue, 'running'))).toEqual({ default: '1' });
  expect(await world.broker.ack(queue, [ref(c), ref(b)])).toEqual(['completed', 'already']);
  expect(await claimAll(world.broker, queue)).toEqual([]);
});

it('hands out jobs that were claimed before among new ones, each with its own token', async () => {
  const queue = world.freshQueue();
  await enqueueAll(world.broker, queue, jobs(5));
  const [, again] = await claimed(queue, 3);
  if (!again) throw new Error('three jobs were claimed');
  await world.broker.release(queue, [ref(again)]);
  const rest = await claimed(queue, 5);
  expect(rest.map(({ jobId, delivery, attempt }) => [jobId, delivery, attempt])).toEqual([
    [again.jobId, 2, 1],
    ['j000003', 1, 1],
    ['j000004', 1, 1],
  ]);
  expect(rest.map(({ payload }) => payload.toString())).toEqual(['1', '3', '4']);
  expect(await world.broker.ack(queue, rest.map(ref))).toEqual(['completed', 'completed', 'completed']);
});

it('hands out rows of all sizes as they are', async () => {
  const queue = world.freshQueue();
  const sizes = [1, 7_900, 1, 200, 9_000, 64_000, 0, 3_000, 6_000, 1];
  const payloads = sizes.map((size, i) => String(i).repeat(size) + (i % 3 === 0 ? 'é' : ''));
  await world.broker.enqueueMany(
    queue,
    payloads.map((payload) => ({ jobType: 'demo', payload })),
  );
  const got = await claimed(queue, payloads.length);
  expect(got.map(({ payload }) => payload.toString())).toEqual(payloads);
  expect(got.map(({ envelope }) => envelope.jobType)).toEqual(payloads.map(() => 'demo'));
});

function ref({ jobId, token }: { jobId: string; token: string }) {
  return { jobId, token };
}
