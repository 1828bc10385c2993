/** Entering a queue in the registry, without which nothing lists or maintains it. */
import type { Actor } from '../access/actor';
import type { BrokerContext } from '../redis/broker-context';
import { serverNow } from '../redis/server-info';
import { takeQueueQuota } from './queue-quotas';

/** Names that were not entered for ten minutes may be forgotten (shards/unused-queues.ts), so a queue in use is entered again and again. */
const REGISTER_EVERY_MS = 60_000;
const QUEUES_REMEMBERED = 10_000;

/** By the clock of Redis, since producers' clocks differ. Two plain commands: a producer needs no right to read the registry. */
export async function registerName(ctx: BrokerContext, name: string): Promise<void> {
  const at = await serverNow(ctx, 'queues');
  ctx.checkQueue(name);
  await ctx.plain((redis) => redis.zadd(ctx.keys.global('queues'), at, name));
}

/** Null when it was done lately: the hot path waits for nothing. */
export function registerQueue(ctx: BrokerContext, queue: string, by?: Actor): Promise<void> | null {
  ctx.dataset.touch(queue);
  // A wall clock may be set back, and then the name would not be entered for as long.
  const now = performance.now();
  if ((ctx.knownQueues.get(queue) ?? Number.NEGATIVE_INFINITY) > now - REGISTER_EVERY_MS) return null;
  // The registry lists queues, not their shards.
  const name = queue.split('#', 1)[0] ?? queue;
  return takeQueueQuota(ctx, name, by)
    .then(() => registerName(ctx, name))
    .then(() => {
      if (ctx.knownQueues.size >= QUEUES_REMEMBERED) ctx.knownQueues.clear();
      ctx.knownQueues.set(queue, now);
    })
    .catch((error: unknown) => {
      // Entered before: the node of the registry may be away while that of the queue is not.
      if (!ctx.knownQueues.has(queue)) throw error;
    });
}
