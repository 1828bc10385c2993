/** Waiting for work of queues, whichever of their shards has it. */

import { createClusterWaiter } from '../redis/cluster-waiter';
import { isCluster } from '../redis/server-check';
import { createServerWaiter, type Waiter } from '../redis/waiter';
import { logicalName, type ShardLayout, shardOfName, singleShard } from './shard-layout';
import type { ShardedContext } from './sharded-context';

/** The next claim starts with the shards that ended the wait. */
export function createShardedWaiter(ctx: ShardedContext): Waiter {
  const { redis } = ctx;
  const waiter = isCluster(redis) ? createClusterWaiter(ctx, redis) : createServerWaiter(ctx, redis);
  /** Interrupts that came while the shards were being looked up, before there was a wait to interrupt. */
  let interrupts = 0;
  const remember = (layouts: readonly ShardLayout[], woken: string | null): string | null => {
    if (woken === null) return null;
    const queue = logicalName(woken);
    const layout = layouts.find((one) => one.queue === queue);
    if (layout && layout.count > 1) {
      const hints = ctx.shards.hints.get(queue) ?? new Set();
      ctx.shards.hints.set(queue, hints.add(shardOfName(woken)));
      for (const other of waiter.takeOthers(layout.names)) hints.add(shardOfName(other));
    }
    return queue;
  };
  const lookUp = (queue: string): Promise<ShardLayout> =>
    ctx.shards
      .of(queue)
      // That Redis is away is for the caller's own calls to say; here it only means that the wait goes on.
      .catch(() => ctx.shards.known(queue) ?? singleShard(queue));
  return {
    async wait(queues, timeoutMs, behind) {
      const known = queues.flatMap((queue) => ctx.shards.recent(queue) ?? []);
      const before = interrupts;
      const layouts = known.length === queues.length ? known : await Promise.all(queues.map(lookUp));
      if (interrupts !== before) return null;
      const names = layouts.flatMap((layout) => layout.names);
      return remember(layouts, await waiter.wait(names, timeoutMs, behind));
    },
    interrupt() {
      interrupts += 1;
      waiter.interrupt();
    },
    close() {
      interrupts += 1;
      waiter.close();
    },
  };
}
