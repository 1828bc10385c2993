/** Waiting for work of queues, whichever of their shards has it. */
import type { ShardedContext } from '../shards';
import { createWaiter, type Waiter } from '../wait';
import { type Layout, logicalName, shardOfName, unsharded } from './layout';

/** A blocking wait for work, on connections of its own. Who is woken for a shard claims from that one first. */
export function createShardedWaiter(ctx: ShardedContext): Waiter {
  const waiter = createWaiter(ctx);
  /** Interrupts that came while the shards were being looked up, before there was a wait to interrupt. */
  let interrupts = 0;
  const remember = (layouts: readonly Layout[], woken: string | null): string | null => {
    if (woken === null) return null;
    const queue = logicalName(woken);
    if (layouts.some((layout) => layout.queue === queue && layout.count > 1)) {
      const hints = ctx.shards.hints.get(queue) ?? new Set();
      ctx.shards.hints.set(queue, hints.add(shardOfName(woken)));
    }
    return queue;
  };
  const lookUp = (queue: string): Promise<Layout> =>
    ctx.shards
      .of(queue)
      // That Redis is away is for the caller's own calls to say; here it only means that nobody wakes us.
      .catch(() => ctx.shards.known(queue) ?? unsharded(queue));
  return {
    async wait(queues, timeoutMs) {
      const known = queues.flatMap((queue) => ctx.shards.recent(queue) ?? []);
      const before = interrupts;
      const layouts = known.length === queues.length ? known : await Promise.all(queues.map(lookUp));
      if (interrupts !== before) return null;
      const names = layouts.flatMap((layout) => layout.names);
      return remember(layouts, await waiter.wait(names, timeoutMs));
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
