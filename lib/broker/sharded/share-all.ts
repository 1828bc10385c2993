import type { Actor } from '../note';
import type { ShardedContext } from '../shards';
import { shareSettings } from './config';
import type { Layout } from './layout';
import { sharePauses } from './pausing';

/** Every shard gets the pauses, settings and draining of its queue. */
export async function shareAll(ctx: ShardedContext, layout: Layout, by: Actor): Promise<void> {
  await sharePauses(ctx, layout);
  await shareSettings(ctx, layout, by);
}
