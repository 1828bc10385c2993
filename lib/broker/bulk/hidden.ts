/** What an operation shows or touches of what is hidden, and in which queues; and a patch as it may be shown. */
import { RedriveError } from '@/lib/contract/errors';
import type { PatchStep, PreviewRequest } from '@/lib/contract/operations';
import {
  isCoveredBy,
  MASK,
  maskedPatch,
  type Redaction,
  touchesHidden,
  writesMask,
} from '@/lib/contract/redaction';
import { redactionsIn } from '../redaction';
import type { ShardedContext } from '../shards';
import { filterOf, scopePlaces, tickedQueues } from './scope';

/**
 * In these queues an edit reads, writes or moves something that is hidden, or they hide something that the queue does not to which a
 * move takes their jobs.
 */
export async function touchedQueues(
  ctx: ShardedContext,
  { patch, scope, target }: Pick<PreviewRequest, 'patch' | 'scope' | 'target'>,
): Promise<string[]> {
  if (!patch && target === undefined) return [];
  const queues = scope.jobs
    ? tickedQueues(scope)
    : (await scopePlaces(ctx, scope, filterOf(scope))).map(({ queue }) => queue);
  const found = await redactionsIn(ctx, queues);
  const arriving = target === undefined ? null : (await redactionsIn(ctx, [target])).get(target);
  const isTouched = (hides: Redaction): boolean =>
    (patch !== undefined && touchesHidden(patch, hides)) || (!!arriving && !isCoveredBy(hides, arriving));
  return [...found].flatMap(([queue, hides]) => (isTouched(hides) ? [queue] : []));
}

/** What is kept of a patch for people to see: without what it puts where something is hidden in one of its queues. */
export async function shownPatch(
  ctx: ShardedContext,
  patch: readonly PatchStep[],
  queues: readonly string[],
): Promise<PatchStep[]> {
  const found = await redactionsIn(ctx, queues);
  return [...found.values()].reduce<PatchStep[]>(maskedPatch, [...patch]);
}

/** What was copied from where something is hidden is not what is stored. @throws RedriveError VALIDATION */
export function refuseMask(patch: readonly PatchStep[] | undefined): void {
  if (!patch || !writesMask(patch)) return;
  throw new RedriveError(
    'VALIDATION',
    `The patch would put ${MASK} into payloads, which stands for a value that is hidden. Name the places to change one by one: what a patch does not name stays as it is stored.`,
    { fields: [{ field: 'patch', message: `would write ${MASK}` }] },
  );
}
