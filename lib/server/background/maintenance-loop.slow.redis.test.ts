/** Maintenance by a console of 10,000 queues that no worker serves: leases come back in time, and nobody is passed over. */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '@/testing/poll';
import { expectWithin } from '@/testing/time-limit';
import { setUpRedis } from '@/testing/worlds/set-up-redis';

const QUEUES = 10_000;
const LEASE_MS = 1_000;
const BY = { actor: 'tester', reason: 'a test' };
const keys = createKeys('rd');
const nameOf = (i: number) => `q${String(i).padStart(5, '0')}`;

const server = await setUpRedis();
let redis: Redis;
let broker: Broker;
let keeper: import('./maintenance-loop').MaintenanceLoop;
beforeAll(async () => {
  redis = server.connect();
  process.env.REDIS_URL = server.path;
  process.env.LOG_LEVEL = 'silent';
  broker = createBroker({ url: server.path });
  const now = Date.now();
  const names = Array.from({ length: QUEUES }, (_, i) => [now - QUEUES + i, nameOf(i)]);
  for (let i = 0; i < QUEUES; i += 1_000)
    await redis.zadd(keys.global('queues'), ...names.slice(i, i + 1_000).flat());
  keeper = new (await import('./maintenance-loop')).MaintenanceLoop();
  keeper.start();
});
afterAll(async () => {
  keeper.stop();
  broker.close();
  (await import('../console-broker')).getBroker().close();
});

const isEmpty = async (queue: string, column: 'inflight' | 'scheduled' | 'pauses') =>
  (await redis.exists(keys.column(queue, column))) === 0;

describe('M7: a console with 10,000 queues that no worker serves', () => {
  it('M7: takes back every expired lease within lease + 5 s, wherever its queue stands and whatever is wrong with others', async () => {
    // What somebody else wrote under a name of ours fails with each attempt.
    for (const broken of [nameOf(3), nameOf(5_003)]) await redis.set(keys.column(broken, 'inflight'), 'x');
    await redis.zadd(keys.global('queues'), 1, 'not a name: {');
    const queues = Array.from({ length: 60 }, (_, i) => nameOf(i * 166 + 7));
    for (const queue of queues) await broker.enqueue(queue, { jobId: 'a', jobType: 'demo', maxAttempts: 9 });
    const ends = new Map<string, number>();
    for (const queue of queues) {
      await broker.claim(queue, { worker: 'w', count: 1, leaseMs: LEASE_MS });
      ends.set(queue, Date.now() + LEASE_MS);
    }
    const late: number[] = [];
    await until(
      async () => {
        for (const [queue, end] of ends)
          if (await isEmpty(queue, 'inflight')) {
            ends.delete(queue);
            late.push(Date.now() - end);
          }
        return ends.size === 0;
      },
      { what: 'all leases to be taken back', timeoutMs: 30_000 },
    );
    await expectWithin(Math.max(...late), 5_000);
    expect((await broker.claim(queues.at(-1) ?? '', { worker: 'w2', count: 1 })).jobs).toHaveLength(1);
  });

  it('M7: promotes what is due and ends pauses there, too', async () => {
    const queue = nameOf(9_998);
    // Beside it stands what somebody else wrote: such keys end a look that does not ask for types.
    await redis.set(keys.column(nameOf(9_997), 'scheduled'), 'x');
    await redis.set(keys.column(nameOf(9_996), 'pauses'), 'x');
    await broker.enqueue(queue, { jobType: 'demo', delayMs: 1_000 });
    await broker.pause(queue, { scope: 'tenant:slow', reason: 'a test', forMs: 1_000 }, BY);
    const isDone = async () => (await isEmpty(queue, 'scheduled')) && (await isEmpty(queue, 'pauses'));
    await until(isDone, { what: 'the promotion and the end of the pause', timeoutMs: 10_000 });
  });
});
