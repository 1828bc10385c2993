/** Edits and what is hidden: which queues hide something that a patch touches, and the patch as it may be shown. */
import { RedriveError } from '@/lib/contract/errors';
import type { PatchStep, PreviewRequest } from '@/lib/contract/operations';
import { MASK, maskedPatch, touchesHidden, writesMask } from '@/lib/contract/redaction';
import { redactionsIn } from '../redaction';
import type { ShardedContext } from '../shards';
import { filterOf, scopePlaces, tickedQueues } from './scope';

/** In these queues the patch reads, writes or moves something that is hidden. */
export async function touchedQueues(
  ctx: ShardedContext,
  { patch, scope }: PreviewRequest,
): Promise<string[]> {
  if (!patch) return [];
  const queues = scope.jobs
    ? tickedQueues(scope)
    : (await scopePlaces(ctx, scope, filterOf(scope))).map(({ queue }) => queue);
  const found = await redactionsIn(ctx, queues);
  return [...found].flatMap(([queue, hides]) => (touchesHidden(patch, hides) ? [queue] : []));
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
