import { scopeHasQueue } from '@/lib/contract/access/grant-scopes';
import type { JobPage } from '@/lib/contract/jobs/job-schemas';
import { type ListOptions, listOptionsSchema } from '@/lib/contract/jobs/list-options';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { STATE_COLUMN } from '../redis/redis-keys';
import { replyList as asList, replyText } from '../redis/script-reply';
import { answersOrThrow, fanOut } from '../shards/fan-out';
import type { ShardRef } from '../shards/shard-ref';
import type { ShardedContext } from '../shards/sharded-context';
import { decodePosition, encodePosition } from './list-cursor';
import { type SearchScope, searchOrderOf } from './open-search';
import { type ListedEntry, type PageOptions, readListedJobs, searchPage } from './search-page';

interface Entry extends ListedEntry {
  /** The score as Redis writes it, for cursors. */
  readonly raw: string;
}
interface Part {
  readonly at: number;
  readonly total: number;
  readonly entries: readonly Entry[];
}

/**
 * A page of a queue's jobs in one state. Keyset paging: no job is listed twice or skipped when others come or go. With a query, or with
 * only some tenants in scope, it is a search, which may end before the page is full.
 * @throws RedriveError BAD_CURSOR | BAD_QUERY
 */
export async function listJobs(ctx: ShardedContext, queue: string, input: ListOptions): Promise<JobPage> {
  const { state, cursor, limit, q, within } = parseOrThrow(listOptionsSchema, input, 'list options');
  if (q.trim() !== '' || (within && !scopeHasQueue(within, queue)))
    return searched(ctx, { state, q, queue, within }, { cursor, limit });
  const from = cursor === undefined ? null : decodePosition(cursor);
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const direction = searchOrderOf(state) === 'newest' ? 'desc' : 'asc';
  const args = [limit, direction, from?.score ?? '', from?.jobId ?? ''];
  const answers = await fanOut(layout, async (name, shard) =>
    partOf(await ctx.run('index-page', name, args, { index: STATE_COLUMN[state] }), { queue, shard, name }),
  );
  const parts = answersOrThrow(answers);
  const sign = direction === 'asc' ? 1 : -1;
  const entries = parts
    .flatMap((part) => part.entries)
    .sort((a, b) => sign * (a.score - b.score || (a.jobId < b.jobId ? -1 : a.jobId > b.jobId ? 1 : 0)))
    .slice(0, limit);
  const { jobs, lost } = await readListedJobs(ctx, state, entries);
  const failed = answers.failed.map(({ shard }) => shard);
  const unavailable = [...new Set([...failed, ...lost.map(({ shard }) => shard)])];
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

function partOf(value: unknown, shard: ShardRef): Part {
  const reply = asList(value, 'page');
  const entries: Entry[] = [];
  for (let i = 2; i + 1 < reply.length; i += 2) {
    const raw = replyText(reply[i + 1]);
    entries.push({ jobId: replyText(reply[i]), raw, score: Number(raw), shard });
  }
  return { at: Number(reply[0]), total: Number(reply[1]), entries };
}
