/**
 * Forgetting names of queues that have no rows: names that were entered and never used, or whose keys somebody deleted.
 *
 * The registry and the keys of a queue lie in different slots, so no script sees both. What keeps a job from coming into a queue that is
 * being forgotten is time: a producer enters the name before its first job and again at most a minute after the last time, by the clock of
 * Redis. So a name that nobody entered for ten minutes is nobody's, and it goes only if nobody entered it between the look at its keys and
 * then: the score is compared.
 *
 * A queue whose sharding was chosen is never forgotten. Time does not fence its record: a producer that still knew it would put jobs into
 * shards where nobody looks any more.
 */
import { serverNow } from '../now';
import type { ShardedContext } from '../shards';

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
  if (Number(await ctx.run('unregister', queue, [queue, score])) !== 1) return false;
  ctx.knownQueues.delete(queue);
  return true;
}

/** A few names each turn, all in turn; only those that nobody entered for ten minutes are looked at. */
export class UnusedNames {
  private next = 0;

  constructor(private readonly ctx: ShardedContext) {}

  /** @returns the names that were forgotten */
  async forget(): Promise<string[]> {
    const { ctx } = this;
    const until = (await serverNow(ctx, 'queues')) - NAME_KEPT_MS;
    const names = await ctx.plain((redis) =>
      redis.zrange(
        ctx.keys.global('queues'),
        '-inf',
        String(until),
        'BYSCORE',
        'LIMIT',
        this.next,
        NAMES_PER_TURN,
      ),
    );
    const forgotten: string[] = [];
    for (const name of names) if (await forgetQueue(ctx, name).catch(() => false)) forgotten.push(name);
    this.next = names.length < NAMES_PER_TURN ? 0 : this.next + names.length - forgotten.length;
    return forgotten;
  }
}
