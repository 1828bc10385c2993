import { parseOrThrow } from '@/lib/contract/errors';
import type { JobPage } from '@/lib/contract/job';
import { hasQueue } from '@/lib/contract/permissions';
import type { JobState } from '@/lib/contract/states';
import { type ListOptions, listOptionsSchema } from '@/lib/contract/verbs';
import { STATE_COLUMN } from '../keys';
import { list as asList, text } from '../reply';
import { type PageOptions, searchPage } from '../search/page';
import type { SearchScope } from '../search/request';
import { fanOut, grouped, someOf } from '../sharded/fan-out';
import type { Layout } from '../sharded/layout';
import type { ShardedContext } from '../shards';
import { decodePosition, encodePosition } from './cursor';
import { summaries } from './summaries';

/** Waiting states read from the front of the line; ended ones from the newest. */
const NEWEST_FIRST = new Set(['completed', 'dead', 'suppressed', 'trashed']);

interface Entry {
  readonly jobId: string;
  readonly score: number;
  /** The score as Redis writes it: what a cursor must say to stand at the same place. */
  readonly raw: string;
  readonly shard: number;
}
interface Part {
  readonly at: number;
  readonly total: number;
  readonly entries: readonly Entry[];
}

/**
 * A page of a queue's jobs in one state. Keyset paging: no job is shown twice or skipped because others came or went,
 * and the last page costs what the first does. The shards of a queue are one list, in the order each of them has.
 * With a query, or where only some tenants of the queue lie within, it is a search, which may end a page before it is full; see docs/search.md.
 * @throws RedriveError BAD_CURSOR | BAD_QUERY
 */
export async function list(ctx: ShardedContext, queue: string, input: ListOptions): Promise<JobPage> {
  const { state, cursor, limit, q, within } = parseOrThrow(listOptionsSchema, input, 'list options');
  if (q.trim() !== '' || (within && !hasQueue(within, queue)))
    return searched(ctx, { state, q, queue, within }, { cursor, limit });
  const from = cursor === undefined ? null : decodePosition(cursor);
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const direction = NEWEST_FIRST.has(state) ? 'desc' : 'asc';
  const args = [limit, direction, from?.score ?? '', from?.jobId ?? ''];
  const answers = await fanOut(layout, async (name, shard) =>
    partOf(await ctx.run('page', name, args, { index: STATE_COLUMN[state] }), shard),
  );
  const parts = someOf(answers);
  const sign = direction === 'asc' ? 1 : -1;
  const entries = parts
    .flatMap((part) => part.entries)
    .sort((a, b) => sign * (a.score - b.score || (a.jobId < b.jobId ? -1 : a.jobId > b.jobId ? 1 : 0)))
    .slice(0, limit);
  const { jobs, lost } = await hydrate(ctx, layout, state, entries);
  const unavailable = [...new Set([...answers.failed.map(({ shard }) => shard), ...lost])];
  const last = entries.at(-1);
  return {
    at: Math.max(...parts.map((part) => part.at)),
    total: parts.reduce((sum, part) => sum + part.total, 0),
    jobs,
    nextCursor:
      last && entries.length === limit ? encodePosition({ score: last.raw, jobId: last.jobId }) : null,
    ...(unavailable.length > 0 ? { unavailable } : {}),
  };
}

async function searched(ctx: ShardedContext, scope: SearchScope, options: PageOptions): Promise<JobPage> {
  const page = await searchPage(ctx, scope, options);
  return {
    at: page.at,
    total: page.matching.count,
    exact: page.matching.exact,
    scan: page.scan,
    jobs: page.jobs,
    nextCursor: page.nextCursor,
    ...(page.unavailable ? { unavailable: page.unavailable.map(({ shard }) => shard) } : {}),
  };
}

function partOf(value: unknown, shard: number): Part {
  const reply = asList(value, 'page');
  const entries: Entry[] = [];
  for (let i = 2; i + 1 < reply.length; i += 2) {
    const raw = text(reply[i + 1]);
    entries.push({ jobId: text(reply[i]), raw, score: Number(raw), shard });
  }
  return { at: Number(reply[0]), total: Number(reply[1]), entries };
}

/** In the order of the entries; each shard is asked for its own. */
async function hydrate(ctx: ShardedContext, layout: Layout, state: JobState, entries: readonly Entry[]) {
  const parts = grouped(entries, (entry) => entry.shard);
  const answers = await fanOut(
    layout,
    (name, shard) => summaries(ctx, name, state, parts.get(shard)?.items ?? []),
    { shards: [...parts.keys()] },
  );
  someOf(answers);
  const rows = new Map(
    answers.answered.flatMap(({ shard, value }) =>
      value.map((row) => [`${shard} ${row.jobId}`, row] as const),
    ),
  );
  return {
    jobs: entries.flatMap((entry) => rows.get(`${entry.shard} ${entry.jobId}`) ?? []),
    lost: answers.failed.map(({ shard }) => shard),
  };
}
