/** Whether a second person has to look: asked when an operation is previewed, and again when it is confirmed. */
import type { PreviewRequest } from '@/lib/contract/operations';
import { countMatches } from '../search/count';
import { getConfig } from '../sharded/config';
import { grouped } from '../sharded/fan-out';
import type { Place } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { COUNT_BUDGET, filterOf } from './scope';

/**
 * Whether one of the queues asks for a second person, and may lose something.
 * @param places where there may be some of its jobs
 */
export async function approvalNeeded(
  ctx: ShardedContext,
  { kind, scope }: PreviewRequest,
  { at, cutoff }: { at: number; cutoff: number },
  places: readonly Place[],
): Promise<boolean> {
  if (kind !== 'purge' && kind !== 'delete') return false;
  for (const [queue, { items }] of grouped(places, (place) => place.queue)) {
    if (!(await getConfig(ctx, queue)).config.purgeNeedsApproval) continue;
    if (scope.jobs) return true;
    const question = { state: scope.state, filter: filterOf(scope), at, cutoff };
    const { count, exact } = await countMatches(ctx, items, { ...question, budget: COUNT_BUDGET });
    // Nobody knows that it is none: then somebody looks.
    if (count > 0 || !exact) return true;
  }
  return false;
}
