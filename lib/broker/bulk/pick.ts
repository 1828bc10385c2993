/** Where the next chunk of an operation comes from. The same facts give the same answer, whichever runner asks. */
import type { OperationRecord } from '@/lib/contract/verbs';
import { placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { phaseOf } from './decide';
import { type PlaceState, REST_MS, type Run, readPlaces, totalsOf } from './run';

/** How soon to look again whether a queue has drained below its mark: often, or its workers would run dry meanwhile. */
const ROOM_LOOK_MS = 25;
/** Queues asked in a row whether they have room. */
const ASKED_MAX = 8;

export type Picked = { readonly state: PlaceState; readonly room: number } | { readonly waitMs: number };

export async function pickPlace(ctx: ShardedContext, record: OperationRecord, run: Run): Promise<Picked> {
  const nowMs = performance.now();
  const undone = run.states.filter(({ progress }) => progress?.status !== 'done');
  const awake = undone.filter(({ restsUntilMs }) => restsUntilMs <= nowMs);
  const unsure = awake.filter(({ progress, assumed }) => progress === null || assumed > 0);
  if (unsure.length > 0) await readPlaces(ctx, run, unsure);
  const moved = totalsOf(run).mayBeMoved;
  const inCanary = phaseOf({ canary: record.canary, control: run.control, moved }) === 'canary';
  // How many were moved where nobody answers is not known: the canary must not grow beyond what was said.
  if (inCanary && undone.some(({ progress }) => progress === null)) return { waitMs: REST_MS };
  const ready = awake.filter(
    ({ progress, assumed, restsUntilMs }) => progress !== null && assumed === 0 && restsUntilMs <= nowMs,
  );
  // A canary of one queue would say nothing of the others: each gives its part.
  if (inCanary) ready.sort((a, b) => (a.progress?.moved ?? 0) - (b.progress?.moved ?? 0));
  const part = inCanary
    ? Math.max(1, Math.ceil(((record.canary?.jobs ?? 0) - moved) / Math.max(1, ready.length)))
    : Number.MAX_SAFE_INTEGER;
  if (record.pace.keepReadyBelow === null) {
    const [state] = ready;
    return state ? { state, room: part } : { waitMs: REST_MS / 2 };
  }
  if (!inCanary) ready.sort((a, b) => (a.progress?.ready ?? 0) - (b.progress?.ready ?? 0));
  for (const state of ready.slice(0, ASKED_MAX)) {
    const room = await roomIn(ctx, record, run, state, record.pace.keepReadyBelow);
    if (room > 0) return { state, room: Math.min(room, part) };
  }
  return { waitMs: ready.length > 0 ? ROOM_LOOK_MS : REST_MS / 2 };
}

/** How many more the queue may have ready. The shards of a queue share the mark. */
async function roomIn(
  ctx: ShardedContext,
  record: OperationRecord,
  run: Run,
  state: PlaceState,
  mark: number,
): Promise<number> {
  if (record.target !== null) return mark - (await readyIn(ctx, record.target));
  await readPlaces(ctx, run, [state]);
  if (!state.progress || state.trouble !== null) return 0;
  const shards = (await placesOf(ctx, [state.place.queue])).length;
  return Math.max(1, Math.floor(mark / shards)) - state.progress.ready;
}

async function readyIn(ctx: ShardedContext, queue: string): Promise<number> {
  let ready = 0;
  for (const { name } of await placesOf(ctx, [queue]))
    ready += await ctx.plain((redis) => redis.zcard(ctx.keys.column(name, 'ready')));
  return ready;
}
