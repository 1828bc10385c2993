/** Previews an operation without changing anything. Its token stands for the filter, cut-off and count that the user confirms. */

import type { Actor } from '@/lib/broker/access/actor';
import { serverNow } from '@/lib/broker/redis/server-info';
import { countFacets } from '@/lib/broker/search/facets/count-facets';
import { countMatches } from '@/lib/broker/search/scan/count-matches';
import { scanShard } from '@/lib/broker/search/scan/scan-shard';
import { queueExists } from '@/lib/broker/shards/queue-registry';
import { type ShardRef, shardRefsOf } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import {
  MAKES_READY,
  needsTypedCount,
  PREVIEW_TTL_MS,
  RERUNS,
} from '@/lib/contract/operations/operation-kinds';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import type { PreviewRequest } from '@/lib/contract/operations/operation-request';
import { RedriveError } from '@/lib/contract/redrive-error';
import { loadPayloadCheck, type PayloadEditor } from '../kinds/edit-payload';
import { type InspectedJob, inspectJobs } from './inspect-jobs';
import { isApprovalNeeded, queuesWithHiddenData, rejectMaskedPatch } from './operation-checks';
import { predictRuns } from './predict-runs';
import { previewQueueDeletion } from './preview-queue-deletion';
import { savePreview } from './preview-store';
import {
  countBreakdown,
  countSkips,
  type PreviewSet,
  payloadDiffs,
  readSamples,
  rerunAdvice,
} from './preview-summary';
import {
  COUNT_BUDGET,
  IN_FLIGHT_MAX,
  readSelection,
  scopeFilter,
  scopeShards,
  selectedQueues,
  shardsWithMatches,
  tooManyInFlight,
} from './scope-jobs';

/** Jobs inspected one by one; of more, the newest. */
const INSPECT_MAX = 2_000;
const INSPECT_MAX_BYTES = 16 * 1024 * 1024;
const SCAN_MAX = 40_000;

/**
 * @param mayTouch called with the queues whose hidden values the operation touches, before payloads are read; throws to refuse
 * @throws RedriveError BAD_QUERY, VALIDATION, QUEUE_NOT_FOUND for an unknown target
 */
export async function previewOperation(
  ctx: ShardedContext,
  request: PreviewRequest,
  by: Actor,
  mayTouch?: (queues: readonly string[]) => void,
): Promise<Preview> {
  const { kind, scope } = request;
  await checkTarget(ctx, request);
  rejectMaskedPatch(request.patch);
  const touched = await queuesWithHiddenData(ctx, request);
  if (touched.length > 0) mayTouch?.(touched);
  const at = await serverNow(ctx);
  const editor: PayloadEditor | null =
    request.patch === undefined ? null : { patch: request.patch, check: await loadPayloadCheck(ctx) };
  const deletion = kind === 'delete-queue' ? await previewQueueDeletion(ctx, scope.queue ?? '') : null;
  const set = deletion
    ? deletion.set
    : scope.jobs
      ? await selectedSet(ctx, request, at, editor)
      : await matchingSet(ctx, request, at, editor);
  const { count, exact, jobs, inspected, selection } = set;
  const needsApproval = await isApprovalNeeded(ctx, request, { at, cutoff: at }, set.shards);
  const typedCount = needsTypedCount(kind, count) ? count : null;
  const bound = { at, cutoff: at, count, exact, typedCount, needsApproval };
  const token = await savePreview(ctx, { request, ...bound, selection, touched }, by);
  return {
    token,
    expiresAt: at + PREVIEW_TTL_MS,
    ...bound,
    kind,
    scope,
    sampled: set.sampled,
    ageSampled: set.ageSampled,
    breakdown: set.breakdown,
    samples: await readSamples(ctx, scope.state, jobs),
    skips: set.skips,
    inspected,
    deletes: deletion?.deletes ?? null,
    ...(MAKES_READY.has(kind)
      ? await predictRuns(ctx, jobs, request.target ?? null)
      : { blocked: [], unsupported: [] }),
    advice: RERUNS.has(kind) ? rerunAdvice(set.breakdown.class) : [],
    ...(editor ? { diffs: await payloadDiffs(ctx, jobs, editor) } : {}),
  };
}

async function selectedSet(
  ctx: ShardedContext,
  request: PreviewRequest,
  at: number,
  editor: PayloadEditor | null,
): Promise<PreviewSet> {
  const selection = await readSelection(ctx, request.scope);
  const shards = await shardRefsOf(ctx, selectedQueues(request.scope));
  const jobs: InspectedJob[] = [];
  for (const shard of shards) {
    const present = selection.filter((job) => job.shard === shard.name && job.stamp !== '');
    jobs.push(...(await inspectJobs(ctx, shard, present, { request, editor })).jobs);
  }
  const gone = selection.filter(({ stamp }) => stamp === '').length;
  const skips = countSkips(jobs);
  return {
    count: selection.length,
    exact: true,
    sampled: null,
    ageSampled: null,
    breakdown: countBreakdown(jobs, at),
    skips: gone > 0 ? { ...skips, changed: gone } : skips,
    inspected: null,
    jobs,
    selection,
    shards,
  };
}

async function matchingSet(
  ctx: ShardedContext,
  request: PreviewRequest,
  at: number,
  editor: PayloadEditor | null,
): Promise<PreviewSet> {
  const { scope, kind } = request;
  const filter = scopeFilter(scope);
  const question = { state: scope.state, filter, at, cutoff: at };
  const shards = await scopeShards(ctx, scope, filter);
  const matches = await countMatches(ctx, shards, { ...question, budget: COUNT_BUDGET });
  if (scope.state === 'in-flight' && kind !== 'export' && matches.count > IN_FLIGHT_MAX)
    throw tooManyInFlight();
  const matching = matches.count === 0 && matches.exact ? [] : await shardsWithMatches(ctx, shards, question);
  const { jobs, isAll } = await inspectNewest(ctx, matching, question, { request, editor });
  const base = {
    ...matches,
    jobs,
    shards: matching,
    selection: null,
    skips: countSkips(jobs),
    inspected: isAll ? null : jobs.length,
    ageSampled: null,
  };
  if (isAll)
    return {
      ...base,
      count: jobs.length,
      exact: true,
      sampled: null,
      breakdown: countBreakdown(jobs, at),
    };
  const counts = await countFacets(ctx, { ...scope, q: scope.q ?? '' });
  const { queue, type, code, class: classes, tenant, age } = counts.facets;
  return {
    ...base,
    sampled: counts.sampled,
    ageSampled: counts.ageSampled,
    breakdown: { queue, type, code, class: classes, tenant, age },
  };
}

/** Inspects all matching jobs if they are few, else some of the newest of every shard. */
async function inspectNewest(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  question: Parameters<typeof shardsWithMatches>[2],
  input: Parameters<typeof inspectJobs>[3],
): Promise<{ jobs: InspectedJob[]; isAll: boolean }> {
  const jobs: InspectedJob[] = [];
  let bytes = 0;
  let isAll = true;
  let left = shards.length;
  for (const shard of shards) {
    // The next shard may use what one leaves of its share.
    const share = Math.ceil((INSPECT_MAX + 1 - jobs.length) / left--);
    const scan = await scanShard(ctx, shard, {
      ...question,
      order: 'newest',
      cursor: '',
      maxScan: SCAN_MAX,
      maxHits: Math.max(1, share),
    });
    const part = await inspectJobs(ctx, shard, scan.hits, input, INSPECT_MAX_BYTES - bytes);
    jobs.push(...part.jobs);
    bytes += part.bytes;
    isAll &&= scan.done;
    if (jobs.length > INSPECT_MAX || bytes > INSPECT_MAX_BYTES) {
      isAll = false;
      break;
    }
  }
  return { jobs: jobs.slice(0, INSPECT_MAX), isAll };
}

async function checkTarget(ctx: ShardedContext, { kind, target, scope }: PreviewRequest): Promise<void> {
  if (kind !== 'move' || target === undefined) return;
  if (scope.queue === target)
    throw new RedriveError(
      'VALIDATION',
      `The jobs are in ${target} already. Name another queue, or re-drive them.`,
      {
        fields: [{ field: 'target', message: 'is the queue they are in' }],
      },
    );
  if (!(await queueExists(ctx, target)))
    throw new RedriveError('QUEUE_NOT_FOUND', `There is no queue ${target} to move the jobs to.`, {
      fields: [{ field: 'target', message: 'names no queue' }],
    });
}
