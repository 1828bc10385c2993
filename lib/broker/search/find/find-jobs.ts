/** Jobs by id, uniqueness key or idempotency key, over all queues and states: three reads a shard. */

import { type AccessScope, isFullScope, scopeHasJob } from '@/lib/contract/access/grant-scopes';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { jobStateSchema } from '@/lib/contract/jobs/job-state-schemas';
import { NAME_PATTERN } from '@/lib/contract/name-pattern';
import { referenceSchema } from '@/lib/contract/name-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import type { FindReply, FoundJob } from '@/lib/contract/search/find-schemas';
import { FOUND_JOBS_MAX } from '@/lib/contract/search/search-limits';
import { decodeRow } from '../../jobs/job-row';
import { readJobSummaries } from '../../jobs/read/job-summaries';
import { toRedriveError } from '../../redis/redis-errors';
import type { Column } from '../../redis/redis-keys';
import { runPipelines } from '../../redis/run-pipelines';
import { replyList, replyText } from '../../redis/script-reply';
import { isCluster } from '../../redis/server-check';
import { serverNow } from '../../redis/server-info';
import { askShards } from '../../shards/fan-out';
import { readQueueNames } from '../../shards/queue-registry';
import { type ShardRef, shardRefsOf } from '../../shards/shard-ref';
import type { ShardedContext } from '../../shards/sharded-context';
import { SEARCHED_SHARDS_MAX } from '../../shards/shards-with-jobs';
import { queuesInScope } from '../open-search';

const COLUMNS = ['jobs', 'unique', 'idempotency'] as const;
const SHARDS_A_LOOK = 500;
/** Jobs whose rows are read at a time. */
const READ_AT_ONCE = 8;

interface Location {
  readonly shard: ShardRef;
  readonly jobId: string;
  readonly by: FoundJob['by'];
}

/**
 * Ids that producers choose may occur in several queues: each of them is found.
 * @throws RedriveError VALIDATION when the text is no reference
 */
export async function findJobs(
  ctx: ShardedContext,
  text: string,
  { within }: { within?: AccessScope | undefined } = {},
): Promise<FindReply> {
  const reference = parseOrThrow(referenceSchema, text, 'q');
  const scope = within && isFullScope(within) ? undefined : within;
  const [at, names] = await Promise.all([serverNow(ctx), readQueueNames(ctx)]);
  const all = await shardRefsOf(ctx, queuesInScope(scope, names));
  const shards = all.slice(0, SEARCHED_SHARDS_MAX);
  const { locations, unread } = await locate(ctx, shards, reference);
  const { jobs, failed } = await readInScope(ctx, locations, { reference, within: scope });
  const unavailable = [...new Map([...unread, ...failed].map((shard) => [shard.name, shard])).values()];
  return {
    at,
    jobs: jobs.slice(0, FOUND_JOBS_MAX),
    more: jobs.length > FOUND_JOBS_MAX,
    ...(all.length > shards.length ? { unasked: all.length - shards.length } : {}),
    ...(unavailable.length > 0
      ? { unavailable: unavailable.map(({ queue, shard }) => ({ queue, shard })) }
      : {}),
  };
}

async function locate(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  reference: string,
): Promise<{ locations: Location[]; unread: ShardRef[] }> {
  const locations: Location[] = [];
  const unread: ShardRef[] = [];
  const look = isCluster(ctx.redis) ? lookByNode : lookByScript;
  for (const { shard, hasId, owner, keyed } of await look(ctx, shards, reference)) {
    if (hasId === null) unread.push(shard);
    // A job is one result, whatever the reference is to it.
    const found = new Map<string, FoundJob['by']>(keyed.map((jobId) => [jobId, 'key']));
    if (owner !== '') found.set(owner, 'unique');
    if (hasId) found.set(reference, 'id');
    for (const [jobId, by] of found) locations.push({ shard, jobId, by });
  }
  return { locations, unread };
}

interface Look {
  readonly shard: ShardRef;
  /** Null: the shard could not be read. */
  readonly hasId: boolean | null;
  /** Job that holds the uniqueness key; empty: none. */
  readonly owner: string;
  /** Jobs that came in with it as their idempotency key, the newest first; some may be gone. */
  readonly keyed: readonly string[];
}

/** One call for many shards: thousands of commands in a pipeline would take several times as long. */
async function lookByScript(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  reference: string,
): Promise<Look[]> {
  const parts = Array.from({ length: Math.ceil(shards.length / SHARDS_A_LOOK) }, (_, i) =>
    shards.slice(i * SHARDS_A_LOOK, (i + 1) * SHARDS_A_LOOK),
  );
  // A key of another type fails a script: plain reads then tell which shard has it.
  const looks = await Promise.all(
    parts.map((part) => lookAtPart(ctx, part, reference).catch(() => lookByNode(ctx, part, reference))),
  );
  return looks.flat();
}

async function lookAtPart(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  reference: string,
): Promise<Look[]> {
  const keys = shards.flatMap(({ name }) => COLUMNS.map((column) => ctx.keys.column(name, column)));
  const args = [reference, NAME_PATTERN.test(reference) ? 1 : 0, asInRow(reference)];
  const reply = replyList(await ctx.run('reference-lookup', null, args, { keys }), 'reference-lookup');
  return Array.from({ length: Math.floor(reply.length / 4) }, (_, i): Look[] => {
    const [number, hasId, owner, ids] = reply.slice(i * 4, i * 4 + 4);
    const shard = shards[Number(number)];
    return shard
      ? [{ shard, hasId: hasId === 1, owner: replyText(owner), keyed: idsOf(replyText(ids)) }]
      : [];
  }).flat();
}

/** Rows are written as JSON, and keys are indexed as they stand in them. */
const asInRow = (reference: string): string => JSON.stringify(reference).slice(1, -1);
const idsOf = (text: string): string[] => text.split(' ').filter((id) => id !== '');

/** On a Cluster a script reaches one shard only, so each node gets a pipeline of plain reads. */
async function lookByNode(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  reference: string,
): Promise<Look[]> {
  const keysOf = (column: Column) => shards.map(({ name }) => ctx.keys.column(name, column));
  const [present, owners, keyed] = await Promise.all([
    NAME_PATTERN.test(reference)
      ? runPipelines(ctx, keysOf('jobs'), (pipeline, key) => pipeline.hexists(key, reference))
      : [],
    runPipelines(ctx, keysOf('unique'), (pipeline, key) => pipeline.hget(key, reference)),
    runPipelines(ctx, keysOf('idempotency'), (pipeline, key) => pipeline.hget(key, asInRow(reference))),
  ]);
  const replies = [...present, ...owners, ...keyed];
  if (replies.length > 0 && replies.every((reply) => reply instanceof Error))
    throw toRedriveError(replies[0]);
  return shards.map((shard, i) => {
    const [here, owner, ids] = [present[i], owners[i], keyed[i]];
    const isUnread = [here, owner, ids].some((reply) => reply instanceof Error);
    return {
      shard,
      hasId: isUnread ? null : here === 1,
      owner: typeof owner === 'string' ? (owner.split(' ')[0] ?? '') : '',
      keyed: typeof ids === 'string' ? idsOf(ids) : [],
    };
  });
}

/** Until one more is found than a reply lists. Others' jobs do not count: not even their number may be shown. */
async function readInScope(
  ctx: ShardedContext,
  locations: readonly Location[],
  { reference, within }: { reference: string; within: AccessScope | undefined },
): Promise<{ jobs: FoundJob[]; failed: ShardRef[] }> {
  const jobs: FoundJob[] = [];
  const failed: ShardRef[] = [];
  for (let from = 0; from < locations.length && jobs.length <= FOUND_JOBS_MAX; from += READ_AT_ONCE) {
    const part = locations.slice(from, from + READ_AT_ONCE);
    const answers = await askShards(part, READ_AT_ONCE, (location) => readSummary(ctx, location, reference));
    failed.push(...answers.failed.map(({ shard: { shard } }) => shard));
    const byLocation = new Map(answers.answered.map(({ shard, value }) => [shard, value]));
    for (const location of part) {
      const job = byLocation.get(location);
      if (job && (!within || scopeHasJob(within, job.queue, job.tenantId)))
        jobs.push({ ...job, by: location.by });
    }
  }
  return { jobs, failed };
}

/** Null: the job is gone, or another one has its id by now; a key may outlive its job. */
async function readSummary(
  ctx: ShardedContext,
  { shard, jobId, by }: Location,
  reference: string,
): Promise<JobSummary | null> {
  if (by === 'key') {
    const row = await ctx.plain((redis) => redis.hgetBuffer(ctx.keys.column(shard.name, 'jobs'), jobId));
    if (!row || decodeRow(jobId, row).envelope?.idempotencyKey !== reference) return null;
  }
  const reply = replyList(await ctx.runBuffer('job-position', shard.name, [jobId]), 'job-position');
  const state = jobStateSchema.safeParse(replyText(reply[0]));
  if (!state.success) return null;
  const entries = [{ jobId, score: Number(replyText(reply[1])) }];
  const [summary] = await readJobSummaries(ctx, shard.name, state.data, entries);
  return summary ?? null;
}
