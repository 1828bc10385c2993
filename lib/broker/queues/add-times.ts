/** Times from enqueue to completion, as workers measure them: added to the totals of a queue, or of a shard of it. */
import type { BrokerContext } from '../redis/broker-context';

/** Bucket (its upper bound in ms, or `inf`) → jobs; `sum`: their times together. */
export type MeasuredTimes = ReadonlyMap<string, number>;

/** @param shard the name of the queue, or of its shard */
export async function addTimes(ctx: BrokerContext, shard: string, times: MeasuredTimes): Promise<void> {
  if (times.size > 0) await ctx.run('times-add', shard, [...times].flat());
}
