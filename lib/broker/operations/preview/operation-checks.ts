/** Checks at preview, confirmation and resumption: approval, and values that redaction hides. */

import { readRedactions } from '@/lib/broker/queues/settings/queue-redaction';
import { getConfig } from '@/lib/broker/queues/settings/sharded-settings';
import { countMatches } from '@/lib/broker/search/scan/count-matches';
import { groupWithPositions } from '@/lib/broker/shards/fan-out';
import type { ShardRef } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { DELETES_DATA } from '@/lib/contract/operations/operation-kinds';
import type { PatchStep, PreviewRequest } from '@/lib/contract/operations/operation-request';
import { type QueueConfig, reducedRetention } from '@/lib/contract/queues/queue-config';
import {
  isCoveredBy,
  MASK,
  maskedPatch,
  type Redaction,
  touchesHidden,
  writesMask,
} from '@/lib/contract/redaction';
import { RedriveError } from '@/lib/contract/redrive-error';
import { COUNT_BUDGET, scopeFilter, scopeShards, selectedQueues } from './scope-jobs';

type Approvable = Pick<PreviewRequest, 'kind'> & { readonly target?: string | null | undefined };

/** A move may lead to a queue that deletes sooner. */
const targetOf = ({ kind, target }: Approvable): string | null => (kind === 'move' ? (target ?? null) : null);

/** Whether a queue can ask a second user to approve such an operation. */
export const mayNeedApproval = (operation: Approvable): boolean =>
  targetOf(operation) !== null || DELETES_DATA.has(operation.kind);

/** Whether the queue now asks a second user to approve what the operation does to its jobs. */
export async function asksApproval(
  ctx: ShardedContext,
  operation: Approvable,
  queue: string,
): Promise<boolean> {
  if (!mayNeedApproval(operation)) return false;
  const { config } = await getConfig(ctx, queue);
  if (!config.purgeNeedsApproval) return false;
  const target = targetOf(operation);
  return target === null || !isAsSafe((await getConfig(ctx, target)).config, config);
}

/** The first of the queues that asks; null: none. */
export async function queueAskingApproval(
  ctx: ShardedContext,
  operation: Approvable,
  queues: readonly string[],
): Promise<string | null> {
  if (!mayNeedApproval(operation)) return null;
  for (const queue of new Set(queues)) if (await asksApproval(ctx, operation, queue)) return queue;
  return null;
}

/**
 * Whether one of the queues requires approval and may lose data.
 * @param shards where its jobs may be
 */
export async function isApprovalNeeded(
  ctx: ShardedContext,
  request: Pick<PreviewRequest, 'kind' | 'scope'> & { target?: string | null | undefined },
  { at, cutoff }: { at: number; cutoff: number },
  shards: readonly ShardRef[],
): Promise<boolean> {
  const { kind, scope } = request;
  if (!mayNeedApproval(request)) return false;
  for (const [queue, { items }] of groupWithPositions(shards, (shard) => shard.queue)) {
    if (!(await asksApproval(ctx, request, queue))) continue;
    if (scope.jobs || kind === 'delete-queue') return true;
    const question = { state: scope.state, filter: scopeFilter(scope), at, cutoff };
    const { count, exact } = await countMatches(ctx, items, { ...question, budget: COUNT_BUDGET });
    // An unknown count may be more than none.
    if (count > 0 || !exact) return true;
  }
  return false;
}

/** The other queue protects jobs as well as this one. */
const isAsSafe = (target: QueueConfig, source: QueueConfig): boolean =>
  target.purgeNeedsApproval && reducedRetention(target, source).length === 0;

/** Queues in which an edit touches hidden values, or which hide values that the target of a move shows. */
export async function queuesWithHiddenData(
  ctx: ShardedContext,
  { patch, scope, target }: Pick<PreviewRequest, 'patch' | 'scope' | 'target'>,
): Promise<string[]> {
  if (!patch && target === undefined) return [];
  const queues = scope.jobs
    ? selectedQueues(scope)
    : (await scopeShards(ctx, scope, scopeFilter(scope))).map(({ queue }) => queue);
  const redactions = await readRedactions(ctx, queues);
  const arriving = target === undefined ? null : (await readRedactions(ctx, [target])).get(target);
  const isTouched = (hides: Redaction): boolean =>
    (patch !== undefined && touchesHidden(patch, hides)) || (!!arriving && !isCoveredBy(hides, arriving));
  return [...redactions].flatMap(([queue, hides]) => (isTouched(hides) ? [queue] : []));
}

/** The patch without the values that one of the queues hides. */
export async function patchForDisplay(
  ctx: ShardedContext,
  patch: readonly PatchStep[],
  queues: readonly string[],
): Promise<PatchStep[]> {
  const redactions = await readRedactions(ctx, queues);
  return [...redactions.values()].reduce<PatchStep[]>(maskedPatch, [...patch]);
}

/** Refuses a patch that would write the mask of a hidden value. @throws RedriveError VALIDATION */
export function rejectMaskedPatch(patch: readonly PatchStep[] | undefined): void {
  if (!patch || !writesMask(patch)) return;
  throw new RedriveError(
    'VALIDATION',
    `The patch would put ${MASK} into payloads, which stands for a hidden value. Name the paths to change one by one: all other values stay as they are stored.`,
    { fields: [{ field: 'patch', message: `would write ${MASK}` }] },
  );
}
