/** A page of what matches a query, over any number of queues and their shards. */
import { PAGE_LIMIT_DEFAULT } from '@/lib/contract/api';
import { SEARCH_LIMIT_MAX, type SearchPage } from '@/lib/contract/dead';
import type { JobSummary } from '@/lib/contract/job';
import { hasJob } from '@/lib/contract/permissions';
import { encodeSearchPosition } from '../inspect/cursor';
import { summaries } from '../inspect/summaries';
import { grouped } from '../sharded/fan-out';
import { askPlaces, type Place } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { type Count, countMatches } from './count';
import { type Entry, type Merge, openMerge } from './merge';
import type { Spot } from './position';
import { openSearch, type Search, type SearchScope } from './request';

export interface PageOptions {
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Entries it may look at before it ends early, with a cursor. */
  budget?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Entries a page looks at where indexes and facts will do, and where it must read rows. */
const BUDGET_LIGHT = 20_000;
const BUDGET_HEAVY = 40_000;
/** Entries a page may look at only to say how many match. */
const COUNT_BUDGET = 2_500;
/** Rows worth reading for a count. */
const SMALL = 1_000;
const PLACES_AT_ONCE = 4;

/** @throws RedriveError BAD_QUERY | BAD_CURSOR */
export async function searchPage(
  ctx: ShardedContext,
  scope: SearchScope,
  options: PageOptions = {},
): Promise<SearchPage> {
  const search = await openSearch(ctx, scope, options.cursor);
  const limit = Math.max(1, Math.min(options.limit ?? PAGE_LIMIT_DEFAULT, SEARCH_LIMIT_MAX));
  const merge = await openMerge(ctx, search.places, search.question, search.order, search.from);
  const budget = options.budget ?? (merge.heavy ? BUDGET_HEAVY : BUDGET_LIGHT);
  const counting = merge.heavy ? null : countOnTheSide(ctx, search, options.signal);
  const entries: Entry[] = [];
  while (entries.length < limit && !merge.finished && !options.signal?.aborted) {
    if (merge.scanned >= budget && merge.frontier() !== null) break;
    entries.push(...(await merge.pump(limit - entries.length, budget - merge.scanned)));
  }
  const { jobs, lost } = await hydrate(ctx, search, entries);
  const spot = merge.finished ? null : entries.length === limit ? (entries.at(-1) ?? null) : merge.frontier();
  const counted = await (counting ?? countIfSmall(ctx, search, merge, spot, options.signal));
  return {
    jobs,
    ...endOf(search, merge, entries.length, spot, counted, lost),
    ...(options.signal?.aborted && spot === null ? { nextCursor: options.cursor ?? null } : {}),
  };
}

/** What a page says besides its jobs. */
export function endOf(
  search: Search,
  merge: Merge,
  found: number,
  spot: Spot | null,
  counted: Count | null,
  lost: readonly Place[] = [],
): Omit<SearchPage, 'jobs'> {
  const { now, seal, unsearched } = search;
  const scan = scanOf(search, merge, found);
  const missing = [...merge.missing.map(({ place }) => place), ...lost];
  const unavailable = [...new Map(missing.map((place) => [place.name, place])).values()];
  const whole = unavailable.length === 0 && unsearched === 0;
  const matching =
    spot === null
      ? { count: scan.found, exact: whole }
      : { count: Math.max(scan.found, counted?.count ?? 0), exact: whole && counted?.exact === true };
  // What is left to look at is none of the asker's: not even that there is something.
  const isAll = seal !== null && matching.exact && matching.count <= scan.found;
  return {
    at: now,
    nextCursor: spot === null || isAll ? null : cursorAt(search, spot, scan),
    matching,
    scan: seal ? { ...scan, of: Math.max(scan.of, matching.count) } : scan,
    ...(unsearched === 0 || seal ? {} : { unsearched }),
    ...(unavailable.length === 0
      ? {}
      : { unavailable: unavailable.map(({ queue, shard }) => ({ queue, shard })) }),
  };
}

/** Where a search goes on behind a spot; what ages count back from stays what it was. */
export const cursorAt = (
  { question, seal }: Search,
  { mark, place }: Spot,
  scan: SearchPage['scan'],
): string =>
  encodeSearchPosition(
    {
      score: mark.score,
      queue: place.queue,
      shard: place.shard,
      jobId: mark.jobId,
      at: question.at,
      found: scan.found,
      scanned: scan.scanned,
    },
    seal,
  );

/**
 * Over all pages so far. Where several places are merged, what was looked at in vain is looked at again: it counts once. What was looked
 * past because it is none of the asker's is not counted at all.
 */
export function scanOf(
  { from, seal }: Pick<Search, 'from' | 'seal'>,
  merge: Merge,
  found: number,
): SearchPage['scan'] {
  const all = (from?.found ?? 0) + found;
  if (seal) return { found: all, scanned: all, of: all };
  const of = merge.of;
  return {
    found: all,
    scanned: merge.finished ? of : Math.min(of, (from?.scanned ?? 0) + merge.scanned),
    of,
  };
}

/** Null: not worth its cost, or it could not be counted; then the page says what it found. */
export function countOnTheSide(
  ctx: ShardedContext,
  { places, question }: Search,
  signal: AbortSignal | undefined,
): Promise<Count | null> {
  const input = { ...question, budget: COUNT_BUDGET, recent: true, ...(signal ? { signal } : {}) };
  return countMatches(ctx, places, input).catch(() => null);
}

/** Rows are read for a count only where there are few; elsewhere what was found is what is known. */
export async function countIfSmall(
  ctx: ShardedContext,
  search: Search,
  merge: Merge,
  spot: Spot | null,
  signal: AbortSignal | undefined,
): Promise<Count | null> {
  return spot !== null && merge.of <= SMALL ? countOnTheSide(ctx, search, signal) : null;
}

/** List rows for matches, in their order. What vanished meanwhile is left out. */
export async function hydrate(
  ctx: ShardedContext,
  { question, within }: Search,
  entries: readonly Entry[],
): Promise<{ jobs: JobSummary[]; lost: Place[] }> {
  const groups = grouped(entries, (entry) => entry.place.name);
  const places = [...groups.values()].flatMap(({ items: [first] }) => first?.place ?? []);
  const rows = await askPlaces(places, PLACES_AT_ONCE, ({ name }) =>
    summaries(ctx, name, question.state, groups.get(name)?.items ?? []),
  );
  const byJob = new Map(
    rows.found.flatMap(({ place, value }) => value.map((row) => [`${place.name} ${row.jobId}`, row])),
  );
  return {
    jobs: entries.flatMap((entry) => {
      const job = byJob.get(`${entry.place.name} ${entry.jobId}`);
      // Another job may have taken its id since it was found.
      return job && (!within || hasJob(within, job.queue, job.tenantId)) ? [job] : [];
    }),
    lost: rows.missing.map(({ place }) => place),
  };
}
