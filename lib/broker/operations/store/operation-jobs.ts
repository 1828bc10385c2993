/** The jobs behind the numbers of an operation's outcome. */

import { readJobSummaries } from '@/lib/broker/jobs/read/job-summaries';
import { readFields } from '@/lib/broker/redis/bounded-reads';
import { STATE_COLUMN } from '@/lib/broker/redis/redis-keys';
import { serverNow } from '@/lib/broker/redis/server-info';
import { searchPage } from '@/lib/broker/search/search-page';
import type { ShardRef } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { type AccessScope, scopeHasJob } from '@/lib/contract/access/grant-scopes';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { JOB_STATES, type JobState } from '@/lib/contract/jobs/job-states';
import type { OperationJobsPage } from '@/lib/contract/operations/operation';
import { KIND_RULES, SKIP_REASONS, type SkipReason } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import type { OperationJobsQuery } from '@/lib/contract/operations/operation-request';
import { RedriveError } from '@/lib/contract/redrive-error';
import { skippedField } from '../kinds/shard-progress';
import { outcomeShards } from './operation-outcome';
import { loadRecord } from './operation-store';

type JobsPage = Omit<OperationJobsPage, 'at'>;
interface PageRequest {
  readonly id: string;
  readonly cursor: string | undefined;
  readonly limit: number;
  /** Limits the jobs, because another job may have the id of one of them by now. Undefined: no limit. */
  readonly within: AccessScope | undefined;
}

/** Where re-driven jobs wait that have not run yet, or are to run again. */
const WAITING: readonly JobState[] = ['ready', 'held', 'retry', 'scheduled'];
const UNDOABLE: Readonly<Record<'restore' | 'unsuppress' | 'recall', readonly JobState[]>> = {
  restore: ['trashed'],
  unsuppress: ['suppressed'],
  recall: ['ready', 'held', 'retry'],
};

/** @throws RedriveError OPERATION_NOT_FOUND, BAD_CURSOR */
export async function listOperationJobs(
  ctx: ShardedContext,
  id: string,
  { outcome, cursor, limit }: OperationJobsQuery,
): Promise<OperationJobsPage> {
  const record = await loadRecord(ctx, id);
  const at = await serverNow(ctx);
  const request = { id, cursor, limit, within: scopeOfJobs(record) };
  if (outcome === 'completed')
    return { at, ...(await completedPage(ctx, await outcomeShards(ctx, record), request)) };
  if (outcome === 'skipped') return { at, ...(await listSkippedJobs(ctx, record.shards, request)) };
  const undo = record.undoes === null ? KIND_RULES[record.kind].undoneBy : null;
  const states: Record<typeof outcome, readonly JobState[]> = {
    running: ['in-flight'],
    waiting: WAITING,
    'died-again': ['dead'],
    undoable: undo === null ? [] : UNDOABLE[undo],
  };
  return { at, ...(await statesPage(ctx, states[outcome], request)) };
}

function scopeOfJobs({ scope: { within }, target }: OperationRecord): AccessScope | undefined {
  if (within === undefined || target === null) return within;
  return [...within, ...within.map(({ tenants }) => ({ queue: target, tenants }))];
}

/** The parts of a cursor. @throws RedriveError BAD_CURSOR */
function readCursor(cursor: string, pattern: RegExp): string[] {
  const match = pattern.exec(cursor);
  if (!match) throw badCursor();
  return match.slice(1);
}

const badCursor = (): RedriveError =>
  new RedriveError('BAD_CURSOR', 'The cursor is not one that was given out. Leave it out to start anew.', {
    fields: [{ field: 'cursor', message: 'was not given out here' }],
  });

/** One state after the other; the cursor is `<index of the state>~<cursor of its search>`. */
async function statesPage(
  ctx: ShardedContext,
  states: readonly JobState[],
  { id, cursor, limit, within }: PageRequest,
): Promise<JobsPage> {
  const [index, searchCursor = ''] = readCursor(cursor ?? '0~', /^(\d)~(.*)$/s);
  let [at, inner] = [Number(index), searchCursor];
  if (at >= states.length && states.length > 0) throw badCursor();
  const jobs: JobSummary[] = [];
  for (let state = states[at]; state !== undefined; state = states[at]) {
    const page = await searchPage(
      ctx,
      { state, q: `operation:${id}`, within },
      { limit: limit - jobs.length, ...(inner === '' ? {} : { cursor: inner }) },
    );
    jobs.push(...page.jobs);
    if (page.nextCursor !== null) return { jobs, nextCursor: `${at}~${page.nextCursor}` };
    at += 1;
    inner = '';
    if (jobs.length >= limit) return { jobs, nextCursor: at < states.length ? `${at}~` : null };
  }
  return { jobs, nextCursor: null };
}

/** Entries read of a shard in one call, and for one page. */
const READ_AT_ONCE = 500;
const SKIPPED_BOUND = { eachBytes: 1_048_576, allBytes: 1_048_576 };
const READ_MAX = 10_000;

interface CompletedJob {
  readonly jobId: string;
  readonly at: number;
}

/**
 * Completed jobs, newest first, with or without a row: a queue remembers the latest 10,000 of all operations. Shard after shard; the cursor is
 * `<index of the shard>~<completed at>~<id>` of the last job shown.
 */
async function completedPage(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  request: PageRequest,
): Promise<JobsPage> {
  const { cursor, limit } = request;
  const [first = '0', at, jobId = ''] =
    cursor === undefined ? [] : readCursor(cursor, /^(\d{1,5})~(\d{1,15})~([\w.-]{1,100})$/);
  const jobs: JobSummary[] = [];
  for (const [index, shard] of [...shards.entries()].slice(Number(first))) {
    const after = at !== undefined && index === Number(first) ? { at: Number(at), jobId } : null;
    const completed = await readCompleted(ctx, shard, request.id, after, limit - jobs.length);
    jobs.push(...(await summariesOf(ctx, shard, request.within, completed)));
    const last = completed.at(-1);
    if (jobs.length >= limit && last) return { jobs, nextCursor: `${index}~${last.at}~${last.jobId}` };
  }
  return { jobs, nextCursor: null };
}

async function readCompleted(
  ctx: ShardedContext,
  shard: ShardRef,
  id: string,
  after: CompletedJob | null,
  limit: number,
): Promise<CompletedJob[]> {
  const key = ctx.keys.column(shard.name, 'outcomes');
  const prefix = `${id}|`;
  // Keyset paging over (score, member): newer entries do not repeat what was shown.
  const start = after ? String(after.at) : '+inf';
  const completed: CompletedJob[] = [];
  for (let read = 0; read < READ_MAX && completed.length < limit; read += READ_AT_ONCE) {
    const reply = await ctx.plain((redis) =>
      redis.zrevrangebyscore(key, start, '-inf', 'WITHSCORES', 'LIMIT', read, READ_AT_ONCE),
    );
    for (let i = 0; i + 1 < reply.length; i += 2) {
      const [member = '', score = '0'] = [reply[i], reply[i + 1]];
      if (!member.startsWith(prefix)) continue;
      const job = { jobId: member.slice(prefix.length), at: Number(score) };
      const isShown = after && (job.at > after.at || (job.at === after.at && job.jobId >= after.jobId));
      if (!isShown && completed.length < limit) completed.push(job);
    }
    if (reply.length < 2 * READ_AT_ONCE) break;
  }
  return completed;
}

/** A job without a row, or whose row belongs to a later job outside the scope, is shown by id and time alone. */
async function summariesOf(
  ctx: ShardedContext,
  shard: ShardRef,
  within: AccessScope | undefined,
  completed: readonly CompletedJob[],
): Promise<JobSummary[]> {
  const scores = completed.map(({ jobId, at }) => ({ jobId, score: at }));
  const rows = await readJobSummaries(ctx, shard.name, 'completed', scores);
  const inScope = rows.filter(({ tenantId }) => !within || scopeHasJob(within, shard.queue, tenantId));
  const byId = new Map(inScope.map((row) => [row.jobId, row]));
  return completed.map(
    ({ jobId, at }) => byId.get(jobId) ?? { ...WITHOUT_ROW, queue: shard.queue, jobId, stateAt: at },
  );
}

const WITHOUT_ROW = {
  state: 'completed',
  jobType: 'unknown',
  jobVersion: 0,
  tenantId: 'unknown',
  priority: 0,
  createdAt: 0,
  deadline: null,
  attempt: 0,
  maxAttempts: 0,
  deliveries: 0,
  worker: null,
  claimedAt: null,
  errorClass: null,
  errorCode: null,
  message: null,
} as const;

/** A shard names the first hundred jobs that it skips; see NAMED_MAX in lua/operations/op_progress.lua. */
export const SKIPPED_JOBS_MAX = 100;
/** Shards read for one page. */
const SHARDS_MAX = 200;

interface SkippedJob {
  readonly jobId: string;
  readonly reason: SkipReason;
}

/** Skipped jobs, shard after shard; the cursor is `<index of the shard>~<number of its jobs shown>`. */
export async function listSkippedJobs(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
  { id, cursor, limit, within }: PageRequest,
): Promise<JobsPage> {
  const [first = 0, start = 0] = readCursor(cursor ?? '0~0', /^(\d{1,5})~(\d{1,5})$/).map(Number);
  const jobs: JobSummary[] = [];
  const skips: Required<JobsPage>['skips'] = [];
  let shown = start;
  for (const [index, shard] of [...shards.entries()].slice(first)) {
    if (skips.length >= limit || index - first >= SHARDS_MAX)
      return { jobs, skips, nextCursor: `${index}~${shown}` };
    const key = { queue: shard.name, index: 'operations' } as const;
    const [row] = await readFields(ctx, key, [skippedField(id)], SKIPPED_BOUND);
    const skipped = parseSkippedJobs(row ?? '');
    const part = skipped.slice(shown, shown + limit - skips.length);
    skips.push(...part.map(({ jobId, reason }) => ({ queue: shard.queue, jobId, reason })));
    const present = await findSummaries(ctx, shard, part);
    jobs.push(...present.filter((job) => !within || scopeHasJob(within, job.queue, job.tenantId)));
    shown += part.length;
    if (shown < skipped.length) return { jobs, skips, nextCursor: `${index}~${shown}` };
    shown = 0;
  }
  return { jobs, skips, nextCursor: null };
}

/** `<id>=<reason> …`; a malformed part is left out. */
function parseSkippedJobs(row: string): SkippedJob[] {
  return row
    .split(' ')
    .slice(0, SKIPPED_JOBS_MAX)
    .flatMap((part) => {
      const end = part.lastIndexOf('=');
      const reason = SKIP_REASONS.find((known) => known === part.slice(end + 1));
      return end > 0 && reason ? [{ jobId: part.slice(0, end), reason }] : [];
    });
}

/** The jobs in whatever state they are now. Deleted ones are left out. */
async function findSummaries(
  ctx: ShardedContext,
  { name }: ShardRef,
  skipped: readonly SkippedJob[],
): Promise<JobSummary[]> {
  if (skipped.length === 0) return [];
  const ids = skipped.map(({ jobId }) => jobId);
  const scores = await ctx.plain((redis) =>
    Promise.all(JOB_STATES.map((state) => redis.zmscore(ctx.keys.column(name, STATE_COLUMN[state]), ...ids))),
  );
  const byId = new Map<string, JobSummary>();
  for (const [i, state] of JOB_STATES.entries()) {
    const present = ids.flatMap((jobId, at) => {
      const score = scores[i]?.[at] ?? null;
      return score === null ? [] : [{ jobId, score: Number(score) }];
    });
    for (const job of await readJobSummaries(ctx, name, state, present)) byId.set(job.jobId, job);
  }
  return ids.flatMap((jobId) => byId.get(jobId) ?? []);
}
