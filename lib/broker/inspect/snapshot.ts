/** All queues at a glance: one script a shard, all in one round trip, at a cost that does not grow with their length. */
import { evalMany } from '../script';
import type { Layout } from '../sharded/layout';
import type { ShardedContext } from '../shards';
import { mergedReading } from './merge';
import { type QueueReading, readingOf } from './reading';

export { type QueueReading, RUN_TIME_BUCKETS_MS } from './reading';

/**
 * Reads the queues given in one round trip. A shard that cannot be read is named and its numbers are missing from the sums; a
 * queue of which nothing can be read (a key of another type, a node that is down) is left out.
 *
 * @throws only when nothing can be read at all
 */
export async function snapshot(ctx: ShardedContext, queues: readonly string[]): Promise<QueueReading[]> {
  const layouts: Layout[] = [];
  for (const queue of queues) layouts.push(ctx.shards.recent(queue) ?? (await ctx.shards.of(queue)));
  const settled = await evalMany(
    ctx,
    layouts.flatMap(({ names }) => names.map((queue) => ({ script: 'snapshot' as const, queue, args: [] }))),
  );
  const trouble = settled.find((one) => one.status === 'rejected' && !isWrongType(one.reason));
  // Keys of another type are that queue's own trouble; anything else that meets every call is Redis's.
  if (trouble?.status === 'rejected' && settled.every((one) => one.status === 'rejected'))
    throw trouble.reason;
  let next = 0;
  return layouts.flatMap((layout) => {
    const replies = settled.slice(next, next + layout.count);
    next += layout.count;
    const unavailable: number[] = [];
    const parts = replies.flatMap((one, shard) => {
      if (one.status === 'fulfilled') return readingOf(layout.queue, one.value);
      unavailable.push(shard);
      return [];
    });
    const [first, ...others] = parts;
    return first ? mergedReading(layout.queue, [first, ...others], { count: layout.count, unavailable }) : [];
  });
}

const isWrongType = (error: unknown) => error instanceof Error && error.message.startsWith('WRONGTYPE');
