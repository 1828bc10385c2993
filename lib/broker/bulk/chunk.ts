/** The next few jobs of an operation in one place: found by its filter, or the next of those that were fixed one by one. */
import type { ListedJob, OperationRecord } from '@/lib/contract/verbs';
import { scanPlace } from '../search/scan';
import type { Place } from '../sharded/places';
import type { ShardedContext } from '../shards';
import type { MoveChunk } from './move';
import type { Run } from './run';

/** Moved in several small scripts; in between, others of this process get their turn. */
export const CHUNK_JOBS = 200;
/** Looked at in one go at most, in small scripts: then the cursor is kept, found or not. */
const CHUNK_SCAN = 5_000;
/** … and for so long, where rows must be read: the other operations wait for their turn. */
const CHUNK_SCAN_MS = 100;

export function nextChunk(
  ctx: ShardedContext,
  record: OperationRecord,
  run: Run,
  place: Place,
  cursor: string,
  most: number,
): Promise<MoveChunk> {
  const count = Math.min(most, CHUNK_JOBS);
  return run.listed
    ? Promise.resolve(listedChunk(run.listed.get(place.name) ?? [], cursor, count))
    : walkedChunk(ctx, record, run, place, cursor, count);
}

/** The cursor is how many are done. */
function listedChunk(jobs: readonly ListedJob[], cursor: string, count: number): MoveChunk {
  const from = Number(cursor) || 0;
  const hits = jobs
    .slice(from, from + count)
    .map((job, i) => ({ ...job, looked: i + 1, cursor: String(from + i + 1) }));
  const end = from + hits.length;
  return { hits, cursor: String(end), done: end >= jobs.length, scanned: hits.length };
}

/** Over several states, one after the other, the cursor says which: `<number of the state>~<cursor in it>`. */
async function walkedChunk(
  ctx: ShardedContext,
  record: OperationRecord,
  run: Run,
  place: Place,
  cursor: string,
  maxHits: number,
): Promise<MoveChunk> {
  const { states, cutoff } = record;
  const several = states.length > 1;
  const at = several ? Number(cursor.split('~', 1)[0]) || 0 : 0;
  const state = states[at] ?? record.scope.state;
  const found = await scanPlace(ctx, place, {
    state,
    filter: run.filter,
    at: cutoff,
    cutoff,
    order: 'oldest',
    cursor: several ? cursor.slice(cursor.indexOf('~') + 1) : cursor,
    maxScan: CHUNK_SCAN,
    maxHits,
    signal: AbortSignal.timeout(CHUNK_SCAN_MS),
  });
  if (!several) return found;
  const last = at >= states.length - 1;
  return {
    ...found,
    hits: found.hits.map((hit) => ({ ...hit, cursor: `${at}~${hit.stamp}|${hit.jobId}` })),
    cursor: found.done && !last ? `${at + 1}~` : `${at}~${found.cursor}`,
    done: found.done && last,
  };
}
