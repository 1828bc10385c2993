/** Writing the record of a queue's sharding, and finishing a change after its process died. */
import { type Actor, actorJson, SYSTEM } from '../access/actor';
import { readFields, SMALL_ROWS } from '../redis/bounded-reads';
import { evalMany } from '../redis/run-pipelines';
import { replyNumbers } from '../redis/script-reply';
import { parseLayout, type ShardLayout, shardingText } from '../shards/shard-layout';
import type { ShardedContext } from '../shards/sharded-context';
import { copyPauses } from './pause-queue';
import { copySettings } from './settings/sharded-settings';

/** A change takes a few round trips; after this many looks its process is considered dead. */
const PATIENCE = 8;
const WAIT_MAX_MS = 250;

/** Compare-and-set on the whole record: of two rival changes one wins. False when another change was faster. */
export async function writeShardingRecord(
  ctx: ShardedContext,
  before: ShardLayout,
  after: ShardLayout,
  by: Actor,
): Promise<boolean> {
  const args = [before.queue, shardingText(before), shardingText(after)];
  // Held on to under a new number, it is as it was: nothing for the audit log.
  if (shardingJson(before) !== shardingJson(after))
    args.push(actorJson(by), shardingJson(before), shardingJson(after));
  return (await ctx.run('sharding-save', before.queue, args)) === 1;
}

/** Closes all shards to producers that go by an older sharding; shards with jobs refuse. @throws when a shard does not answer */
export async function closeShards(
  ctx: ShardedContext,
  old: ShardLayout,
  next: ShardLayout,
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
        actorJson(by),
        shardingJson(old),
        shardingJson(next),
      ],
    })),
  );
  let [closed, jobs] = [true, 0];
  for (const one of settled) {
    if (one.status === 'rejected') throw one.reason;
    const [code = 0, held = 0] = replyNumbers(one.value, 'reshard');
    if (code > 0) continue;
    closed = false;
    jobs += held;
  }
  return { closed, jobs };
}

/**
 * After a loss of data: queues stay sharded as they were, since producers may have placed jobs by the sharding they remember. A Redis user
 * without the right to write leaves it to other processes.
 */
export async function restoreShardings(ctx: ShardedContext, layouts: readonly ShardLayout[]): Promise<void> {
  for (const layout of layouts)
    await ctx
      .run('sharding-save', layout.queue, [layout.queue, '', shardingText(layout)])
      .catch(() => undefined);
  // What was read meanwhile may lack them.
  if (layouts.length > 0) ctx.shards.forget();
}

export const shardingJson = ({ count, by }: ShardLayout): string => JSON.stringify({ count, by });

/**
 * Shards refuse the recorded sharding: a change is under way, its process is gone, or the record was lost. Waits first; then finishes the
 * change if all shards can be closed for it, or lets the old sharding hold under a new generation.
 */
export async function recoverResharding(
  ctx: ShardedContext,
  layout: ShardLayout,
  looks: number,
): Promise<void> {
  if (looks < PATIENCE) {
    await new Promise((resolve) => {
      setTimeout(resolve, Math.min(WAIT_MAX_MS, 10 * 2 ** looks));
    });
    return;
  }
  const next = await newestSaid(ctx, layout);
  if (!next) return;
  const { closed } = await closeShards(ctx, layout, next, SYSTEM);
  if (closed) await copySettingsToShards(ctx, next, SYSTEM);
  await writeShardingRecord(ctx, layout, closed ? next : layoutAfterRollback(layout, next), SYSTEM);
}

/** The old sharding as it holds on after a change that did not come about: newer than what the shards were closed for. */
export const layoutAfterRollback = (old: ShardLayout, next: ShardLayout): ShardLayout => ({
  ...old,
  generation: next.generation + 1,
});

async function newestSaid(ctx: ShardedContext, layout: ShardLayout): Promise<ShardLayout | null> {
  let newest: ShardLayout | null = null;
  for (const name of layout.names) {
    const [row = null] = await readFields(ctx, { queue: name, index: 'config' }, ['sharding'], SMALL_ROWS);
    const said = parseLayout(layout.queue, row);
    if (said && said.generation > (newest ?? layout).generation) newest = said;
  }
  return newest;
}

export async function copySettingsToShards(
  ctx: ShardedContext,
  layout: ShardLayout,
  by: Actor,
): Promise<void> {
  await copyPauses(ctx, layout);
  await copySettings(ctx, layout, by);
}
