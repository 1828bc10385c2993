/** Every match with its payload, in the order of the list: what an export writes. */

import { scopeHasJob } from '@/lib/contract/access/grant-scopes';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { Scope } from '@/lib/contract/operations/operation-request';
import type { Redaction } from '@/lib/contract/redaction';
import { type Filter, filterInScope, type JobFacts, parseQueryOrThrow } from '@/lib/contract/search/query';
import { splitRow } from '../jobs/job-row';
import { jobSummaryOf } from '../jobs/read/job-summaries';
import {
  type RedactedPayload,
  readRedaction,
  redactPayload,
  textRedactor,
} from '../queues/settings/queue-redaction';
import { groupWithPositions } from '../shards/fan-out';
import { readQueueNames } from '../shards/queue-registry';
import { queryShardsOf, shardRefsOf } from '../shards/shard-ref';
import type { ShardedContext } from '../shards/sharded-context';
import { allShardsWithJobs } from '../shards/shards-with-jobs';
import { queuesInScope, searchOrderOf } from './open-search';
import type { JobQuery } from './plan/compile-query';
import { IDS_A_FILTER, idsFilter } from './plan/index-sources';
import { jobFactsOf, lastErrorLine, readStoredJobs, type StoredJob } from './scan/job-facts';
import { type FoundJob, openShardMerge } from './scan/merge-shards';

export interface MatchedJob {
  readonly summary: JobSummary;
  /** What queries are judged by. */
  readonly facts: JobFacts;
  readonly payload: RedactedPayload;
}
export interface ReadMatchesOptions {
  /** What ages count back from. */
  at: number;
  /** Only jobs that were in the state by then; null: all. */
  cutoff: number | null;
  limit: number;
  signal?: AbortSignal | undefined;
}

const BATCH = 100;
const STEP = 1_000;
const SHARDS_AT_ONCE = 2;

/** @throws RedriveError BAD_QUERY, and when a shard cannot be read: an export must be complete */
export async function* readMatches(
  ctx: ShardedContext,
  scope: Scope,
  { at, cutoff, limit, signal }: ReadMatchesOptions,
): AsyncGenerator<MatchedJob> {
  let left = limit;
  for (const { filter, queues } of await partsOf(ctx, scope)) {
    const query: JobQuery = { state: scope.state, filter, at, cutoff };
    const shards = await allShardsWithJobs(ctx, await shardRefsOf(ctx, queues), scope.state);
    const merge = await openShardMerge(ctx, shards, query, searchOrderOf(scope.state), null);
    while (left > 0 && !merge.finished && !signal?.aborted) {
      const entries = await merge.next(Math.min(BATCH, left), STEP);
      if (merge.missing[0]) throw merge.missing[0].error;
      if (signal?.aborted) return;
      for (const match of await read(ctx, scope, entries)) {
        yield match;
        left -= 1;
      }
    }
  }
}

/** Selected jobs are searched by their ids, in batches. */
async function partsOf(
  ctx: ShardedContext,
  scope: Scope,
): Promise<{ filter: Filter; queues: readonly string[] }[]> {
  const { within } = scope;
  const only = scope.queue === undefined ? null : scope.queue;
  if (!scope.jobs)
    return [
      {
        filter: filterInScope(parseQueryOrThrow(scope.q ?? ''), within),
        queues: queuesInScope(within, only === null ? await readQueueNames(ctx) : [only]),
      },
    ];
  return [...groupWithPositions(scope.jobs, (job) => job.queue)].flatMap(([queue, { items }]) =>
    (only !== null && only !== queue) || queuesInScope(within, [queue]).length === 0
      ? []
      : Array.from({ length: Math.ceil(items.length / IDS_A_FILTER) }, (_, i) => ({
          queues: [queue],
          filter: filterInScope(
            idsFilter(items.slice(i * IDS_A_FILTER, (i + 1) * IDS_A_FILTER).map(({ jobId }) => jobId)),
            within,
          ),
        })),
  );
}

/** In their order; jobs that are gone by now are left out. */
async function read(ctx: ShardedContext, scope: Scope, entries: readonly FoundJob[]): Promise<MatchedJob[]> {
  const stored = new Map<string, { job: StoredJob; redaction: Redaction }>();
  const { failed } = await queryShardsOf(entries, SHARDS_AT_ONCE, async ({ name, queue }, here) => {
    const redaction = await readRedaction(ctx, queue, name);
    const ids = here.map((entry) => entry.jobId);
    const jobs = await readStoredJobs(ctx, name, ids);
    ids.forEach((id, i) => {
      const job = jobs[i];
      if (job) stored.set(`${name} ${id}`, { job, redaction });
    });
  });
  if (failed[0]) throw failed[0].error;
  return entries.flatMap((entry) => {
    const found = stored.get(`${entry.shard.name} ${entry.jobId}`);
    return (found && matchOf(scope, entry, found.job, found.redaction)) ?? [];
  });
}

function matchOf(
  { state, within }: Scope,
  { shard, jobId, score }: FoundJob,
  job: StoredJob,
  redaction: Redaction,
): MatchedJob | null {
  const { head, payload } = splitRow(job.row);
  const summary = jobSummaryOf(
    shard.queue,
    state,
    { jobId, score },
    {
      head,
      claim: job.claim,
      tries: job.tries,
      death: job.death,
      last: lastErrorLine(state, job.history) ?? '',
      done: job.result,
    },
    textRedactor(job.row.length > 0 ? payload : null, redaction),
  );
  // The payload is returned once, below.
  const facts = jobFactsOf(shard.queue, state, { jobId, score }, job, redaction, false);
  // Another job may have taken its id since it was found.
  if (within && !scopeHasJob(within, shard.queue, facts.tenant)) return null;
  return summary && { summary, facts, payload: redactPayload(payload, redaction) };
}
