/** Writing the record of a queue's sharding, and finishing for somebody who closed shards for a change and then vanished. */
import { type Actor, actorNote, SYSTEM } from '../note';
import { numbers } from '../reply';
import { evalMany } from '../script';
import type { ShardedContext } from '../shards';
import { type Layout, layoutFrom, shardingText } from './layout';
import { shareAll } from './share-all';

/** Who changes a sharding is done within a few round trips; after this many looks he is taken for dead. */
const PATIENCE = 8;
const WAIT_MAX_MS = 250;

/** Compare-and-set on the whole record: of two rival changes one wins. False when somebody else was faster. */
export async function writeRecord(
  ctx: ShardedContext,
  before: Layout,
  after: Layout,
  by: Actor,
): Promise<boolean> {
  const args = [before.queue, shardingText(before), shardingText(after)];
  // Held on to under a new number, it is as it was: nothing for the audit log.
  if (changeText(before) !== changeText(after))
    args.push(actorNote(by), changeText(before), changeText(after));
  return (await ctx.run('sharding-save', before.queue, args)) === 1;
}

/**
 * Closes all shards of a new sharding to producers that go by an older one; those with jobs refuse. The first shard's record
 * of changes says who did it.
 * @throws the error of the first shard that does not answer
 */
export async function closeShards(
  ctx: ShardedContext,
  old: Layout,
  next: Layout,
  by: Actor,
): Promise<{ closed: boolean; jobs: number }> {
  const settled = await evalMany(
    ctx,
    next.names.map((name, shard) => ({
      script: 'reshard',
      queue: name,
      args: [
        shardingText(next),
        shard === 0 ? 'sharding' : '',
        actorNote(by),
        changeText(old),
        changeText(next),
      ],
    })),
  );
  let [closed, jobs] = [true, 0];
  for (const one of settled) {
    if (one.status === 'rejected') throw one.reason;
    const [code = 0, held = 0] = numbers(one.value, 'reshard');
    if (code > 0) continue;
    closed = false;
    jobs += held;
  }
  return { closed, jobs };
}

/**
 * The data of this Redis are gone, and producers may have placed jobs by the sharding they remember: the queues stay sharded as they were,
 * or those jobs would lie where nobody looks. Whoever may not write the records leaves it to the others.
 */
export async function enterShardingAnew(ctx: ShardedContext, layouts: readonly Layout[]): Promise<void> {
  for (const layout of layouts)
    await ctx
      .run('sharding-save', layout.queue, [layout.queue, '', shardingText(layout)])
      .catch(() => undefined);
  // What was read meanwhile may lack them.
  if (layouts.length > 0) ctx.shards.forget();
}

export const changeText = ({ count, by }: Layout): string => JSON.stringify({ count, by });

/**
 * Shards refuse what the record says: a change is under way, or its maker is gone, or the record was lost. First waits; then
 * finishes the change the shards were closed for, if all of them can be closed for it, and otherwise lets the old sharding
 * hold under its generation. Should its maker still live, his own write finds that it was done for him, or that he lost.
 */
export async function healSharding(ctx: ShardedContext, layout: Layout, looks: number): Promise<void> {
  if (looks < PATIENCE) {
    await new Promise((resolve) => {
      setTimeout(resolve, Math.min(WAIT_MAX_MS, 10 * 2 ** looks));
    });
    return;
  }
  const next = await newestSaid(ctx, layout);
  if (!next) return;
  const { closed } = await closeShards(ctx, layout, next, SYSTEM);
  if (closed) await shareAll(ctx, next, SYSTEM);
  await writeRecord(ctx, layout, closed ? next : keptAfter(layout, next), SYSTEM);
}

/** The old sharding as it holds on after a change that did not come about: newer than what the shards were closed for. */
export const keptAfter = (old: Layout, next: Layout): Layout => ({ ...old, generation: next.generation + 1 });

/** The newest sharding any of the shards was closed for. */
async function newestSaid(ctx: ShardedContext, layout: Layout): Promise<Layout | null> {
  let newest: Layout | null = null;
  for (const name of layout.names) {
    const key = ctx.keys.column(name, 'config');
    const said = layoutFrom(layout.queue, await ctx.plain((redis) => redis.hget(key, 'sharding')));
    if (said && said.generation > (newest ?? layout).generation) newest = said;
  }
  return newest;
}
