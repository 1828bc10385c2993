/**
 * Processes killed outright (SIGKILL) in the middle of claiming and promoting, by the numbers of docs/bug-catalogue.md. The
 * clock is Redis's own.
 */

import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeys } from '@/lib/broker/redis/redis-keys';
import { type Broker, createBroker } from '@/testing/create-broker';
import { readRaw, violations } from '@/testing/model/invariants';
import { until } from '@/testing/poll';
import { Processes } from '@/testing/worlds/processes';
import { setUpRedisOnPort } from '@/testing/worlds/set-up-redis';
import { claimAll, enqueueAll, ids, jobs } from '@/testing/worlds/world';
import { setUpProgram } from '../worlds/set-up-program';

const PROCESS = await setUpProgram(new URL('./fixture-broker-process.ts', import.meta.url));
const KILLS = 6;
/** So many jobs wait, at least, while they are killed. */
const FEED = 300;
const processes = new Processes();
const keys = createKeys('rd');
const server = await setUpRedisOnPort();
let redis: Redis;
let broker: Broker;
beforeAll(async () => {
  redis = server.connect();
  broker = createBroker({ url: server.url });
});
afterAll(async () => {
  await processes.stopAll();
  broker.close();
});

const start = (queue: string, what: string, leaseMs = 1_000) =>
  processes.node([PROCESS, server.url, queue, what, String(leaseMs)], {
    name: `a process that will ${what}`,
  });
const sound = async (queue: string) => expect(violations(await readRaw(redis, keys, queue))).toEqual([]);
const names = (count: number) => jobs(count).map((job) => job.jobId ?? '');

/**
 * Processes at work on a queue that is kept busy, killed one after the other at whatever they are doing. Returns how many jobs
 * there were.
 */
async function killing(
  queue: string,
  what: string,
  moved: () => Promise<number>,
  rest = {},
): Promise<number> {
  const victims = Array.from({ length: KILLS }, () => start(queue, what));
  for (const child of victims) await child.prints(/up/, 20_000);
  let sent = 0;
  const feed = async () => {
    const [reading] = await broker.inspect.snapshot([queue]);
    if (reading && reading.counts.ready + reading.counts.scheduled > FEED) return;
    await enqueueAll(broker, queue, jobs(FEED, sent, rest));
    sent += FEED;
  };
  await feed();
  for (const child of victims) {
    // It is seen that something has moved since the last kill: these die at work, not at rest.
    const before = await moved();
    await until(
      async () => {
        await feed();
        return (await moved()) > before;
      },
      { what: `${what} to be under way`, everyMs: 1 },
    );
    child.kill('SIGKILL');
    expect((await child.exited).signal).toBe('SIGKILL');
  }
  return sent;
}

describe('B11: promoters that are killed', () => {
  it('lose no job and promote none twice', { timeout: 60_000 }, async () => {
    const queue = 'promoted';
    const ready = () => redis.zcard(keys.column(queue, 'ready'));
    let moved = 0;
    const taken: string[] = [];
    const sent = await killing(
      queue,
      'promote',
      async () => {
        // Taken as they come, so that the line stays short.
        const now = ids(await claimAll(broker, queue, { leaseMs: 600_000 }));
        taken.push(...now);
        moved += now.length;
        return moved;
      },
      { delayMs: 20 },
    );
    await until(async () => (await broker.maintain(queue)).nextAt === null, { what: 'the rest to fall due' });
    await sound(queue);
    taken.push(...ids(await claimAll(broker, queue, { leaseMs: 600_000 })));
    expect(await ready()).toBe(0);
    expect(taken).toHaveLength(sent);
    expect(new Set(taken)).toEqual(new Set(names(sent)));
  });
});

describe('B19: claimers that are killed', () => {
  it('leave every job to somebody else, whatever they were doing', { timeout: 60_000 }, async () => {
    const queue = 'claimed';
    await broker.config.change(queue, { maxDeliveries: 50, completedKeep: 100_000 }, { actor: 'tester' });
    const claimed = async () => Number(await redis.hget(keys.column(queue, 'counters'), 'claimed'));
    const sent = await killing(queue, 'claim', claimed, { maxAttempts: 50 });
    await sound(queue);
    await until(
      async () => {
        await broker.maintain(queue);
        const { jobs: rest } = await broker.claim(queue, { worker: 'last', count: 200 });
        await broker.ack(queue, rest);
        return (await redis.zcard(keys.column(queue, 'completed'))) === sent;
      },
      { what: 'all of them to be completed', timeoutMs: 20_000, everyMs: 1 },
    );
    await sound(queue);
    const [reading] = await broker.inspect.snapshot([queue]);
    expect(reading?.totals).toMatchObject({ enqueued: sent, completed: sent, deleted: 0, dead: 0 });
  });
});

describe('B22: a worker that is killed holding 5,000 jobs', () => {
  it('leaves them to others within its lease and a few ticks, or at once when its death is seen', {
    timeout: 60_000,
  }, async () => {
    for (const seen of [false, true]) {
      const queue = seen ? 'held-seen' : 'held';
      await enqueueAll(broker, queue, jobs(5_000));
      const child = start(queue, 'hold', seen ? 600_000 : 1_000);
      const worker = (await child.prints(/up (\S+)/, 20_000))[1] ?? '';
      await child.prints(/holds 5000/, 20_000);
      child.kill('SIGKILL');
      await child.exited;
      if (seen) {
        const back = await broker.reclaimWorker(queue, worker, { errorCode: 'KILLED', message: '' });
        expect(back).toMatchObject({ returned: 5_000, died: 0 });
      } else {
        // A tick takes back a thousand, so five are enough once the leases are over.
        await until(async () => (await broker.inspect.snapshot([queue]))[0]?.overdueLeaseMs, {
          what: 'the leases to run out',
        });
        const leases = await redis.zrange(keys.column(queue, 'inflight'), '-1', '-1', 'WITHSCORES');
        await until(async () => (await broker.now()) > Number(leases[1]), { what: 'the last of them' });
        for (let tick = 0; tick < 5; tick++) await broker.maintain(queue);
      }
      expect((await broker.inspect.snapshot([queue]))[0]?.counts).toMatchObject({
        ready: 5_000,
        'in-flight': 0,
      });
      await sound(queue);
    }
  });
});
