/** A page of dead letters over any number of queues, newest first. */
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '@/lib/contract/api';
import { type DeadFilter, type DeadPage, deadFilterSchema } from '@/lib/contract/dead';
import { parseOrThrow } from '@/lib/contract/errors';
import type { DeadPosition } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { decodeDeadPosition, encodeDeadPosition } from '../inspect/cursor';
import { queueNames } from '../inspect/snapshot';
import { summaries } from '../inspect/summaries';
import { serverNow } from '../now';
import { list, text } from '../reply';
import { bySelectivity, COUNT_BUDGET, countDead, SCAN_STEP } from './count';
import { type DeadQuery, deadQuery } from './filter';

/** Candidates one page may look at when several facets must agree, shared by its queues; then it ends early, with a cursor. */
const PAGE_SCAN_BUDGET = 20_000;
/** Queues asked at a time: a page must not take Redis for itself because there are many. */
const QUEUES_AT_ONCE = 4;
interface Entry {
  queue: string;
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
  ctx: BrokerContext,
  input: DeadFilter,
  options: { cursor?: string; limit?: number } = {},
): Promise<DeadPage> {
  const filter = parseOrThrow(deadFilterSchema, input, 'filter');
  const limit = Math.min(options.limit ?? PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX);
  const from = options.cursor === undefined ? null : decodeDeadPosition(options.cursor);
  const queues = filter.queue === undefined ? await queueNames(ctx) : [filter.queue];
  const now = await serverNow(ctx);
  const query = deadQuery(filter, now);
  const share = (budget: number) => Math.max(SCAN_STEP, Math.floor(budget / Math.max(1, queues.length)));
  const perQueue = await inGroups(queues, QUEUES_AT_ONCE, (queue) =>
    entriesOf(ctx, queue, query, from, limit, share(PAGE_SCAN_BUDGET)),
  );
  // Beyond the first place where a queue's search stopped, the list would have holes: the page ends there, and goes on.
  const [stop] = perQueue.flatMap((found) => found.stoppedAt ?? []).sort(newestFirst);
  const merged = perQueue
    .flatMap((found) => found.entries)
    .filter((entry) => !stop || newestFirst(entry, stop) <= 0)
    .sort(newestFirst)
    .slice(0, limit);
  const counts = await inGroups(queues, QUEUES_AT_ONCE, (queue) =>
    countDead(ctx, queue, query, share(COUNT_BUDGET)),
  );
  const rows = await Promise.all(
    [...groupByQueue(merged)].map(([queue, entries]) =>
      summaries(
        ctx,
        queue,
        'dead',
        entries.map((entry) => ({ jobId: entry.jobId, score: entry.diedAt })),
      ),
    ),
  );
  const byKey = new Map(rows.flat().map((row) => [`${row.queue} ${row.jobId}`, row]));
  const last = merged.length === limit ? merged.at(-1) : stop;
  return {
    at: now,
    jobs: merged.flatMap((entry) => byKey.get(`${entry.queue} ${entry.jobId}`) ?? []),
    nextCursor: last ? encodeDeadPosition(last) : null,
    matching: { count: counts.reduce((sum, c) => sum + c.count, 0), exact: counts.every((c) => c.exact) },
  };
}

/** The total order of the list: newest first, then by queue, then by id from the end, as the indexes have it. */
function newestFirst(a: Entry, b: Entry): number {
  if (a.diedAt !== b.diedAt) return b.diedAt - a.diedAt;
  if (a.queue !== b.queue) return a.queue < b.queue ? -1 : 1;
  return a.jobId < b.jobId ? 1 : -1;
}

/** Where a queue's own index goes on after a position in the merged list. */
function startIn(queue: string, from: DeadPosition): { diedAt: number; jobId: string } {
  if (queue === from.queue) return { diedAt: from.diedAt, jobId: from.jobId };
  // A queue later in the order still has to show what died in that same millisecond; an earlier one has shown it.
  return queue > from.queue ? { diedAt: from.diedAt + 1, jobId: '' } : { diedAt: from.diedAt, jobId: '' };
}

async function entriesOf(
  ctx: BrokerContext,
  queue: string,
  query: DeadQuery,
  from: DeadPosition | null,
  limit: number,
  budget: number,
): Promise<Found> {
  if (query.until < query.since) return { entries: [] };
  const start = from && startIn(queue, from);
  if (query.terms.length === 0) return { entries: await plainEntries(ctx, queue, query, start, limit) };
  const [driver, ...others] = await bySelectivity(ctx, queue, query);
  if (!driver || driver.count === 0) return { entries: [] };
  const entries: Entry[] = [];
  let cursor = start ? `${driver.term}|${String(start.diedAt).padStart(13, '0')}|${start.jobId}` : '';
  for (let scanned = 0; scanned < budget; ) {
    const reply = list(
      await ctx.run('dead-scan', queue, [
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
      entries.push({ queue, jobId: text(reply[i]), diedAt: Number(text(reply[i + 1])) });
    scanned += Number(reply[1]);
    cursor = text(reply[0]);
    if (cursor === '' || entries.length >= limit) return { entries };
  }
  const [, diedAt = '0', jobId = ''] = cursor.split('|');
  return { entries, stoppedAt: { queue, jobId, diedAt: Number(diedAt) } };
}

/** Without facets the time index itself is the list. */
async function plainEntries(
  ctx: BrokerContext,
  queue: string,
  query: DeadQuery,
  start: { diedAt: number; jobId: string } | null,
  limit: number,
): Promise<Entry[]> {
  const ceiling = { score: query.until + 1, jobId: '' };
  const begin = start && start.diedAt < ceiling.score ? { score: start.diedAt, jobId: start.jobId } : ceiling;
  const reply = list(
    await ctx.run('page', queue, [limit, 'desc', begin.score, begin.jobId], { index: 'dead' }),
    'page',
  );
  const entries: Entry[] = [];
  for (let i = 2; i + 1 < reply.length; i += 2) {
    const entry = { queue, jobId: text(reply[i]), diedAt: Number(text(reply[i + 1])) };
    if (entry.diedAt >= query.since) entries.push(entry);
  }
  return entries;
}

function groupByQueue(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.queue);
    if (group) group.push(entry);
    else groups.set(entry.queue, [entry]);
  }
  return groups;
}

async function inGroups<T, R>(items: readonly T[], size: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < items.length; i += size)
    results.push(...(await Promise.all(items.slice(i, i + size).map(run))));
  return results;
}
