/** Undoes an operation: by the inverse one, on what the first moved and is still where it put it. */
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { areasOfScope } from '@/lib/contract/operation-areas';
import {
  KIND_STATES,
  type Operation,
  type Scope,
  type UndoRequest,
  undoRequestSchema,
} from '@/lib/contract/operations';
import { EVERYWHERE, intersection, type Within } from '@/lib/contract/permissions';
import { parseQueryOrThrow, printQuery } from '@/lib/contract/query';
import type { JobState } from '@/lib/contract/states';
import { idFrom, timeOrderedId } from '../id';
import type { Actor } from '../note';
import { serverNow } from '../now';
import { countMatches } from '../search/count';
import { reachedBy } from '../search/request';
import { placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { keyUsed } from './confirm';
import { newRecord, sameIntent } from './create';
import { startOf } from './deed';
import { createRecord, findRecord, loadRecord } from './records';
import { COUNT_BUDGET, filterOf } from './scope';
import { getOperation, shown } from './view';

/**
 * Where re-driven jobs may wait, in the order they are looked for. A pause or a limit takes jobs from ready to held and back while
 * the walk goes on: held is looked at before and after.
 */
const RECALL_STATES: readonly JobState[] = ['held', 'retry', 'ready', 'held'];

/**
 * @param within what whoever undoes it may touch; left out: everything
 * @throws RedriveError OPERATION_STATE when it cannot be undone, BAD_QUERY, ID_CONFLICT
 */
export async function undoOperation(
  ctx: ShardedContext,
  id: string,
  input: UndoRequest,
  by: Actor,
  within?: Within,
): Promise<Operation> {
  const { reason, q } = parseOrThrow(undoRequestSchema, input, 'undo');
  const now = await serverNow(ctx);
  const undoId = `op-${by.requestId ? idFrom(by.requestId) : timeOrderedId(now)}`;
  const again = by.requestId ? await findRecord(ctx, undoId) : null;
  if (again) {
    if (again.undoes !== id || again.reason !== reason) throw keyUsed();
    return shown(again);
  }
  const undone = await loadRecord(ctx, id);
  const { undo, status } = await getOperation(ctx, id);
  if (status === 'running' || status === 'paused' || status === 'awaiting-approval')
    throw refused(id, `it is ${status}. Cancel it first; what it has moved can then be undone`);
  if (undo === null) throw refused(id, whyNot(undone.kind, undone.undo !== null));
  const narrowed = q?.trim() ? parseQueryOrThrow(q) : null;
  const moved = { kind: 'name', field: 'operation', value: id, prefix: false } as const;
  const terms =
    narrowed === null || narrowed.kind === 'all' ? [] : narrowed.kind === 'and' ? narrowed.of : [narrowed];
  // Read back as every runner will read it: what is too long or too deep is refused here, where somebody is told.
  const query = printQuery({ kind: 'and', of: [moved, ...terms] });
  const mine = both(within, undone.scope);
  const filter = filterOf({ q: query, within: mine });
  const states = undo.kind === 'recall' ? RECALL_STATES : [KIND_STATES[undo.kind][0] ?? 'trashed'];
  // Sharding may have changed, and where its jobs are may be another queue: asked anew.
  const queues = reachedBy(mine, [...new Set(undone.places.map(({ queue }) => queue))]);
  const places = await placesOf(ctx, queues);
  const question = { filter, at: now, cutoff: null, budget: COUNT_BUDGET };
  let [expected, estimated] = [0, false];
  for (const state of new Set(states)) {
    const counted = await countMatches(ctx, places, { ...question, state });
    expected += counted.count;
    estimated ||= !counted.exact;
  }
  const scope: Scope = {
    state: undo.kind === 'recall' ? 'ready' : (states[0] ?? 'trashed'),
    q: query,
    ...(mine ? { within: mine } : {}),
  };
  const record = newRecord({
    id: undoId,
    now,
    by: { ...by, reason },
    kind: undo.kind,
    scope,
    places,
    states,
    cutoff: now,
    expected,
    // Jobs go on running while they are recalled: what was counted is not what will be met.
    estimated: estimated || undo.kind === 'recall',
    undoes: id,
  });
  if (await createRecord(ctx, record, '', startOf(record, by))) return shown(record);
  const existing = await findRecord(ctx, undoId);
  if (existing && sameIntent(existing, record)) return shown(existing);
  throw keyUsed();
}

/** What whoever undoes it may touch, of what it could touch itself. Left out: all of it. */
function both(within: Within | undefined, scope: Scope): Within | undefined {
  if (within === undefined && scope.within === undefined) return undefined;
  return intersection(within ?? EVERYWHERE, areasOfScope(scope));
}

function whyNot(kind: Operation['kind'], could: boolean): string {
  if (could && kind === 'purge') return 'the grace of the trash is over, and what was in it is deleted';
  if (could) return 'nothing of it waits any more: what it put back has run';
  return `what a ${kind} did stays, or it moved nothing`;
}

const refused = (id: string, why: string): RedriveError =>
  new RedriveError('OPERATION_STATE', `Operation ${id} cannot be undone: ${why}.`);
