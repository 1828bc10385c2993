/** A search whose matches come as they are found, with word of how far it is, until it ends or nobody listens any more. */
import type { SearchEvent } from '@/lib/contract/dead';
import type { ShardedContext } from '../shards';
import { type Entry, openMerge } from './merge';
import { countIfSmall, countOnTheSide, cursorAt, endOf, hydrate, type PageOptions, scanOf } from './page';
import { openSearch, type SearchScope } from './request';

const PROGRESS_EVERY_MS = 250;
/** Matches of one event. */
const BATCH = 100;
export const STREAM_LIMIT_DEFAULT = 500;

/** @throws RedriveError BAD_QUERY | BAD_CURSOR */
export async function* searchStream(
  ctx: ShardedContext,
  scope: SearchScope,
  options: PageOptions = {},
): AsyncGenerator<SearchEvent> {
  const { signal } = options;
  const search = await openSearch(ctx, scope, options.cursor);
  const limit = Math.max(1, options.limit ?? STREAM_LIMIT_DEFAULT);
  const budget = options.budget ?? Number.POSITIVE_INFINITY;
  const merge = await openMerge(ctx, search.places, search.question, search.order, search.from);
  let found = 0;
  let last: Entry | null = null;
  let saidAtMs = performance.now();
  /** Who stops reading can go on from what was said last. */
  const onwards = (): { cursor?: string } => {
    const spot = merge.frontier() ?? last;
    return spot ? { cursor: cursorAt(search, spot, scanOf(search, merge, found)) } : {};
  };
  while (found < limit && !merge.finished && !signal?.aborted) {
    if (merge.scanned >= budget && merge.frontier() !== null) break;
    const entries = await merge.pump(Math.min(BATCH, limit - found), budget - merge.scanned);
    if (signal?.aborted) return;
    if (entries.length > 0) {
      found += entries.length;
      last = entries.at(-1) ?? last;
      const { jobs } = await hydrate(ctx, search, entries);
      if (jobs.length > 0) yield { jobs, ...onwards() };
    }
    if (!signal?.aborted && performance.now() - saidAtMs >= PROGRESS_EVERY_MS) {
      saidAtMs = performance.now();
      yield { progress: scanOf(search, merge, found), ...onwards() };
    }
  }
  if (signal?.aborted) return;
  const spot = merge.finished ? null : found >= limit ? last : merge.frontier();
  const counted = await (merge.heavy || spot === null
    ? countIfSmall(ctx, search, merge, spot, signal)
    : countOnTheSide(ctx, search, signal));
  yield { end: endOf(search, merge, found, spot, counted) };
}
