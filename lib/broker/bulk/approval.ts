/** Whether a second person has to approve: asked when an operation is previewed, when it is confirmed, and when it is resumed. */
import { keepsLess, type QueueConfig } from '@/lib/contract/config';
import type { OperationKind, PreviewRequest } from '@/lib/contract/operations';
import { countMatches } from '../search/count';
import { getConfig } from '../sharded/config';
import { grouped } from '../sharded/fan-out';
import type { Place } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { COUNT_BUDGET, filterOf } from './scope';

/** Kinds that delete jobs, now or after the grace of the trash, or replace what is in them. A move may lead to either. */
const LOSES: ReadonlySet<OperationKind> = new Set(['purge', 'delete', 'edit', 'delete-queue']);

/**
 * Whether one of the queues asks for approval, and may lose something.
 * @param places where there may be some of its jobs
 */
export async function approvalNeeded(
  ctx: ShardedContext,
  { kind, scope, target }: Pick<PreviewRequest, 'kind' | 'scope'> & { target?: string | null | undefined },
  { at, cutoff }: { at: number; cutoff: number },
  places: readonly Place[],
): Promise<boolean> {
  const moves = kind === 'move' && typeof target === 'string';
  if (!moves && !LOSES.has(kind)) return false;
  const arriving = moves ? (await getConfig(ctx, target)).config : null;
  for (const [queue, { items }] of grouped(places, (place) => place.queue)) {
    const { config } = await getConfig(ctx, queue);
    if (!config.purgeNeedsApproval || (arriving && isAsSafe(arriving, config))) continue;
    if (scope.jobs || kind === 'delete-queue') return true;
    const question = { state: scope.state, filter: filterOf(scope), at, cutoff };
    const { count, exact } = await countMatches(ctx, items, { ...question, budget: COUNT_BUDGET });
    // Nobody knows that it is none: then somebody looks.
    if (count > 0 || !exact) return true;
  }
  return false;
}

/** One person deletes nothing in the other queue that they could not delete here. */
const isAsSafe = (target: QueueConfig, source: QueueConfig): boolean =>
  target.purgeNeedsApproval && keepsLess(target, source).length === 0;
