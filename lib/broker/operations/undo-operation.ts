/** Undoes an operation: by the inverse one, on the jobs that the first moved and that are still where it put them. */

import { type AccessScope, FULL_SCOPE, intersectScopes } from '@/lib/contract/access/grant-scopes';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { Operation } from '@/lib/contract/operations/operation';
import { operationAccessScope } from '@/lib/contract/operations/operation-access-scope';
import { isOpen, KIND_STATES, UNDO_OPEN_MS, UNDOS_KEPT } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import type { Scope, UndoRequest } from '@/lib/contract/operations/operation-request';
import { RedriveError } from '@/lib/contract/redrive-error';
import { parseQueryOrThrow, printQuery, withTerm } from '@/lib/contract/search/query';
import type { Actor } from '../access/actor';
import { serverNow } from '../redis/server-info';
import { queuesInScope } from '../search/open-search';
import { countMatches } from '../search/scan/count-matches';
import { shardRefsOf } from '../shards/shard-ref';
import type { ShardedContext } from '../shards/sharded-context';
import { COUNT_BUDGET, scopeFilter } from './preview/scope-jobs';
import { operationId, payForOperation } from './start-operation';
import { buildRecord } from './store/build-record';
import { createRecord, findResent } from './store/create-record';
import { startEvent } from './store/operation-audit';
import { loadRecord, updateRecord } from './store/operation-store';
import { getOperation, toOperation } from './store/read-operations';

/** States in which re-driven jobs wait. Held comes twice, because jobs go from held to ready and back during the walk. */
const RECALL_STATES: readonly JobState[] = ['held', 'retry', 'ready', 'held'];

/** Undefined: everything. A function decides on the very record, and throws if the user must not undo it. */
export type UndoScope = AccessScope | ((undone: OperationRecord) => AccessScope | undefined);

/**
 * @param scope limits the jobs to the user's
 * @throws RedriveError OPERATION_STATE when it cannot be undone, BAD_QUERY, ID_CONFLICT
 */
export async function undoOperation(
  ctx: ShardedContext,
  id: string,
  { reason, q }: UndoRequest,
  by: Actor,
  scope?: UndoScope,
): Promise<Operation> {
  const undone = await loadRecord(ctx, id);
  const within = typeof scope === 'function' ? scope(undone) : scope;
  const now = await serverNow(ctx);
  const undoId = operationId(by, now);
  const request = { preview: null, undoes: id, reason, terms: JSON.stringify([q]) };
  const resent = await findResent(ctx, undoId, by, request);
  if (resent) return toOperation(resent);
  const { undo, status } = await getOperation(ctx, id);
  if (isOpen(status))
    throw refused(id, `it is ${status}. Cancel it first; what it has moved can then be undone`);
  if (undo === null) {
    // The same request may have been sent twice at once: the other one undoes it.
    const other = await findResent(ctx, undoId, by, request);
    if (other) return toOperation(other);
    throw refused(id, whyNot(await loadRecord(ctx, id), now));
  }
  const query = undoQuery(id, q);
  const commonScope = intersect(within, undone.scope);
  const filter = scopeFilter({ q: query, within: commonScope });
  const states = undo.kind === 'recall' ? RECALL_STATES : KIND_STATES[undo.kind];
  // Sharding may have changed, and moved jobs are in another queue.
  const queues = queuesInScope(commonScope, [...new Set(undone.shards.map(({ queue }) => queue))]);
  const shards = await shardRefsOf(ctx, queues);
  let [expected, estimated] = [0, undo.kind === 'recall'];
  for (const state of new Set(states)) {
    const question = { state, filter, at: now, cutoff: null, budget: COUNT_BUDGET };
    const matches = await countMatches(ctx, shards, question);
    expected += matches.count;
    estimated ||= !matches.exact;
  }
  const record = buildRecord(
    now,
    { ...by, reason },
    {
      id: undoId,
      kind: undo.kind,
      scope: {
        state: undo.kind === 'recall' ? 'ready' : (states[0] ?? 'trashed'),
        q: query,
        ...(commonScope ? { within: commonScope } : {}),
      },
      shards,
      states: [...states],
      cutoff: now,
      expected,
      // Jobs run while they are recalled, so the count of a recall is an estimate.
      estimated,
      undoes: id,
      terms: request.terms,
    },
  );
  await payForOperation(ctx, record);
  // Named first: if this process dies in between, the id names no operation and counts for nothing.
  await updateRecord(ctx, id, (latest) => ({
    ...latest,
    undoneBy: [...latest.undoneBy.filter((earlier) => earlier !== undoId), undoId].slice(-UNDOS_KEPT),
  }));
  return toOperation(await createRecord(ctx, record, startEvent(record, by)));
}

/** The jobs that the operation moved and that match `q`. @throws RedriveError BAD_QUERY when the whole is too long or too deep */
function undoQuery(id: string, q: string | undefined): string {
  const moved = { kind: 'name', field: 'operation', value: id, prefix: false } as const;
  return printQuery(withTerm(moved, parseQueryOrThrow(q ?? '')));
}

/** What both the user and the operation may touch. Undefined: everything. */
function intersect(within: AccessScope | undefined, scope: Scope): AccessScope | undefined {
  if (within === undefined && scope.within === undefined) return undefined;
  return intersectScopes(within ?? FULL_SCOPE, operationAccessScope(scope));
}

function whyNot({ kind, undo, undoneBy, endedAt, createdAt }: OperationRecord, now: number): string {
  if (undo === null) return `what a ${kind} did stays, or it moved nothing`;
  if (undo.until === null && (endedAt ?? createdAt) + UNDO_OPEN_MS <= now)
    return 'it ended more than seven days ago. An operation on its jobs, which the filter `operation:` finds, can still take them back';
  if (undo.kind === 'recall') return 'nothing of it waits any more: what it put back has run';
  if (undo.until !== null && undo.until <= now)
    return 'the grace of the trash is over, and what was in it is deleted';
  return `operation ${undoneBy.at(-1) ?? 'of another user'} undoes it already`;
}

const refused = (id: string, why: string): RedriveError =>
  new RedriveError('OPERATION_STATE', `Operation ${id} cannot be undone: ${why}.`);
