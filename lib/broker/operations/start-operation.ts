/** Confirms a preview: from here on the set is frozen. Jobs that change later are skipped one by one. */

import type { JobState } from '@/lib/contract/jobs/job-states';
import type { Operation } from '@/lib/contract/operations/operation';
import { RERUNS } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord, SelectedJob, StoredPreview } from '@/lib/contract/operations/operation-record';
import type { Canary, ParsedOperationRequest } from '@/lib/contract/operations/operation-request';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Actor } from '../access/actor';
import { idFrom, timeOrderedId } from '../jobs/job-id';
import { payAhead, payForLater } from '../redis/scripts/audit-purse';
import { serverNow } from '../redis/server-info';
import { countMatches } from '../search/scan/count-matches';
import { shardRefsOf } from '../shards/shard-ref';
import type { ShardedContext } from '../shards/sharded-context';
import { isApprovalNeeded, patchForDisplay, queuesWithHiddenData } from './preview/operation-checks';
import { consumePreview, readPreview } from './preview/preview-store';
import {
  COUNT_BUDGET,
  formatSelection,
  listInFlightJobs,
  scopeFilter,
  scopeShards,
  selectedQueues,
  shardsWithMatches,
} from './preview/scope-jobs';
import { buildRecord } from './store/build-record';
import { createRecord, findResent } from './store/create-record';
import { startEvent } from './store/operation-audit';
import { toOperation } from './store/read-operations';

/** Jobs enter and leave these states only by an operator's action: a changed count means a changed set. */
const STEADY: ReadonlySet<JobState> = new Set(['dead', 'suppressed', 'trashed', 'completed']);

/**
 * Starts the operation that was previewed; runners do the work. Sent again with the same `by.requestId`, it finds the operation it started.
 * @param mayStart throws when the user may not start the previewed operation
 * @throws RedriveError PREVIEW_STALE naming what changed, VALIDATION, ID_CONFLICT, LIMIT_REACHED
 */
export async function startOperation(
  ctx: ShardedContext,
  request: ParsedOperationRequest,
  by: Actor,
  mayStart?: (preview: StoredPreview) => void,
): Promise<Operation> {
  const { previewToken, reason } = request;
  const now = await serverNow(ctx);
  const id = operationId(by, now);
  const terms = JSON.stringify([request.rate, request.canary, request.stop]);
  const resent = await findResent(ctx, id, by, { preview: previewToken, undoes: null, reason, terms });
  if (resent) return toOperation(resent);
  const stored = await readPreview(ctx, previewToken);
  // Redaction may have changed since the preview: the stricter of both counts.
  const touched = [...new Set([...stored.touched, ...(await queuesWithHiddenData(ctx, stored.request))])];
  const preview = { ...stored, touched };
  mayStart?.(preview);
  checkConfirmation(preview, request);
  const { kind, scope, target = null, patch = null, dueAt = null, maxRows = null } = preview.request;
  const { shards, selection, ...counts } = await freezeJobs(ctx, preview);
  // So may the approval setting of a queue.
  const needsApproval =
    preview.needsApproval || (await isApprovalNeeded(ctx, preview.request, preview, shards));
  const queues = [...shards.map(({ queue }) => queue), ...touched];
  const record = buildRecord(
    now,
    { ...by, reason },
    {
      id,
      kind,
      scope,
      target,
      patch,
      maskedPatch: patch && (await patchForDisplay(ctx, patch, queues)),
      dueAt,
      format: preview.request.format ?? (kind === 'export' ? 'ndjson' : null),
      maxRows,
      includeUnsafe: preview.request.includeUnsafe,
      status: needsApproval ? 'awaiting-approval' : 'running',
      ...counts,
      cutoff: preview.cutoff,
      shards,
      states: [scope.state],
      hasSelection: selection !== null,
      preview: previewToken,
      terms,
      ...(request.rate ? { rate: request.rate } : {}),
      canary: request.canary ? canaryWithin(request.canary, counts) : null,
      stop: request.stop ?? null,
    },
  );
  await payForOperation(ctx, record);
  await consumePreview(ctx, previewToken, id);
  const event = startEvent(record, by, kind === 'move' ? touched : []);
  return toOperation(await createRecord(ctx, record, event, selection ? formatSelection(selection) : ''));
}

/** Its start is recorded, its end in each shard, and the arrival of jobs in each shard of the queue they move to. */
export async function payForOperation(
  ctx: ShardedContext,
  { shards, target }: Pick<OperationRecord, 'shards' | 'target'>,
): Promise<void> {
  const arrivals = target === null ? [] : await shardRefsOf(ctx, [target]);
  await payAhead(['.operations']);
  await payForLater([...shards, ...arrivals].map(({ name }) => name));
}

/** A canary of all jobs would hold none back: at least one follows it. Null: there is only one job. */
function canaryWithin(
  canary: Canary,
  { expected, estimated }: Pick<OperationRecord, 'expected' | 'estimated'>,
): Canary | null {
  if (estimated) return canary;
  return expected < 2 ? null : { ...canary, jobs: Math.min(canary.jobs, expected - 1) };
}

/** The same id each time one request is sent. */
export const operationId = (by: Actor, now: number): string =>
  `op-${by.requestId ? idFrom(by.requestId) : timeOrderedId(now)}`;

interface FrozenJobs extends Pick<OperationRecord, 'shards' | 'expected' | 'estimated'> {
  /** Null: every job that matches the query. */
  readonly selection: readonly SelectedJob[] | null;
}

async function freezeJobs(ctx: ShardedContext, preview: StoredPreview): Promise<FrozenJobs> {
  const { scope, kind } = preview.request;
  if (kind === 'delete-queue') {
    const shards = await shardRefsOf(ctx, [scope.queue ?? '']);
    return { shards, expected: preview.count, estimated: true, selection: null };
  }
  const filter = scopeFilter(scope);
  const question = { filter, at: preview.at, cutoff: preview.cutoff };
  const shards = preview.selection
    ? await shardRefsOf(ctx, selectedQueues(scope))
    : await scopeShards(ctx, scope, filter);
  const isInFlight = scope.state === 'in-flight' && kind !== 'export';
  const selection = preview.selection ?? (isInFlight ? await listInFlightJobs(ctx, shards, question) : null);
  if (selection) {
    const names = new Set(selection.map(({ shard }) => shard));
    return {
      shards: shards.filter(({ name }) => names.has(name)),
      expected: selection.length,
      estimated: false,
      selection,
    };
  }
  const { state } = scope;
  const matches = await countMatches(ctx, shards, { ...question, state, budget: COUNT_BUDGET });
  if (STEADY.has(state)) checkCount(preview, matches);
  return {
    shards: await shardsWithMatches(ctx, shards, { ...question, state }),
    expected: matches.count,
    estimated: !matches.exact,
    selection: null,
  };
}

function checkCount(preview: StoredPreview, now: { count: number; exact: boolean }): void {
  if (!preview.exact || !now.exact || preview.count === now.count) return;
  const [before, after] = [preview.count, now.count];
  const change =
    after < before
      ? `${before - after} of them have left since`
      : `${after - before} more have come back since`;
  throw new RedriveError(
    'PREVIEW_STALE',
    `${before} jobs matched when this was previewed, and ${after} do now: ${change}. Look at a new preview, then confirm that.`,
    { fields: [{ field: 'previewToken', message: `was made for ${before} jobs; now ${after} match` }] },
  );
}

/** Count and name are typed as the preview asked, and the options fit the kind. @throws RedriveError VALIDATION */
function checkConfirmation(preview: StoredPreview, request: ParsedOperationRequest): void {
  const { kind } = preview.request;
  const wrong: { field: string; message: string }[] = [];
  if (preview.typedCount !== null && request.typedCount !== preview.typedCount)
    wrong.push({
      field: 'typedCount',
      message:
        request.typedCount === undefined
          ? `type ${preview.typedCount}, the number of jobs, to confirm`
          : `is ${request.typedCount}; the preview is about ${preview.typedCount} jobs`,
    });
  const name = kind === 'delete-queue' ? preview.request.scope.queue : undefined;
  if (request.typedName !== name)
    wrong.push({
      field: 'typedName',
      message:
        name === undefined ? `does not fit a ${kind}` : `type ${name}, the name of the queue, to confirm`,
    });
  if (!RERUNS.has(kind))
    for (const field of ['canary', 'stop'] as const)
      if (request[field])
        wrong.push({ field, message: `does not fit a ${kind}: what it moves does not run again` });
  if (wrong.length > 0)
    throw new RedriveError(
      'VALIDATION',
      `operation is not valid: ${wrong.map(({ field, message }) => `${field}: ${message}`).join('; ')}.`,
      { fields: wrong },
    );
}
