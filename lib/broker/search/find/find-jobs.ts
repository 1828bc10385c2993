/** Jobs by id, uniqueness key or idempotency key, over all queues and states: three reads a shard. */

import { type AccessScope, isFullScope, scopeHasJob } from '@/lib/contract/access/grant-scopes';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { jobStateSchema } from '@/lib/contract/jobs/job-state-schemas';
import { referenceSchema } from '@/lib/contract/name-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import type { FindReply, FoundJob } from '@/lib/contract/search/find-schemas';
import { FOUND_JOBS_MAX } from '@/lib/contract/search/search-limits';
import { decodeRow } from '../../jobs/job-row';
import { readJobSummaries } from '../../jobs/read/job-summaries';
import { replyList, replyText } from '../../redis/script-reply';
import { serverNow } from '../../redis/server-info';
import { askShards } from '../../shards/fan-out';
import { compareShardRefs, type ShardRef } from '../../shards/shard-ref';
import type { ShardedContext } from '../../shards/sharded-context';
import { queuesInScope } from '../open-search';
import { type Look, lookForReference } from './locate-reference';

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
  const at = await serverNow(ctx);
  const inScope = (names: readonly string[]) => queuesInScope(scope, names);
  const { looks, unasked } = await lookForReference(ctx, inScope, reference, at);
  const { locations, unread } = locationsOf(looks, reference);
  const { jobs, failed } = await readInScope(ctx, locations, { reference, within: scope });
  const unavailable = [...new Map([...unread, ...failed].map((shard) => [shard.name, shard])).values()];
  return {
    at,
    jobs: jobs.slice(0, FOUND_JOBS_MAX),
    more: jobs.length > FOUND_JOBS_MAX,
    ...(unasked > 0 ? { unasked } : {}),
    ...(unavailable.length > 0
      ? { unavailable: unavailable.map(({ queue, shard }) => ({ queue, shard })) }
      : {}),
  };
}

function locationsOf(
  looks: readonly Look[],
  reference: string,
): { locations: Location[]; unread: ShardRef[] } {
  const locations: Location[] = [];
  const unread: ShardRef[] = [];
  for (const { shard, hasId, owner, keyed } of looks) {
    if (hasId === null) unread.push(shard);
    // A job is one result, whatever the reference is to it.
    const found = new Map<string, FoundJob['by']>(keyed.map((jobId) => [jobId, 'key']));
    if (owner !== '') found.set(owner, 'unique');
    if (hasId) found.set(reference, 'id');
    for (const [jobId, by] of found) locations.push({ shard, jobId, by });
  }
  locations.sort((a, b) => compareShardRefs(a.shard, b.shard));
  return { locations, unread };
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
