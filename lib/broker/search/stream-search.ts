/** A search that yields matches as they are found, and its progress, until it ends or is aborted. */
import type { SearchEvent } from '@/lib/contract/search/search-schemas';
import type { ShardedContext } from '../shards/sharded-context';
import { openSearch, type SearchScope } from './open-search';
import { type FoundJob, openShardMerge } from './scan/merge-shards';
import {
  countIfSmall,
  type PageOptions,
  pageEnd,
  readListedJobs,
  scanProgress,
  searchCursorAt,
  tryCountMatches,
} from './search-page';

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
  const merge = await openShardMerge(ctx, search.shards, search.query, search.order, search.from);
  let found = 0;
  let last: FoundJob | null = null;
  let reportedAtMs = performance.now();
  /** A reader that stops can continue from the last event. */
  const nextCursor = (): { cursor?: string } => {
    const position = merge.frontier() ?? last;
    return position ? { cursor: searchCursorAt(search, position, scanProgress(search, merge, found)) } : {};
  };
  while (found < limit && !merge.finished && !signal?.aborted) {
    if (merge.scanned >= budget && merge.frontier() !== null) break;
    const entries = await merge.next(Math.min(BATCH, limit - found), budget - merge.scanned);
    if (signal?.aborted) return;
    if (entries.length > 0) {
      found += entries.length;
      last = entries.at(-1) ?? last;
      const { jobs } = await readListedJobs(ctx, scope.state, entries, search.within);
      if (jobs.length > 0) yield { jobs, ...nextCursor() };
    }
    if (!signal?.aborted && performance.now() - reportedAtMs >= PROGRESS_EVERY_MS) {
      reportedAtMs = performance.now();
      yield { progress: scanProgress(search, merge, found), ...nextCursor() };
    }
  }
  if (signal?.aborted) return;
  const position = merge.finished ? null : found >= limit ? last : merge.frontier();
  const counted = await (merge.readsRows || position === null
    ? countIfSmall(ctx, search, merge, position, signal)
    : tryCountMatches(ctx, search, signal));
  yield { end: pageEnd(search, merge, found, position, counted) };
}
