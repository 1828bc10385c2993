/** Checks a search, and finds its shards. */
import {
  type AccessScope,
  isFullScope,
  scopeHasQueue,
  scopeReachesQueue,
} from '@/lib/contract/access/grant-scopes';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { SearchPosition } from '@/lib/contract/jobs/list-options';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { filterInScope, parseQueryOrThrow } from '@/lib/contract/search/query';
import { queryTextSchema } from '@/lib/contract/search/query/query-text-schema';
import { withCommandDeadline } from '../redis/script-runner';
import { isCluster } from '../redis/server-check';
import { serverNow, toMs } from '../redis/server-info';
import { countUnreadNames, readQueueNames } from '../shards/queue-registry';
import { firstShardsOf, type ShardRef, shardRefsOf } from '../shards/shard-ref';
import type { ShardedContext } from '../shards/sharded-context';
import { SEARCHED_SHARDS_MAX, shardsWithJobs } from '../shards/shards-with-jobs';
import { decodeSearchPosition, isEncryptedCursor, readCursorKey } from './list-cursor';
import { compileQuery, type JobQuery } from './plan/compile-query';
import type { SearchOrder } from './scan/scan-step';

export interface SearchScope {
  state: JobState;
  q: string;
  /** Only this queue; left out: all. */
  queue?: string | undefined;
  /** Left out: everything. */
  within?: AccessScope | undefined;
}
export interface Search {
  readonly query: JobQuery;
  readonly shards: readonly ShardRef[];
  /** Every shard in scope, with or without jobs that can match. */
  readonly shardsInScope: readonly ShardRef[];
  /** Shards with jobs that are not searched, because there are too many: the result is then partial. */
  readonly unsearched: number;
  readonly order: SearchOrder;
  readonly from: SearchPosition | null;
  readonly now: number;
  /** What may be shown; undefined: everything. */
  readonly within: AccessScope | undefined;
  /** Encrypts cursors. Set when jobs out of scope are scanned: neither their positions nor their number may be shown. */
  readonly cursorKey: Buffer | null;
}

/** Waiting jobs are listed in the order they will run, ended ones from the newest. */
const NEWEST_FIRST: ReadonlySet<JobState> = new Set(['completed', 'dead', 'suppressed', 'trashed']);
export const searchOrderOf = (state: JobState): SearchOrder =>
  NEWEST_FIRST.has(state) ? 'newest' : 'oldest';

/** @throws RedriveError BAD_QUERY | BAD_CURSOR | VALIDATION */
export async function openSearch(
  ctx: ShardedContext,
  { state, q, queue, within: scope }: SearchScope,
  cursor?: string,
): Promise<Search> {
  const within = scope && isFullScope(scope) ? undefined : scope;
  const filter = filterInScope(parseQueryOrThrow(parseOrThrow(queryTextSchema, q, 'q')), within);
  const [now, names] = await Promise.all([
    timeNow(ctx),
    queue === undefined ? readQueueNames(ctx) : [ctx.shards.check(queue)],
  ]);
  const queues = queuesInScope(within, names);
  const scansOthers = within !== undefined && !queues.every((name) => scopeHasQueue(within, name));
  const key =
    scansOthers || (cursor !== undefined && isEncryptedCursor(cursor)) ? await readCursorKey(ctx) : null;
  const from = cursor === undefined ? null : decodeSearchPosition(cursor, key);
  const query: JobQuery = { state, filter, at: from?.at ?? now, cutoff: null };
  const all = await shardRefsOf(ctx, queues);
  const shards = queue === undefined ? await shardsToSearch(ctx, all, query) : all;
  return {
    query,
    shards: firstShardsOf(shards, SEARCHED_SHARDS_MAX),
    shardsInScope: all,
    unsearched: Math.max(0, shards.length - SEARCHED_SHARDS_MAX) + countUnreadNames(ctx),
    order: searchOrderOf(state),
    from,
    now,
    within,
    cursorKey: scansOthers ? key : null,
  };
}

/** Without shards of queues that the query rules out, and without empty ones. */
async function shardsToSearch(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  query: JobQuery,
): Promise<readonly ShardRef[]> {
  const ruledOut = new Map<string, boolean>();
  for (const { queue } of shards)
    if (!ruledOut.has(queue)) ruledOut.set(queue, compileQuery(query, queue).isEmpty);
  return shardsWithJobs(
    ctx,
    shards.filter(({ queue }) => ruledOut.get(queue) !== true),
    query.state,
  );
}

export const queuesInScope = (
  within: AccessScope | undefined,
  queues: readonly string[],
): readonly string[] =>
  within === undefined ? queues : queues.filter((queue) => scopeReachesQueue(within, queue));

/** On a Cluster any other node's clock will do when the usual one is away: only ages are read by it. */
async function timeNow(ctx: ShardedContext): Promise<number> {
  try {
    return await serverNow(ctx);
  } catch (error) {
    const { redis } = ctx;
    if (!isCluster(redis)) throw error;
    const time = Promise.any(redis.nodes('master').map((node) => node.time()));
    return toMs(
      await withCommandDeadline(redis, time).catch(() => {
        throw error;
      }),
    );
  }
}
