/** Members that any producer's Redis user can add to the registry of queues: junk, invented names, and any score. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { documentedUsers, makeDocumentedUsers } from '@/testing/worlds/redis-server';
import { jobs, setUpWorld } from '@/testing/worlds/world';
import { QUEUES_READ_MAX } from './queue-registry';

const world = await setUpWorld();
const REGISTRY = 'rd:queues';
beforeEach(() => world.redis.del(REGISTRY));

/** As the documented user of one queue adds them. */
async function flood(count: number, score: number, nameOf: (i: number) => string): Promise<void> {
  await makeDocumentedUsers(world.redis);
  const { password = '' } = documentedUsers().find(({ user }) => user === 'email-producer') ?? {};
  const producer = world.server.connect({ username: 'email-producer', password });
  for (let i = 0; i < count; i += 1_000)
    await producer.zadd(
      REGISTRY,
      ...Array.from({ length: Math.min(1_000, count - i) }, (_, n) => [score, nameOf(i + n)]).flat(),
    );
  producer.disconnect();
}

async function inSeconds(seconds: number, look: () => Promise<void>): Promise<void> {
  const nowMs = performance.now();
  const later = vi.spyOn(performance, 'now').mockImplementation(() => nowMs + seconds * 1_000);
  try {
    await look();
  } finally {
    later.mockRestore();
  }
}

describe('a registry full of junk', () => {
  it.each([
    ['the oldest score', 0],
    ['a score of the future', 9e15],
    ['the score of now', Number.NaN],
  ])('with %s hides no queue', async (_, score) => {
    const queue = world.freshQueue();
    await world.broker.enqueueMany(queue, jobs(1));
    await world.redis.zadd(REGISTRY, world.clock.now, queue);
    await flood(QUEUES_READ_MAX + 1, Number.isNaN(score) ? world.clock.now : score, (i) => `!${i}`);
    expect(await world.another().inspect.queues()).toEqual([queue]);
    // And none that comes later.
    const reader = world.another();
    expect(await reader.inspect.queues()).toEqual([queue]);
    await world.redis.zadd(REGISTRY, world.clock.now, 'later');
    await inSeconds(11, async () => expect(await reader.inspect.queues()).toEqual(['later', queue]));
    expect(await reader.inspect.unreadNames()).toBe(0);
  });

  it('of members of a megabyte each leaves nothing but names in replies', async () => {
    await world.redis.zadd(REGISTRY, world.clock.now, 'real');
    for (let i = 0; i < 20; i++)
      await world.redis.zadd(REGISTRY, world.clock.now, `${i}${'x'.repeat(1_000_000)}`);
    const sent = async () =>
      Number(/total_net_output_bytes:(\d+)/.exec(await world.redis.info('stats'))?.[1]);
    const reader = world.another();
    await reader.ready();
    const before = await sent();
    expect(await reader.inspect.queues()).toEqual(['real']);
    expect((await sent()) - before).toBeLessThan(100_000);
  });
});

describe('more invented names than are read', () => {
  it('leave the names that were known, and say how many are not read', async () => {
    await world.redis.zadd(REGISTRY, world.clock.now - 3_600_000, 'known', world.clock.now - 1, 'gone');
    const reader = world.another();
    expect(await reader.inspect.queues()).toEqual(['gone', 'known']);
    await flood(QUEUES_READ_MAX + 500, world.clock.now, (i) => `invented${i}`);
    await world.redis.zrem(REGISTRY, 'gone');
    await inSeconds(61, async () => {
      const names = await reader.inspect.queues();
      expect(names).toHaveLength(QUEUES_READ_MAX);
      expect(names).toContain('known');
      expect(names).not.toContain('gone');
      expect(await reader.inspect.unreadNames()).toBeGreaterThan(0);
    });
  });
});
