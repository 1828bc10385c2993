/** A worker is asked only while it is the one on whose row the user's rights were decided. */
import { afterEach, describe, expect, it } from 'vitest';
import { openRedis } from '@/lib/broker/redis/redis-connection';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { BY, setUpWorld } from '@/testing/worlds/world';
import { WORKERS_MAX } from './worker-registry';

const world = await setUpWorld();
const report = (workerId: string, queues: readonly string[]) => {
  world.clock.now += 1;
  return world.broker.workers.report({
    ...IDLE_REPORT,
    workerId,
    queues: Object.fromEntries(queues.map((queue) => [queue, 1])),
  });
};
const stop = (...workers: string[]) => ({ action: 'stop', workers, reason: 'a test' }) as const;
const requests = () => world.redis.hgetall(world.keys.global('workersRequests'));
const ofMail = ({ queues }: Worker): boolean => {
  if (Object.keys(queues).some((queue) => queue !== 'mail')) throw new Error('not yours');
  return true;
};
afterEach(() => world.redis.flushall());

describe('who decides', () => {
  it('looks at each worker that is asked, also one that the full list does not show', async () => {
    await report('theirs', ['mail', 'sms']);
    for (let i = 0; i < WORKERS_MAX; i++) await report(`w-${i}`, ['mail']);
    const { workers } = await world.broker.workers.list();
    expect(workers.some(({ workerId }) => workerId === 'theirs')).toBe(false);
    // It beats again, as each of 201 live workers does every second.
    await report('theirs', ['mail', 'sms']);
    const seen: string[] = [];
    const may = (worker: Worker) => seen.push(worker.workerId) > 0 && ofMail(worker);
    await expect(world.broker.workers.request(stop('w-150', 'theirs'), BY, may)).rejects.toThrow('not yours');
    expect(seen).toContain('theirs');
    expect(await requests()).toEqual({});
  });

  it('hides a worker by false, as one that is not there', async () => {
    await report('mine', ['mail']);
    await report('theirs', ['sms']);
    const may = ({ workerId }: Worker) => workerId === 'mine';
    const { results } = await world.broker.workers.request(stop('theirs', 'mine'), BY, may);
    expect(results.map(({ outcome }) => outcome)).toEqual(['not-alive', 'requested']);
    expect(Object.keys(await requests())).toEqual(['mine']);
  });
});

describe('asks nobody who came between the decision and the act', () => {
  it.each([
    ['serves one more queue', { queues: { mail: 1, sms: 1 } }],
    ['is another process', { startedAt: IDLE_REPORT.startedAt + 1 }],
    ['is gone', null],
  ])('when it %s', async (_, change) => {
    await report('w-1', ['mail']);
    const redis = openRedis(world.server.path);
    const info = world.keys.global('workersInfo');
    const before = JSON.parse((await redis.hget(info, 'w-1')) ?? '{}');
    // Sent on the same connection, so it is in Redis after the row was read and before the script.
    const may = () => {
      const sent = change
        ? redis.hset(info, 'w-1', JSON.stringify({ ...before, ...change }))
        : redis.hdel(info, 'w-1');
      sent.catch(() => undefined);
      return true;
    };
    const { results } = await world.another({ redis }).workers.request(stop('w-1'), BY, may);
    expect(results).toEqual([{ workerId: 'w-1', outcome: 'not-alive' }]);
    expect(await requests()).toEqual({});
    redis.disconnect();
  });
});
