/** A Redis without memory left: whatever its queues use, jobs that are in are claimed, promoted and completed (ADR 11). */
import { expect, it } from 'vitest';
import type { ClaimedJob } from '@/lib/broker';
import type { ConfigPatch } from '@/lib/contract/queues/queue-config';
import { readRaw, violations } from '@/testing/model/invariants';
import { BY, claimAll, enqueueAll, failure, jobs, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();
const rate = { perSecond: 50, burst: 5 };
const TENANTS = ['a', 'b', 'c'];

it.each<[string, ConfigPatch]>([
  ['nothing rare', { completedKeep: 1_000 }],
  ['a rate', { rate }],
  ['a concurrency limit', { concurrency: 5 }],
  ['limits of tenants', { tenantLimit: { concurrency: 2, rate: { perSecond: 30, burst: 2 } } }],
  ['fairness', { fair: 'tenant' }],
  ['no completed jobs', { completedKeep: 0 }],
  ['few bytes of completed jobs', { completedKeepBytes: 1_024 }],
  ['all of it', { rate, concurrency: 6, tenantLimit: { concurrency: 2 }, fair: 'tenant' }],
])('works off a queue that uses %s', async (_, change) => {
  const queue = world.freshQueue();
  await world.broker.config.change(queue, change, BY);
  const ready = jobs(30).map((job, i) => ({ ...job, tenantId: TENANTS[i % 3] }));
  await enqueueAll(world.broker, queue, ready);
  await enqueueAll(world.broker, queue, jobs(5, 100, { delayMs: 10, tenantId: 'a' }));
  await enqueueAll(world.broker, queue, jobs(3, 200, { deadline: world.clock.now + 5, tenantId: 'b' }));
  const unique = { key: 'order:1', ttlMs: 60_000, scope: 'claimed' as const };
  await enqueueAll(world.broker, queue, jobs(1, 300, { unique }));
  const [failed] = await claimAll(world.broker, queue, { most: 1 });
  if (!failed) throw new Error('nothing to claim');
  await world.broker.fail(queue, [{ ...failed, failure: { ...failure('X', 'retryable'), retryInMs: 3 } }]);
  await world.broker.pause(queue, { scope: 'tenant:c', reason: 'a test', forMs: 1_000 }, BY);

  await world.redis.config('SET', 'maxmemory', '1');
  const ended: string[] = [];
  try {
    const held: ClaimedJob[] = [];
    // Those aside for the limit of their tenant are looked at again, while it is still used up.
    for (const waitMs of [20, 5_001, 5_001]) {
      world.clock.now += waitMs;
      held.push(...(await world.broker.claim(queue, { worker: 'w', count: 40 })).jobs);
    }
    for (let i = 0; ended.length < 36 && i < 500; i++) {
      world.clock.now += 20;
      const acks = held.map(({ jobId, token }, n) => ({
        jobId,
        token,
        ...(n % 2 ? { result: '"ok"' } : {}),
      }));
      // Each call may be the first of its kind to write: together, and by themselves.
      const options = { worker: 'w', count: 7 };
      const { acked, claimed } =
        i % 2 === 0
          ? await world.broker.exchange(queue, acks, options)
          : { acked: await world.broker.ack(queue, acks), claimed: await world.broker.claim(queue, options) };
      expect(acked).toEqual(acks.map(() => 'completed'));
      ended.push(...acks.map(({ jobId }) => jobId));
      held.splice(0, held.length, ...claimed.jobs);
    }
  } finally {
    await world.redis.config('SET', 'maxmemory', '0');
  }
  expect(new Set(ended).size).toBe(36);
  expect(violations(await readRaw(world.redis, world.keys, queue))).toEqual([]);
});
