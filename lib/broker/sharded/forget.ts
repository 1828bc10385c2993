/**
 * Forgetting names of queues that have no rows: names that were entered and never used, whose keys somebody deleted, or of which only the
 * sharding was chosen.
 *
 * The registry and the keys of a queue lie in different slots, so no script sees both. What keeps a job from coming into a queue that is
 * being forgotten is time: a producer enters the name before its first job and again at most a minute after the last time, by the clock of
 * Redis, and goes by no sharding that it read more than five minutes ago. So a name that nobody entered for ten minutes is nobody's, and
 * it goes only if nobody entered it between the look at its keys and then: the score is compared.
 */
import { queueNames } from '../inspect/registry';
import { serverNow } from '../now';
import type { ShardedContext } from '../shards';
import { enterName } from '../verbs/enqueue';
import { shardingText } from './layout';

/** Without any key. */
const NAME_KEPT_MS = 10 * 60_000;
/** Of which the sharding was chosen, and nothing else done. */
const CHOICE_KEPT_MS = 24 * 3_600_000;
const NAMES_PER_TURN = 15;
const RECORDS_PER_TURN = 100;

/** @returns whether it was forgotten: not when it is in use, or was entered lately */
export async function forgetQueue(ctx: ShardedContext, queue: string): Promise<boolean> {
  const key = ctx.keys.global('queues');
  const [score, now] = await Promise.all([
    ctx.plain((redis) => redis.zscore(key, queue)),
    serverNow(ctx, 'queues'),
  ]);
  if (score === null || now - Number(score) < NAME_KEPT_MS) return false;
  const layout = await ctx.shards.fresh(queue);
  let isBare = layout.generation === 0;
  for (const name of layout.names) {
    const found = Number(await ctx.run('vacate', name, ['']));
    if (found === 0) return false;
    if (found === 2) isBare = false;
  }
  if (!isBare && now - Number(score) < CHOICE_KEPT_MS) return false;
  if (Number(await ctx.run('unregister', queue, [queue, score])) !== 1) return false;
  for (const name of layout.names) {
    if (Number(await ctx.run('vacate', name, ['1'])) !== 2) continue;
    // Its audit records begin anew with the next queue of this name.
    await ctx.plain((redis) => redis.hdel(ctx.keys.global('auditHead'), `from:${name}`));
  }
  if (layout.generation > 0) await ctx.run('sharding-save', queue, [queue, shardingText(layout), '']);
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
    await this.enterRecords();
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

  /** A sharding of which no name is known would never be looked at. */
  private async enterRecords(): Promise<void> {
    const { ctx } = this;
    const record = ctx.shards.record();
    if (record.size === 0) return;
    const names = new Set(await queueNames(ctx));
    const unknown = [...record.keys()].filter((queue) => !names.has(queue));
    for (const queue of unknown.slice(0, RECORDS_PER_TURN)) await enterName(ctx, queue);
  }
}
