/** Every embedded script is one a real Redis takes, under the name we know it by, and touches only what it declares. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCRIPTS, type ScriptName } from '@/lib/broker/lua.generated';
import { COLUMNS, GLOBAL_KEYS, KEY_FAMILIES } from '@/lib/broker/redis/redis-keys';
import { IDLE_REPORT } from '@/testing/records/idle-worker';
import { operate, startOperation } from '@/testing/worlds/operation-runs';
import { BY, claimAll, enqueueAll, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const MINUTE_MS = 60_000;
const world = await setUpWorld();

/** A block of ten minutes, one of yesterday, a minute of a block that is not whole yet, and a worker. */
async function keepHistory(queue: string): Promise<void> {
  const start = Math.ceil(world.clock.now / (60 * MINUTE_MS)) * 60 * MINUTE_MS;
  for (const [from, minute] of [0, 11, 1_560, 1_562].entries()) {
    world.clock.now = start + minute * MINUTE_MS;
    if (from % 2 === 1) await world.broker.maintain(queue);
    await enqueueAll(world.broker, queue, jobs(1, 70 + from));
    await world.broker.ack(queue, await claimAll(world.broker, queue));
  }
  await world.broker.workers.report({ ...IDLE_REPORT, queues: { [queue]: 1 } });
  await world.broker.foldAllQueues([queue]);
}

describe('a script', () => {
  it.each(Object.keys(SCRIPTS) as ScriptName[])('%s loads, under the hash it is called by', async (name) => {
    expect(await world.redis.script('LOAD', SCRIPTS[name].lua)).toBe(SCRIPTS[name].sha);
  });
});

describe('the keys', () => {
  it('of a busy queue are the columns, with their types, and nothing else', async () => {
    const queue = world.freshQueue();
    await keepHistory(queue);
    // Two generations of jobs that left, and a claim with a name.
    await enqueueAll(world.broker, queue, jobs(3, 60));
    await world.broker.remove(queue, ['j000060'], BY);
    world.clock.now += 600_000;
    await world.broker.remove(queue, ['j000061'], BY);
    await world.broker.claim(queue, { worker: 'w1', nonce: 'KEY00000', leaseMs: 600_000 });
    await killAll(world.broker, queue, jobs(6));
    await world.broker.suppress(queue, ['j000000'], BY);
    await world.broker.purge(queue, ['j000001'], BY);
    const { id } = await startOperation(world.broker, { kind: 'purge', q: `queue:${queue}` });
    await world.broker.operations.act(id, 'cancel', BY);
    await operate(world.broker, { kind: 'redrive', q: 'id:j000002 OR id:j000003', queue });
    await enqueueAll(world.broker, queue, jobs(3, 10));
    const held = await claimAll(world.broker, queue);
    await world.broker.ack(queue, held.slice(0, 1));
    const failure = { errorClass: 'retryable', errorCode: 'X', message: '', retryInMs: 9_000 } as const;
    await world.broker.fail(
      queue,
      held.slice(1, 2).map((job) => ({ ...job, failure })),
    );
    await world.broker.pause(queue, { scope: 'tenant:slow', reason: 'a test' }, BY);
    await enqueueAll(world.broker, queue, jobs(2, 20, { tenantId: 'slow' }));
    await world.broker.claim(queue, { worker: 'w1' });
    await enqueueAll(world.broker, queue, [...jobs(1, 30), ...jobs(1, 31, { delayMs: 5_000 })]);
    // Fairness, limits and uniqueness: one tenant with a job in flight, one aside, and more in line.
    const limits = {
      fair: 'tenant',
      tenantLimit: { concurrency: 1, rate: { perSecond: 1, burst: 9 } },
    } as const;
    await world.broker.config.change(queue, limits, BY);
    const unique = { key: 'k1', scope: 'done', ttlMs: 60_000 } as const;
    await enqueueAll(world.broker, queue, [
      ...jobs(1, 40, { tenantId: 'busy', unique, idempotencyKey: 'i1' }),
      ...jobs(2, 41, { tenantId: 'busy' }),
    ]);
    await world.broker.claim(queue, { worker: 'w1', count: 10 });
    await enqueueAll(world.broker, queue, jobs(1, 50));
    const fence = { id: 's1', queue, generation: 1, isNew: true, by: BY, before: '', after: '' };
    await world.broker.schedules.fence(fence);
    const tag = `rd:{${queue}}:`;
    const found = (await world.redis.keys('*')).filter((key) => key.startsWith(tag));
    const types = await Promise.all(
      found.map(async (key) => [key.slice(tag.length), await world.redis.type(key)]),
    );
    expect(Object.fromEntries(types)).toEqual(COLUMNS);
    const globals = new Set(Object.values(GLOBAL_KEYS).map((key) => `rd:${key.name}`));
    expect(
      (await world.redis.keys('*')).filter(
        (key) =>
          !key.startsWith('rd:{q') && !/^rd:\{\.preview\.[0-9a-f]{40}\}$/.test(key) && !globals.has(key),
      ),
    ).toEqual([]);
  });

  it('are documented, each with its type', () => {
    const text = readFileSync(resolve(import.meta.dirname, '../../docs/redis-keys.md'), 'utf8');
    const rows = new Map<string, string>();
    for (const [, name = '', type = ''] of text.matchAll(
      /^\| `([^`]+)` \| (hash|zset|stream|string|list) \|/gm,
    )) {
      expect(rows.has(name), `${name} is documented twice`).toBe(false);
      rows.set(name, type);
    }
    const expected = new Map<string, string>(Object.entries(COLUMNS));
    for (const { name, type } of Object.values({ ...GLOBAL_KEYS, ...KEY_FAMILIES })) expected.set(name, type);
    expect(new Map([...rows].sort())).toEqual(new Map([...expected].sort()));
  });
});
