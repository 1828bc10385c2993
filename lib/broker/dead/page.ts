/** A page of dead letters over any number of queues and their shards, newest first. */
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '@/lib/contract/api';
import { type DeadFilter, type DeadPage, deadFilterSchema } from '@/lib/contract/dead';
import { parseOrThrow } from '@/lib/contract/errors';
import type { DeadPosition } from '@/lib/contract/verbs';
import { decodeDeadPosition, encodeDeadPosition } from '../inspect/cursor';
import { queueNames } from '../inspect/snapshot';
import { summaries } from '../inspect/summaries';
import { serverNow } from '../now';
import { list, text } from '../reply';
import { grouped } from '../sharded/fan-out';
import { askPlaces, byPlace, type Place, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { bySelectivity, COUNT_BUDGET, countDead, SCAN_STEP } from './count';
import { type DeadQuery, deadQuery } from './filter';

/** Candidates one page may look at when several facets must agree, shared by all places; then it ends early, with a cursor. */
const PAGE_SCAN_BUDGET = 20_000;
/** Asked at a time: a page must not take Redis for itself because there are many. */
const PLACES_AT_ONCE = 4;
interface Entry extends Place {
  jobId: string;
  diedAt: number;
}
interface Found {
  entries: Entry[];
  /** The last candidate looked at, when the budget ended the search before the index did. */
  stoppedAt?: Entry;
}

/** @throws RedriveError BAD_CURSOR */
export async function deadPage(
  ctx: ShardedContext,
  input: DeadFilter,
  options: { cursor?: string; limit?: number } = {},
): Promise<DeadPage> {
  const filter = parseOrThrow(deadFilterSchema, input, 'filter');
  const limit = Math.min(options.limit ?? PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX);
  const from = options.cursor === undefined ? null : decodeDeadPosition(options.cursor);
  const places = await placesOf(ctx, filter.queue === undefined ? await queueNames(ctx) : [filter.queue]);
  const now = await serverNow(ctx);
  const query = deadQuery(filter, now);
  const share = (budget: number) => Math.max(SCAN_STEP, Math.floor(budget / Math.max(1, places.length)));
  const searched = await askPlaces(places, PLACES_AT_ONCE, async (place) => ({
    ...(await entriesOf(ctx, place, query, from, limit, share(PAGE_SCAN_BUDGET))),
    counted: await countDead(ctx, place.name, query, share(COUNT_BUDGET)),
  }));
  const parts = searched.found.map(({ value }) => value);
  // Beyond the first place where a search stopped, the list would have holes: the page ends there, and goes on.
  const [stop] = parts.flatMap((found) => found.stoppedAt ?? []).sort(newestFirst);
  const merged = parts
    .flatMap((found) => found.entries)
    .filter((entry) => !stop || newestFirst(entry, stop) <= 0)
    .sort(newestFirst)
    .slice(0, limit);
  const groups = grouped(merged, (entry) => entry.name);
  const rows = await askPlaces(
    [...groups.values()].flatMap(({ items: [first] }) => first ?? []),
    PLACES_AT_ONCE,
    ({ name }) =>
      summaries(
        ctx,
        name,
        'dead',
        (groups.get(name)?.items ?? []).map((entry) => ({ jobId: entry.jobId, score: entry.diedAt })),
      ),
  );
  const byKey = new Map(
    rows.found.flatMap(({ place, value }) => value.map((row) => [`${place.name} ${row.jobId}`, row])),
  );
  const last = merged.length === limit ? merged.at(-1) : stop;
  const missing = [...searched.missing, ...rows.missing].map(({ place: { queue, shard } }) => ({
    queue,
    shard,
  }));
  return {
    at: now,
    jobs: merged.flatMap((entry) => byKey.get(`${entry.name} ${entry.jobId}`) ?? []),
    nextCursor: last ? encodeDeadPosition(last) : null,
    matching: {
      count: parts.reduce((sum, { counted }) => sum + counted.count, 0),
      exact: missing.length === 0 && parts.every(({ counted }) => counted.exact),
    },
    ...(missing.length > 0 ? { unavailable: missing } : {}),
  };
}

/** The total order of the list: newest first, then by queue and shard, then by id from the end, as the indexes have it. */
function newestFirst(a: Entry, b: Entry): number {
  if (a.diedAt !== b.diedAt) return b.diedAt - a.diedAt;
  if (a.name !== b.name) return byPlace(a, b);
  return a.jobId < b.jobId ? 1 : -1;
}

/** Where a place's own index goes on after a position in the merged list. */
function startIn(place: Place, from: DeadPosition): { diedAt: number; jobId: string } {
  const order = byPlace(place, from);
  if (order === 0) return { diedAt: from.diedAt, jobId: from.jobId };
  // One that is later in the order still has to show what died in that same millisecond; an earlier one has shown it.
  return order > 0 ? { diedAt: from.diedAt + 1, jobId: '' } : { diedAt: from.diedAt, jobId: '' };
}

async function entriesOf(
  ctx: ShardedContext,
  place: Place,
  query: DeadQuery,
  from: DeadPosition | null,
  limit: number,
  budget: number,
): Promise<Found> {
  if (query.until < query.since) return { entries: [] };
  const start = from && startIn(place, from);
  if (query.terms.length === 0) return { entries: await plainEntries(ctx, place, query, start, limit) };
  const [driver, ...others] = await bySelectivity(ctx, place.name, query);
  if (!driver || driver.count === 0) return { entries: [] };
  const entries: Entry[] = [];
  let cursor = start ? `${driver.term}|${String(start.diedAt).padStart(13, '0')}|${start.jobId}` : '';
  for (let scanned = 0; scanned < budget; ) {
    const reply = list(
      await ctx.run('dead-scan', place.name, [
        driver.term,
        query.since,
        query.until,
        cursor,
        SCAN_STEP,
        limit - entries.length,
        ...others.map((o) => o.term),
      ]),
      'dead-scan',
    );
    for (let i = 3; i + 1 < reply.length; i += 2)
      entries.push({ ...place, jobId: text(reply[i]), diedAt: Number(text(reply[i + 1])) });
    scanned += Number(reply[1]);
    cursor = text(reply[0]);
    if (cursor === '' || entries.length >= limit) return { entries };
  }
  const [, diedAt = '0', jobId = ''] = cursor.split('|');
  return { entries, stoppedAt: { ...place, jobId, diedAt: Number(diedAt) } };
}

/** Without facets the time index itself is the list. */
async function plainEntries(
  ctx: ShardedContext,
  place: Place,
  query: DeadQuery,
  start: { diedAt: number; jobId: string } | null,
  limit: number,
): Promise<Entry[]> {
  const ceiling = { score: query.until + 1, jobId: '' };
  const begin = start && start.diedAt < ceiling.score ? { score: start.diedAt, jobId: start.jobId } : ceiling;
  const reply = list(
    await ctx.run('page', place.name, [limit, 'desc', begin.score, begin.jobId], { index: 'dead' }),
    'page',
  );
  const entries: Entry[] = [];
  for (let i = 2; i + 1 < reply.length; i += 2) {
    const entry = { ...place, jobId: text(reply[i]), diedAt: Number(text(reply[i + 1])) };
    if (entry.diedAt >= query.since) entries.push(entry);
  }
  return entries;
}
