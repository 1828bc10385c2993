/**
 * Confirms a preview: from here on the set is frozen. It is counted once more, and refused when it is not what was looked at; what
 * changes after that is met, and reported, job by job.
 */
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import {
  type Operation,
  type OperationRequest,
  operationRequestSchema,
  RERUNS,
} from '@/lib/contract/operations';
import type { JobState } from '@/lib/contract/states';
import type { KeptPreview, ListedJob, OperationRecord } from '@/lib/contract/verbs';
import { idFrom, timeOrderedId } from '../id';
import type { Actor } from '../note';
import { serverNow } from '../now';
import { countMatches } from '../search/count';
import { type Place, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { approvalNeeded } from './approval';
import { newRecord, sameIntent } from './create';
import { startOf } from './deed';
import { shownPatch, touchedQueues } from './hidden';
import { listText } from './listed';
import { readPreview, takePreview } from './previews';
import { createRecord, findRecord } from './records';
import {
  COUNT_BUDGET,
  filterOf,
  freezeInFlight,
  placesWithMatches,
  scopePlaces,
  tickedQueues,
} from './scope';
import { shown } from './view';

/** Nothing leaves and comes back to these but by a person's hand: a changed count means a changed set. */
const STEADY: ReadonlySet<JobState> = new Set(['dead', 'suppressed', 'trashed', 'completed']);

/**
 * Starts the operation that was previewed; runners work it off. Sent again with the same `requestId` it finds the one it started.
 * @param mayStart throws when whoever confirms it may not do what was previewed
 * @throws RedriveError PREVIEW_STALE naming what changed, VALIDATION, ID_CONFLICT, LIMIT_REACHED, and what `mayStart` does
 */
export async function startOperation(
  ctx: ShardedContext,
  input: OperationRequest,
  by: Actor,
  mayStart?: (preview: KeptPreview) => void,
): Promise<Operation> {
  const request = parseOrThrow(operationRequestSchema, input, 'operation');
  const id = `op-${by.requestId ? idFrom(by.requestId) : timeOrderedId(await serverNow(ctx))}`;
  const again = by.requestId ? await findRecord(ctx, id) : null;
  if (again) return resent(again, request.previewToken, request.reason);
  const kept = await readPreview(ctx, request.previewToken);
  // What is hidden may have changed since: asked again, and the stricter of both counts.
  const touched = [...new Set([...kept.touched, ...(await touchedQueues(ctx, kept.request))])];
  const preview = { ...kept, touched };
  mayStart?.(preview);
  checkControl(preview, request);
  const now = await serverNow(ctx);
  const { kind, scope, ...parts } = preview.request;
  const set = await frozenSet(ctx, preview);
  const record = newRecord({
    id,
    now,
    by: { ...by, reason: request.reason },
    kind,
    scope,
    places: set.places,
    states: [scope.state],
    cutoff: preview.cutoff,
    expected: set.expected,
    estimated: set.estimated,
    listed: set.listed !== null,
    // The stricter of then and now: a queue may ask for a second person since, and who stopped asking was not asked about this one.
    waitsForApproval:
      preview.needsApproval || (await approvalNeeded(ctx, preview.request, preview, set.places)),
    preview: request.previewToken,
    parts: {
      target: parts.target ?? null,
      patch: parts.patch ?? null,
      shownPatch: parts.patch ? await shownPatch(ctx, parts.patch, queuesOf(set.places, preview)) : null,
      dueAt: parts.dueAt ?? null,
      format: parts.format ?? (kind === 'export' ? 'ndjson' : null),
      maxRows: parts.maxRows ?? null,
      includeUnsafe: parts.includeUnsafe,
    },
    control: {
      pace: request.pace ?? { ratePerSecond: null, keepReadyBelow: null },
      canary: request.canary ?? null,
      stop: request.stop ?? null,
    },
  });
  await takePreview(ctx, request.previewToken, id);
  const unhides = kind === 'move' ? touched : [];
  if (await createRecord(ctx, record, set.listed ? listText(set.listed) : '', startOf(record, by, unhides)))
    return shown(record);
  const existing = await findRecord(ctx, id);
  if (existing && sameIntent(existing, record)) return shown(existing);
  throw keyUsed();
}

function resent(existing: OperationRecord, token: string, reason: string): Operation {
  if (existing.preview === token && existing.reason === reason) return shown(existing);
  throw keyUsed();
}

export const keyUsed = (): RedriveError =>
  new RedriveError(
    'ID_CONFLICT',
    'That Idempotency-Key was used for another operation. Use a new one for each intent.',
    { fields: [{ field: 'Idempotency-Key', message: 'belongs to another operation' }] },
  );

const queuesOf = (places: readonly Place[], { touched }: KeptPreview): string[] => [
  ...places.map(({ queue }) => queue),
  ...touched,
];

interface FrozenSet {
  readonly places: readonly Place[];
  readonly expected: number;
  readonly estimated: boolean;
  readonly listed: readonly ListedJob[] | null;
}

async function frozenSet(ctx: ShardedContext, preview: KeptPreview): Promise<FrozenSet> {
  const { scope, kind } = preview.request;
  if (kind === 'delete-queue') {
    const places = await placesOf(ctx, [scope.queue ?? '']);
    return { places, expected: preview.count, estimated: true, listed: null };
  }
  if (preview.listed) {
    const names = new Set(preview.listed.map(({ place }) => place));
    const places = await placesOf(ctx, tickedQueues(scope));
    return {
      places: places.filter(({ name }) => names.has(name)),
      expected: preview.listed.length,
      estimated: false,
      listed: preview.listed,
    };
  }
  const filter = filterOf(scope);
  const { at, cutoff } = preview;
  const places = await scopePlaces(ctx, scope, filter);
  if (scope.state === 'in-flight' && preview.request.kind !== 'export') {
    const listed = await freezeInFlight(ctx, places, { filter, at, cutoff });
    const names = new Set(listed.map(({ place }) => place));
    const some = places.filter(({ name }) => names.has(name));
    return { places: some, expected: listed.length, estimated: false, listed };
  }
  const counted = await countMatches(ctx, places, {
    state: scope.state,
    filter,
    at,
    cutoff,
    budget: COUNT_BUDGET,
  });
  if (STEADY.has(scope.state)) checkCount(preview, counted);
  return {
    places: await placesWithMatches(ctx, places, { state: scope.state, filter, at, cutoff }),
    expected: counted.count,
    estimated: !counted.exact,
    listed: null,
  };
}

function checkCount(preview: KeptPreview, now: { count: number; exact: boolean }): void {
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

function checkControl(preview: KeptPreview, request: OperationRequest): void {
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
