/**
 * What a runner keeps of an operation between two steps: how far each place is, what it decides by, and when it last said so. All of it
 * can be read again from Redis; keeping it saves reading every place for every hundred jobs. It is good only while the runner's
 * lease has not lapsed: before that, nobody else has moved anything.
 */

import type { SkipReason } from '@/lib/contract/operations';
import type { Filter } from '@/lib/contract/query/filter';
import type { ListedJob, OperationControl, OperationRecord } from '@/lib/contract/verbs';
import { sayable } from '../redis-errors';
import { inLanes } from '../sharded/fan-out';
import type { Place } from '../sharded/places';
import type { ShardedContext } from '../shards';
import type { Ahead } from './ahead';
import { parseList } from './listed';
import { type Progress, readProgress } from './progress';
import { loadJobs } from './records';
import { filterOf } from './scope';

/** A runner that dies is missed for so long; then another goes on. Renewed with each writing of the record. */
export const LEASE_MS = 6_000;
/** Asked at a time. */
const PLACES_AT_ONCE = 8;
/** A place that did not answer is left alone for this long. */
export const REST_MS = 1_000;

export interface PlaceState {
  readonly place: Place;
  /** As last read; null: not read yet. */
  progress: Progress | null;
  /** Jobs of a call that was not answered: taken for moved until it is known. */
  assumed: number;
  /** By the monotonic clock: not asked before that. */
  restsUntilMs: number;
  trouble: string | null;
}

export interface Run {
  readonly id: string;
  readonly runner: string;
  readonly epoch: number;
  readonly filter: Filter;
  /** By physical name; null: the operation walks what matches its filter. */
  readonly listed: ReadonlyMap<string, readonly ListedJob[]> | null;
  readonly states: readonly PlaceState[];
  control: OperationControl;
  /** The next chunk, looked for while the last one was moved; see ahead.ts. */
  ahead: Ahead | null;
  /** When the record was last written, by the monotonic clock. */
  savedAtMs: number;
  /** When it was last asked whether it may go on, by the monotonic clock. */
  askedAtMs: number;
  /** Until then, by the clock of Redis, a call that was not answered may still be carried out; see delete-queue.ts. */
  fencedUntil: number;
}

const runs = new WeakMap<ShardedContext, Map<string, Run>>();
const RUNS_MAX = 200;

const runsOf = (ctx: ShardedContext): Map<string, Run> => {
  const known = runs.get(ctx) ?? new Map<string, Run>();
  runs.set(ctx, known);
  return known;
};

export const knownRun = (ctx: ShardedContext, id: string): Run | undefined => runsOf(ctx).get(id);
export const forgetRun = (ctx: ShardedContext, id: string): boolean => runsOf(ctx).delete(id);

/**
 * Reads how far every shard is. A shard that does not answer is tried again while the others go on. `isTaken`: no other lease was in force.
 */
export async function openRun(
  ctx: ShardedContext,
  record: OperationRecord,
  runner: string,
  isTaken: boolean,
): Promise<Run> {
  const run: Run = {
    id: record.id,
    runner,
    epoch: record.epoch,
    filter: filterOf(record.scope),
    listed: record.listed ? byPlace(parseList(await loadJobs(ctx, record.id), record.id)) : null,
    states: unreadStates(record),
    control: record.control,
    ahead: null,
    savedAtMs: performance.now(),
    askedAtMs: Number.NEGATIVE_INFINITY,
    fencedUntil: Math.max(
      isTaken ? 0 : (record.runner?.until ?? 0),
      // A pause takes the lease away before it is over.
      ...record.events.map(({ what, at }) => (what === 'resumed' ? at + LEASE_MS : 0)),
    ),
  };
  const { answered, error } = await readPlaces(ctx, run, run.states);
  // Nothing can be decided without knowing anything.
  if (answered === 0 && error !== null) throw error;
  const known = runsOf(ctx);
  if (known.size >= RUNS_MAX) known.delete(known.keys().next().value ?? '');
  known.set(record.id, run);
  return run;
}

/** Its places, of which nothing is known yet. */
export const unreadStates = (record: OperationRecord): PlaceState[] =>
  record.places.map((place) => ({ place, progress: null, assumed: 0, restsUntilMs: 0, trouble: null }));

/** Brings some places up to date; one that does not answer rests. */
export async function readPlaces(
  ctx: ShardedContext,
  run: Run,
  states: readonly PlaceState[],
): Promise<{ answered: number; error: unknown }> {
  let answered = 0;
  let error: unknown = null;
  await inLanes(states, PLACES_AT_ONCE, async (state) => {
    try {
      arrived(state, await readProgress(ctx, state.place, run.id));
      answered += 1;
    } catch (trouble) {
      error = trouble;
      rest(state, trouble);
    }
  });
  return { answered, error };
}

/** What came of calls that were not answered: for whoever shows or enters how far it is, and goes no further. */
export async function readAssumed(ctx: ShardedContext, run: Run): Promise<void> {
  const unsure = run.states.filter(({ assumed }) => assumed > 0);
  if (unsure.length > 0) await readPlaces(ctx, run, unsure);
}

export function arrived(state: PlaceState, progress: Progress): void {
  state.progress = progress;
  state.assumed = 0;
  state.trouble = null;
  state.restsUntilMs = 0;
}

export function rest(state: PlaceState, error: unknown): void {
  const shard = state.place.shard > 0 ? ` (shard ${state.place.shard})` : '';
  state.trouble = `${state.place.queue}${shard} does not answer: ${sayable(error)}`.slice(0, 300);
  state.restsUntilMs = performance.now() + REST_MS;
}

export interface Totals {
  readonly scanned: number;
  readonly moved: number;
  readonly skipped: number;
  readonly skips: Partial<Record<SkipReason, number>>;
}

/** What all places say together. `moved` counts what may have been moved, too: limits are kept to whatever came of it. */
export function totalsOf(run: Pick<Run, 'states'>): Totals & { readonly mayBeMoved: number } {
  let [scanned, moved, skipped, assumed] = [0, 0, 0, 0];
  const skips: Partial<Record<SkipReason, number>> = {};
  for (const state of run.states) {
    assumed += state.assumed;
    if (!state.progress) continue;
    scanned += state.progress.scanned;
    moved += state.progress.moved;
    skipped += state.progress.skipped;
    for (const [reason, count] of Object.entries(state.progress.skips) as [SkipReason, number][])
      skips[reason] = (skips[reason] ?? 0) + count;
  }
  return { scanned, moved, skipped, skips, mayBeMoved: moved + assumed };
}

function byPlace(jobs: readonly ListedJob[]): Map<string, ListedJob[]> {
  const parts = new Map<string, ListedJob[]>();
  for (const job of jobs) {
    const part = parts.get(job.place) ?? [];
    part.push(job);
    parts.set(job.place, part);
  }
  return parts;
}
