/** The jobs of an operation's scope: the shards they can be in, and jobs selected one by one. */

import { readFields, SMALL_ROWS } from '@/lib/broker/redis/bounded-reads';
import { STATE_COLUMN } from '@/lib/broker/redis/redis-keys';
import { queuesInScope } from '@/lib/broker/search/open-search';
import { compileQuery, type JobQuery } from '@/lib/broker/search/plan/compile-query';
import { IDS_A_FILTER, idsFilter } from '@/lib/broker/search/plan/index-sources';
import { scanShard } from '@/lib/broker/search/scan/scan-shard';
import { forEachLimited } from '@/lib/broker/shards/fan-out';
import { readQueueNames } from '@/lib/broker/shards/queue-registry';
import { type ShardRef, shardRefsOf } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { allShardsWithJobs } from '@/lib/broker/shards/shards-with-jobs';
import { type AccessScope, scopeHasQueue } from '@/lib/contract/access/grant-scopes';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { type SelectedJob, selectedJobsSchema } from '@/lib/contract/operations/operation-record';
import type { Scope } from '@/lib/contract/operations/operation-request';
import { RedriveError } from '@/lib/contract/redrive-error';
import { filterInScope, parseQueryOrThrow } from '@/lib/contract/search/query';
import type { Filter } from '@/lib/contract/search/query/filter';

/** Entries that a count may scan; beyond them the count is a lower bound. */
export const COUNT_BUDGET = 100_000;
export const IN_FLIGHT_MAX = 5_000;
const SHARDS_AT_ONCE = 8;
const SCAN_ENTRIES = 2_000;

/** The query of a scope, limited to the jobs it may touch. @throws RedriveError BAD_QUERY */
export const scopeFilter = ({ q, within }: Pick<Scope, 'q' | 'within'>): Filter =>
  filterInScope(parseQueryOrThrow(q ?? ''), within);

/** The queues of ticked jobs, as far as they are in scope. */
export const selectedQueues = ({ jobs = [], within }: Scope): readonly string[] =>
  queuesInScope(within, [...new Set(jobs.map(({ queue }) => queue))]);

/**
 * The shards that may hold matching jobs: without queues out of scope or ruled out by the query, and of all queues without empty shards.
 * @throws RedriveError VALIDATION when too many are left
 */
export async function scopeShards(ctx: ShardedContext, scope: Scope, filter: Filter): Promise<ShardRef[]> {
  const { queue: onlyQueue, within } = scope;
  const queues = queuesInScope(within, onlyQueue === undefined ? await readQueueNames(ctx) : [onlyQueue]);
  const shards = await shardRefsOf(ctx, queues);
  const question = { state: scope.state, filter, at: 0, cutoff: null };
  const ruledOut = new Map(queues.map((queue) => [queue, compileQuery(question, queue).isEmpty]));
  const candidates = shards.filter(({ queue }) => ruledOut.get(queue) !== true);
  return onlyQueue === undefined ? [...(await allShardsWithJobs(ctx, candidates, scope.state))] : candidates;
}

/** Leaves out shards in which a short scan finds no match. */
export async function shardsWithMatches(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  question: JobQuery,
): Promise<ShardRef[]> {
  const empty = new Set<string>();
  await forEachLimited(shards, SHARDS_AT_ONCE, async (shard) => {
    // A shard that does not answer may have matches.
    const scan = await scanShard(ctx, shard, {
      ...question,
      order: 'oldest',
      cursor: '',
      maxScan: SCAN_ENTRIES,
      maxHits: 1,
    }).catch(() => null);
    if (scan?.done && scan.hits.length === 0) empty.add(shard.name);
  });
  return shards.filter(({ name }) => !empty.has(name));
}

/** @throws RedriveError VALIDATION when there are too many to select each */
export async function listInFlightJobs(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  question: Omit<JobQuery, 'state'>,
): Promise<SelectedJob[]> {
  const selection: SelectedJob[] = [];
  for (const shard of shards) {
    let [cursor, done] = ['', false];
    while (!done) {
      const scan = await scanShard(ctx, shard, {
        ...question,
        state: 'in-flight',
        order: 'oldest',
        cursor,
        maxScan: SCAN_ENTRIES,
        maxHits: IN_FLIGHT_MAX + 1 - selection.length,
      });
      for (const { jobId, stamp, score, class: errorClass } of scan.hits)
        selection.push({ shard: shard.name, jobId, stamp, score, class: errorClass });
      if (selection.length > IN_FLIGHT_MAX) throw tooManyInFlight();
      ({ cursor, done } = scan);
    }
  }
  // A job whose lease was extended during the walk is found twice, with the same claim.
  return [...new Map(selection.map((job) => [`${job.shard} ${job.jobId}`, job])).values()];
}

export const tooManyInFlight = (): RedriveError =>
  new RedriveError(
    'VALIDATION',
    `More than ${IN_FLIGHT_MAX} running jobs match. Running jobs are cancelled one by one, and at most ${IN_FLIGHT_MAX} in one operation: narrow the query.`,
    { fields: [{ field: 'scope.q', message: `matches more than ${IN_FLIGHT_MAX} running jobs` }] },
  );

const IDS_MAX = 500;

/**
 * The selected jobs with their stamps, which change when a job leaves its state. A job in another state or out of scope has no stamp, and the
 * operation skips it as changed.
 * @throws when a shard does not answer
 */
export async function readSelection(
  ctx: ShardedContext,
  { state, jobs = [], within }: Scope,
): Promise<SelectedJob[]> {
  const queues = new Map<string, Set<string>>();
  for (const { queue, jobId } of jobs) queues.set(queue, (queues.get(queue) ?? new Set()).add(jobId));
  const selection: SelectedJob[] = [];
  for (const [queue, ids] of queues) {
    const shards = await shardRefsOf(ctx, queuesInScope(within, [queue]));
    const wantedIds = [...ids].slice(0, IDS_MAX);
    const foundIds = new Set<string>();
    for (const shard of shards) {
      const inScope = await idsInScope(ctx, shard, state, wantedIds, within);
      const found = await readStamps(ctx, shard, state, inScope);
      for (const { jobId } of found) foundIds.add(jobId);
      selection.push(...found);
    }
    for (const jobId of wantedIds)
      if (!foundIds.has(jobId)) selection.push({ shard: queue, jobId, stamp: '', score: 0, class: null });
  }
  return selection;
}

/** The ids of jobs in scope. */
async function idsInScope(
  ctx: ShardedContext,
  shard: ShardRef,
  state: JobState,
  ids: readonly string[],
  within: AccessScope | undefined,
): Promise<readonly string[]> {
  if (within === undefined || scopeHasQueue(within, shard.queue)) return ids;
  const inScope: string[] = [];
  for (let i = 0; i < ids.length; i += IDS_A_FILTER) {
    const part = ids.slice(i, i + IDS_A_FILTER);
    const { hits } = await scanShard(ctx, shard, {
      state,
      filter: filterInScope(idsFilter(part), within),
      at: 0,
      cutoff: null,
      order: 'oldest',
      cursor: '',
      // Ids are looked up, so the scan is bounded by their number.
      maxScan: Number.POSITIVE_INFINITY,
      maxHits: part.length,
    });
    inScope.push(...hits.map(({ jobId }) => jobId));
  }
  return inScope;
}

async function readStamps(
  ctx: ShardedContext,
  shard: ShardRef,
  state: JobState,
  ids: readonly string[],
): Promise<SelectedJob[]> {
  if (ids.length === 0) return [];
  const index = ctx.keys.column(shard.name, STATE_COLUMN[state]);
  const scores = await ctx.plain((redis) => redis.zmscore(index, ...ids));
  const present = ids.flatMap((jobId, i) => {
    const score = scores[i] ?? null;
    return score === null ? [] : [{ jobId, score }];
  });
  if (present.length === 0) return [];
  const names = present.map(({ jobId }) => jobId);
  const readColumn = (column: 'claims' | 'deaths') =>
    readFields(ctx, { queue: shard.name, index: column }, names, SMALL_ROWS);
  const claims = state === 'in-flight' ? await readColumn('claims') : [];
  const deaths = await readColumn('deaths');
  return present.map(({ jobId, score }, i) => ({
    shard: shard.name,
    jobId,
    stamp: state === 'in-flight' ? (claims[i]?.split(' ')[0] ?? '') : score,
    score: Number(score),
    class: deaths[i]?.split(' ')[1] ?? null,
  }));
}

export const formatSelection = (jobs: readonly SelectedJob[]): string => JSON.stringify(jobs);

/** @throws RedriveError OPERATION_STATE when the list is gone */
export function parseSelection(text: string | null, id: string): SelectedJob[] {
  try {
    const parsed = selectedJobsSchema.safeParse(JSON.parse(text ?? ''));
    if (parsed.success) return parsed.data;
  } catch {
    // An unreadable list counts as gone.
  }
  throw new RedriveError(
    'OPERATION_STATE',
    `The list of the jobs of operation ${id} is gone from Redis. Jobs that were moved stay moved; start a new operation for the rest.`,
  );
}
