/**
 * What an operation would do, without doing any of it. What it says is bound to a token, and the confirmation is held to it: the same
 * filter, the same cut-off, the same count.
 */
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import {
  boundPreviewRequestSchema,
  needsTypedCount,
  type Preview,
  type PreviewInput,
  type PreviewRequest,
} from '@/lib/contract/operations';
import type { ListedJob } from '@/lib/contract/verbs';
import { queueExists } from '../inspect/registry';
import { summaries } from '../inspect/summaries';
import type { Actor } from '../note';
import { serverNow } from '../now';
import { countMatches } from '../search/count';
import { facets } from '../search/facets';
import { scanPlace } from '../search/scan';
import { type Place, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { approvalNeeded } from './approval';
import { adviceOf, breakdownOf, skipsOf } from './breakdown';
import { queueDeleted } from './delete-queue-preview';
import { diffsOf } from './diffs';
import { type Editor, payloadCheck } from './edits';
import { refuseMask, touchedQueues } from './hidden';
import { stampsOf } from './listed';
import { type Looked, lookAt } from './look';
import { keepPreview, PREVIEW_KEPT_MS } from './previews';
import {
  COUNT_BUDGET,
  filterOf,
  IN_FLIGHT_MAX,
  placesWithMatches,
  scopePlaces,
  tickedQueues,
  tooMany,
} from './scope';
import { waitsOf } from './waits';

/** Up to so many are looked at one by one; of more, so many of the newest. */
export const LOOK_MAX = 2_000;
const LOOK_MAX_BYTES = 16 * 1024 * 1024;
const SCAN_MAX = 40_000;
const SAMPLES = 10;
/** What becomes ready runs, if somebody takes it. */
const READIES = new Set<PreviewRequest['kind']>(['redrive', 'move', 'edit', 'promote']);

/**
 * @param mayTouch asked before any payload is looked at, when an edit touches what is hidden in some queues: refuses by throwing
 * @throws RedriveError BAD_QUERY, VALIDATION, QUEUE_NOT_FOUND for a target nobody knows
 */
export async function previewOperation(
  ctx: ShardedContext,
  input: PreviewInput,
  by: Actor,
  mayTouch?: (queues: readonly string[]) => void,
): Promise<Preview> {
  const request = parseOrThrow(boundPreviewRequestSchema, input, 'preview');
  const { kind, scope } = request;
  await checkTarget(ctx, request);
  refuseMask(request.patch);
  const touched = await touchedQueues(ctx, request);
  if (touched.length > 0) mayTouch?.(touched);
  const at = await serverNow(ctx);
  const editor: Editor | null =
    request.patch === undefined ? null : { patch: request.patch, check: await payloadCheck(ctx) };
  const deleted = kind === 'delete-queue' ? await queueDeleted(ctx, scope.queue ?? '') : null;
  const set = deleted
    ? deleted.set
    : scope.jobs
      ? await tickedSet(ctx, request, at, editor)
      : await matchingSet(ctx, request, at, editor);
  const { count, exact, looked, lookedAt, listed } = set;
  const needsApproval = await approvalNeeded(ctx, request, { at, cutoff: at }, set.places);
  const typedCount = needsTypedCount(kind, count) ? count : null;
  const bound = { at, cutoff: at, count, exact, typedCount, needsApproval };
  const token = await keepPreview(ctx, { request, ...bound, listed, touched }, by);
  return {
    token,
    expiresAt: at + PREVIEW_KEPT_MS,
    ...bound,
    kind,
    scope,
    sampled: set.sampled,
    ageSampled: set.ageSampled,
    breakdown: set.breakdown,
    samples: await samplesOf(ctx, request, looked),
    skips: set.skips,
    lookedAt,
    deletes: deleted?.deletes ?? null,
    waits: READIES.has(kind) ? await waitsOf(ctx, looked, request.target ?? null) : [],
    advice: READIES.has(kind) && kind !== 'promote' ? adviceOf(set.breakdown.class) : [],
    ...(editor ? { diffs: await diffsOf(ctx, looked, editor) } : {}),
  };
}

export interface PreviewedSet
  extends Pick<Preview, 'count' | 'exact' | 'sampled' | 'ageSampled' | 'breakdown' | 'skips' | 'lookedAt'> {
  readonly looked: readonly Looked[];
  readonly listed: ListedJob[] | null;
  /** Where there may be some: its breakdown may be of a sample, and name fewer. */
  readonly places: readonly Place[];
}

async function tickedSet(
  ctx: ShardedContext,
  request: PreviewRequest,
  at: number,
  editor: Editor | null,
): Promise<PreviewedSet> {
  const listed = await stampsOf(ctx, request.scope);
  const places = await placesOf(ctx, tickedQueues(request.scope));
  const looked: Looked[] = [];
  for (const place of places) {
    const here = listed.filter((job) => job.place === place.name && job.stamp !== '');
    looked.push(...(await lookAt(ctx, place, here, { request, at, editor })).looked);
  }
  const gone = listed.filter(({ stamp }) => stamp === '').length;
  const skips = skipsOf(looked);
  return {
    count: listed.length,
    exact: true,
    sampled: null,
    ageSampled: null,
    breakdown: breakdownOf(looked, at),
    skips: gone > 0 ? { ...skips, changed: gone } : skips,
    lookedAt: null,
    looked,
    listed,
    places,
  };
}

async function matchingSet(
  ctx: ShardedContext,
  request: PreviewRequest,
  at: number,
  editor: Editor | null,
): Promise<PreviewedSet> {
  const { scope, kind } = request;
  const filter = filterOf(scope);
  const question = { state: scope.state, filter, at, cutoff: at };
  const places = await scopePlaces(ctx, scope, filter);
  const found = await countMatches(ctx, places, { ...question, budget: COUNT_BUDGET });
  if (scope.state === 'in-flight' && kind !== 'export' && found.count > IN_FLIGHT_MAX) throw tooMany();
  const some = found.count === 0 && found.exact ? [] : await placesWithMatches(ctx, places, question);
  const { looked, all } = await lookAtNewest(ctx, some, question, { request, at, editor });
  const base = {
    ...found,
    looked,
    places: some,
    listed: null,
    skips: skipsOf(looked),
    lookedAt: all ? null : looked.length,
    ageSampled: null,
  };
  // Everything was looked at: then that is what there is.
  if (all)
    return { ...base, count: looked.length, exact: true, sampled: null, breakdown: breakdownOf(looked, at) };
  const counts = await facets(ctx, { ...scope, q: scope.q ?? '' });
  const { queue, type, code, class: classes, tenant, age } = counts.facets;
  return {
    ...base,
    sampled: counts.sampled,
    ageSampled: counts.ageSampled,
    breakdown: { queue, type, code, class: classes, tenant, age },
  };
}

/** All of them, if these are few; else some of the newest of every place. */
async function lookAtNewest(
  ctx: ShardedContext,
  places: readonly Place[],
  question: Parameters<typeof placesWithMatches>[2],
  input: Parameters<typeof lookAt>[3],
): Promise<{ looked: Looked[]; all: boolean }> {
  const looked: Looked[] = [];
  let bytes = 0;
  let all = true;
  let left = places.length;
  for (const place of places) {
    // What one place leaves of its share the next may use.
    const share = Math.ceil((LOOK_MAX + 1 - looked.length) / left--);
    const found = await scanPlace(ctx, place, {
      ...question,
      order: 'newest',
      cursor: '',
      maxScan: SCAN_MAX,
      maxHits: Math.max(1, share),
    });
    const part = await lookAt(ctx, place, found.hits, input, LOOK_MAX_BYTES - bytes);
    looked.push(...part.looked);
    bytes += part.bytes;
    all &&= found.done;
    if (looked.length > LOOK_MAX || bytes > LOOK_MAX_BYTES) {
      all = false;
      break;
    }
  }
  return { looked: looked.slice(0, LOOK_MAX), all };
}

async function samplesOf(
  ctx: ShardedContext,
  { scope }: PreviewRequest,
  looked: readonly Looked[],
): Promise<Preview['samples']> {
  const newest = [...looked].sort((a, b) => b.facts.enteredAt - a.facts.enteredAt).slice(0, SAMPLES);
  const samples: Preview['samples'] = [];
  for (const { place, jobId, score } of newest)
    samples.push(...(await summaries(ctx, place.name, scope.state, [{ jobId, score }])));
  return samples;
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
