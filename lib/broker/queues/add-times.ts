/** Times from enqueue to completion, as workers measure them: added to the totals of a queue. Of a sharded one, its first shard has them all. */
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';

/** Bucket (its upper bound in ms, or `inf`) → jobs; `sum`: their times together. */
export type MeasuredTimes = ReadonlyMap<string, number>;

export async function addTimes(ctx: ShardedContext, queue: string, times: MeasuredTimes): Promise<void> {
  if (times.size > 0) await ctx.run('times-add', ctx.shards.check(queue), [...times].flat());
}
