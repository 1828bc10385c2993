/**
 * Looks for the next chunk while this one is being moved: what the runner computes and what Redis does then overlap. Nothing rests
 * on it: every job is moved only if it still is as it was found, and what was found too long ago is looked for anew.
 */
import { setImmediate } from 'node:timers/promises';
import type { OperationRecord } from '@/lib/contract/verbs';
import type { Place } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { CHUNK_JOBS, nextChunk } from './chunk';
import type { MoveChunk } from './move';
import type { Run } from './run';

const GOOD_FOR_MS = 1_000;

export interface Ahead {
  readonly place: string;
  readonly cursor: string;
  readonly askedAtMs: number;
  /** Null: could not be found; whoever needs it asks again, and is told why. */
  readonly chunk: Promise<MoveChunk | null>;
}

/** The chunk behind a cursor: the one that was looked for meanwhile, if it is this one. */
export async function chunkAt(
  ctx: ShardedContext,
  record: OperationRecord,
  run: Run,
  place: Place,
  cursor: string,
  most: number,
): Promise<MoveChunk> {
  const { ahead } = run;
  run.ahead = null;
  const fits =
    ahead?.place === place.name &&
    ahead.cursor === cursor &&
    most >= CHUNK_JOBS &&
    performance.now() - ahead.askedAtMs < GOOD_FOR_MS;
  return (fits ? await ahead.chunk : null) ?? nextChunk(ctx, record, run, place, cursor, most);
}

/** Only where nothing limits what the next chunk may hold. */
export function lookAhead(
  ctx: ShardedContext,
  record: OperationRecord,
  run: Run,
  place: Place,
  { cursor, done }: MoveChunk,
  most: number,
): void {
  if (done || most < 2 * CHUNK_JOBS) return;
  // Not with the first script of that chunk: whoever else waits for Redis gets their turn in between.
  const chunk = setImmediate()
    .then(() => nextChunk(ctx, record, run, place, cursor, most))
    .catch(() => null);
  run.ahead = { place: place.name, cursor, askedAtMs: performance.now(), chunk };
}
