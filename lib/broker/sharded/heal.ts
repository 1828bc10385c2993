/** Writing the record of a queue's sharding, and opening shards again that were closed by somebody who then vanished. */
import { recordOf, type ShardedContext } from '../shards';
import type { Layout } from './layout';

/** Who changes a sharding is done within a few round trips; after this many looks he is taken for dead. */
const PATIENCE = 8;
const WAIT_MAX_MS = 250;

/** Compare-and-set on the whole record: of two rival changes one wins. False when somebody else was faster. */
export async function writeRecord(ctx: ShardedContext, before: Layout, after: Layout): Promise<boolean> {
  // Generation 0 was never written.
  const old = before.generation === 0 ? '' : recordOf(before);
  return (await ctx.run('sharding-save', before.queue, [before.queue, old, recordOf(after)])) === 1;
}

/**
 * Shards refuse what the record says, so a change is under way, or was. First waits for it; then lets the old sharding hold
 * under the generation the shards were closed with. Should the other one still live, his write finds that he lost.
 */
export async function healSharding(ctx: ShardedContext, layout: Layout, looks: number): Promise<void> {
  if (looks < PATIENCE) {
    await new Promise((resolve) => {
      setTimeout(resolve, Math.min(WAIT_MAX_MS, 10 * 2 ** looks));
    });
    return;
  }
  await writeRecord(ctx, layout, { ...layout, generation: layout.generation + 1 });
}
