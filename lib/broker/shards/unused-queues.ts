/**
 * Forgetting names of queues without rows. The registry and a queue's keys lie in different slots, so no script sees both: a producer
 * enters the name at least once a minute while it enqueues, and only names not entered for ten minutes are forgotten, by compare-and-set.
 * A queue with a chosen sharding stays: a producer that remembers it would put jobs into shards that are no longer read.
 */
import { replyList, replyText } from '../redis/script-reply';
import { serverNow } from '../redis/server-info';
import type { ShardedContext } from './sharded-context';

/** Without any key. */
const NAME_KEPT_MS = 10 * 60_000;
const NAMES_PER_TURN = 15;

/** @returns whether it was forgotten: not when it is in use, is sharded, or was entered lately */
export async function forgetQueue(ctx: ShardedContext, queue: string): Promise<boolean> {
  const key = ctx.keys.global('queues');
  const [score, now] = await Promise.all([
    ctx.plain((redis) => redis.zscore(key, queue)),
    serverNow(ctx, 'queues'),
  ]);
  if (score === null || now - Number(score) < NAME_KEPT_MS) return false;
  const { generation } = await ctx.shards.fresh(queue);
  if (generation > 0 || Number(await ctx.run('vacant', queue, [])) !== 1) return false;
  // Not when a producer entered it again meanwhile.
  if (Number(await ctx.run('queue-forget', queue, [queue, now - NAME_KEPT_MS + 1])) !== 1) return false;
  ctx.knownQueues.delete(queue);
  return true;
}

/** A few names each turn, all in turn; only those that were not entered for ten minutes are looked at. */
export class UnusedNames {
  private next = 0;

  constructor(private readonly ctx: ShardedContext) {}

  /** @returns the names that were forgotten */
  async forget(): Promise<string[]> {
    const { ctx } = this;
    const until = (await serverNow(ctx, 'queues')) - NAME_KEPT_MS;
    const page = ['-inf', until, this.next, NAMES_PER_TURN, 'asc'];
    const reply = replyList(await ctx.run('registry-page', null, page), 'registry-page');
    const [read, names] = [Number(reply[0]), reply.slice(3).map(replyText)];
    const forgotten: string[] = [];
    for (const name of names) if (await forgetQueue(ctx, name).catch(() => false)) forgotten.push(name);
    this.next = read < NAMES_PER_TURN ? 0 : this.next + read - forgotten.length;
    return forgotten;
  }
}
