/** Who may change settings is decided on the settings that are changed, not on those of a moment before. */
import { expect, it } from 'vitest';
import { openRedis } from '@/lib/broker/redis/redis-connection';
import type { QueueConfig } from '@/lib/contract/queues/queue-config';
import { BY, jobs, killAll, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

it.each([
  ['whatever they are', (revision: number) => ({ ifRevision: revision + 1 })],
  ['as they come', () => ({})],
])('stricter settings that were saved meanwhile are decided on again: %s', async (_, more) => {
  const queue = world.freshQueue();
  await killAll(world.broker, queue, jobs(1));
  const { revision } = await world.broker.config.change(queue, { concurrency: 5 }, BY);
  const redis = openRedis(world.server.path);
  const key = world.column(queue, 'config');
  const seen: boolean[] = [];
  let refused = false;
  const may = (now: QueueConfig) => {
    seen.push(now.purgeNeedsApproval);
    // Sent on the same connection, so it is in Redis after the settings were read and before the script.
    if (seen.length === 1)
      redis.hset(key, 'purgeNeedsApproval', '1', 'revision', String(revision + 1)).catch(() => undefined);
    if (!now.purgeNeedsApproval) return;
    refused = true;
    throw new Error('not yours any more');
  };
  const patch = { deadKeepMs: 60_000, ...more(revision) };
  const changing = world.another({ redis }).config.change(queue, patch, BY, may);
  // A revision that is not there yet is refused before anything is decided.
  await expect(changing).rejects.toThrow();
  expect(refused || seen.length === 0).toBe(true);
  const { config } = await world.broker.config.get(queue);
  expect(config.deadKeepMs).not.toBe(60_000);
  redis.disconnect();
});
