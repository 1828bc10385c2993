/** A page of what matches a query, over any number of queues and their shards. */

import { type AccessScope, scopeHasJob } from '@/lib/contract/access/grant-scopes';
import { PAGE_LIMIT_DEFAULT } from '@/lib/contract/api-paths';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { SEARCH_LIMIT_MAX } from '@/lib/contract/search/search-limits';
import type { SearchPage } from '@/lib/contract/search/search-schemas';
import { readJobSummaries } from '../jobs/read/job-summaries';
import { queryShardsOf, type ShardRef } from '../shards/shard-ref';
import type { ShardedContext } from '../shards/sharded-context';
import { encodeSearchPosition } from './list-cursor';
import { openSearch, type Search, type SearchScope } from './open-search';
import { type CountedMatches, countMatches } from './scan/count-matches';
import { type FoundJob, type MergePosition, openShardMerge, type ShardMerge } from './scan/merge-shards';

export interface PageOptions {
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Entries it may scan before it ends early, with a cursor. */
  budget?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Entries a page scans: where indexes and death rows decide, and where job rows must be read. */
const BUDGET_LIGHT = 20_000;
const BUDGET_HEAVY = 40_000;
/** Entries scanned only to count matches. */
const COUNT_BUDGET = 2_500;
/** Rows are read for a count where a source has no more. */
const COUNTED_ROWS_MAX = 1_000;
const SHARDS_AT_ONCE = 4;

/** @throws RedriveError BAD_QUERY | BAD_CURSOR */
export async function searchPage(
  ctx: ShardedContext,
  scope: SearchScope,
  options: PageOptions = {},
): Promise<SearchPage> {
  const search = await openSearch(ctx, scope, options.cursor);
  const limit = Math.max(1, Math.min(options.limit ?? PAGE_LIMIT_DEFAULT, SEARCH_LIMIT_MAX));
  const merge = await openShardMerge(ctx, search.shards, search.query, search.order, search.from);
  const budget = options.budget ?? (merge.readsRows ? BUDGET_HEAVY : BUDGET_LIGHT);
  const counting =
    merge.readsRows || merge.countsMatches ? null : tryCountMatches(ctx, search, options.signal);
  const found: FoundJob[] = [];
  while (found.length < limit && !merge.finished && !options.signal?.aborted) {
    if (merge.scanned >= budget && merge.frontier() !== null) break;
    found.push(...(await merge.next(limit - found.length, budget - merge.scanned)));
  }
  const { jobs, lost } = await readListedJobs(ctx, scope.state, found, search.within);
  const position = merge.finished ? null : found.length === limit ? (found.at(-1) ?? null) : merge.frontier();
  const counted = merge.countsMatches
    ? { count: merge.sourceSize, exact: merge.missing.length === 0 }
    : await (counting ?? countIfSmall(ctx, search, merge, position, options.signal));
  return {
    jobs,
    ...pageEnd(search, merge, found.length, position, counted, lost),
    ...(options.signal?.aborted && position === null ? { nextCursor: options.cursor ?? null } : {}),
  };
}

/** A page without its jobs. */
export function pageEnd(
  search: Search,
  merge: ShardMerge,
  found: number,
  position: MergePosition | null,
  counted: CountedMatches | null,
  lost: readonly ShardRef[] = [],
): Omit<SearchPage, 'jobs'> {
  const { now, cursorKey, unsearched } = search;
  const scan = scanProgress(search, merge, found);
  const missing = [...merge.missing.map(({ shard }) => shard), ...lost];
  const unavailable = [...new Map(missing.map((shard) => [shard.name, shard])).values()];
  const isComplete = unavailable.length === 0 && unsearched === 0;
  const matching =
    position === null
      ? { count: scan.found, exact: isComplete }
      : { count: Math.max(scan.found, counted?.count ?? 0), exact: isComplete && counted?.exact === true };
  // The rest is out of scope: not even that there is a rest may be shown.
  const isAll = cursorKey !== null && matching.exact && matching.count <= scan.found;
  return {
    at: now,
    nextCursor: position === null || isAll ? null : searchCursorAt(search, position, scan),
    matching,
    scan: cursorKey ? { ...scan, of: Math.max(scan.of, matching.count) } : scan,
    ...(unsearched === 0 || cursorKey ? {} : { unsearched }),
    ...(unavailable.length === 0
      ? {}
      : { unavailable: unavailable.map(({ queue, shard }) => ({ queue, shard })) }),
  };
}

/** Continues a search behind a position; ages still count back from its beginning. */
export const searchCursorAt = (
  { query, cursorKey }: Search,
  { mark, shard }: MergePosition,
  scan: SearchPage['scan'],
): string =>
  encodeSearchPosition(
    {
      score: mark.score,
      queue: shard.queue,
      shard: shard.shard,
      jobId: mark.jobId,
      at: query.at,
      found: scan.found,
      scanned: scan.scanned,
    },
    cursorKey,
  );

/** Over all pages so far. Entries that a later page scans again count once; where others' jobs are scanned, only matches count. */
export function scanProgress(
  { from, cursorKey }: Pick<Search, 'from' | 'cursorKey'>,
  merge: ShardMerge,
  found: number,
): SearchPage['scan'] {
  const all = (from?.found ?? 0) + found;
  if (cursorKey) return { found: all, scanned: all, of: all };
  const of = merge.sourceSize;
  return {
    found: all,
    scanned: merge.finished ? of : Math.min(of, (from?.scanned ?? 0) + merge.scanned),
    of,
  };
}

/** Null: it could not be counted; the page then shows what it found. */
export function tryCountMatches(
  ctx: ShardedContext,
  { shards, query }: Search,
  signal: AbortSignal | undefined,
): Promise<CountedMatches | null> {
  const input = { ...query, budget: COUNT_BUDGET, recent: true, ...(signal ? { signal } : {}) };
  return countMatches(ctx, shards, input).catch(() => null);
}

export async function countIfSmall(
  ctx: ShardedContext,
  search: Search,
  merge: ShardMerge,
  position: MergePosition | null,
  signal: AbortSignal | undefined,
): Promise<CountedMatches | null> {
  return position !== null && merge.sourceSize <= COUNTED_ROWS_MAX
    ? tryCountMatches(ctx, search, signal)
    : null;
}

export type ListedEntry = Pick<FoundJob, 'jobId' | 'score' | 'shard'>;

/** List rows in the order of the entries. Jobs that are gone by now are left out. */
export async function readListedJobs(
  ctx: ShardedContext,
  state: JobState,
  entries: readonly ListedEntry[],
  within?: AccessScope,
): Promise<{ jobs: JobSummary[]; lost: ShardRef[] }> {
  const rows = await queryShardsOf(entries, SHARDS_AT_ONCE, ({ name }, here) =>
    readJobSummaries(ctx, name, state, here),
  );
  const byJob = new Map(
    rows.answered.flatMap(({ shard, value }) => value.map((row) => [`${shard.name} ${row.jobId}`, row])),
  );
  return {
    jobs: entries.flatMap((entry) => {
      const job = byJob.get(`${entry.shard.name} ${entry.jobId}`);
      // Another job may have taken its id since it was found.
      return job && (!within || scopeHasJob(within, job.queue, job.tenantId)) ? [job] : [];
    }),
    lost: rows.failed.map(({ shard }) => shard),
  };
}
