import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import type { JobDetail } from '@/lib/contract/job';
import { jobIdSchema } from '@/lib/contract/names';
import { type JobState, jobStateSchema } from '@/lib/contract/states';
import { list, text } from '../reply';
import { decodeRow } from '../row';
import { homeOf, type Layout } from '../sharded/layout';
import { whereabouts } from '../sharded/triage';
import type { ShardedContext } from '../shards';
import { parseClaim, parseHistory, parseResult, parseTries } from './state-row';

/** Everything about one job. @throws RedriveError JOB_NOT_FOUND */
export async function job(ctx: ShardedContext, queue: string, jobId: string): Promise<JobDetail> {
  parseOrThrow(jobIdSchema, jobId, 'jobId');
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const found = layout.count === 1 ? await jobIn(ctx, queue, queue, jobId) : await jobOf(ctx, layout, jobId);
  if (found) return found;
  throw new RedriveError(
    'JOB_NOT_FOUND',
    `There is no job ${jobId} in ${queue}. Completed jobs are kept for a capped history only.`,
    { fields: [{ field: 'id', message: 'names no job' }] },
  );
}

/** Where the id says, or else wherever it is. @throws when it is not found and a shard could not be read */
async function jobOf(ctx: ShardedContext, layout: Layout, jobId: string): Promise<JobDetail | null> {
  const home = layout.by === 'id' ? homeOf(layout, jobId) : null;
  if (home !== null) {
    // Unreadable is not yet not found: it may be in another.
    const there = await jobIn(ctx, layout.names[home] ?? '', layout.queue, jobId).catch(() => null);
    if (there) return there;
  }
  const { places, unread } = await whereabouts(ctx, layout, [jobId]);
  for (const shard of places.get(jobId) ?? []) {
    const there = await jobIn(ctx, layout.names[shard] ?? '', layout.queue, jobId);
    if (there) return there;
  }
  if (unread[0]) throw unread[0].error;
  return null;
}

async function jobIn(
  ctx: ShardedContext,
  name: string,
  queue: string,
  jobId: string,
): Promise<JobDetail | null> {
  const reply = list(await ctx.runBuffer('job', name, [jobId]), 'job');
  const state = jobStateSchema.safeParse(text(reply[1]));
  const row = reply[3];
  if (!state.success || !Buffer.isBuffer(row)) return null;
  const { envelope, payload } = decodeRow(jobId, row);
  const claim = parseClaim(text(reply[4]));
  const done = state.data === 'completed' ? parseResult(text(reply[7])) : null;
  const tries = claim ?? done ?? parseTries(text(reply[5]));
  const score = Number(text(reply[2]));
  const asText = payload.toString('utf8');
  const payloadIsText = Buffer.from(asText, 'utf8').equals(payload);
  return {
    at: Number(reply[0]),
    queue,
    state: state.data,
    stateAt: timeOf(state.data, score),
    envelope: envelope ?? unreadable(jobId),
    payload: payloadIsText ? asText : payload.toString('base64'),
    payloadBytes: payload.length,
    payloadIsText,
    attempt: tries.attempt,
    deliveries: tries.deliveries,
    leaseLosses: tries.losses,
    redrives: tries.redrives,
    claim:
      claim && state.data === 'in-flight'
        ? { worker: claim.worker, claimedAt: claim.claimedAt, leaseUntil: score }
        : null,
    result: done
      ? { worker: done.worker, claimedAt: done.claimedAt, completedAt: score, result: done.result }
      : null,
    history: parseHistory(text(reply[6])),
  };
}

const timeOf = (state: JobState, score: number) => (state === 'ready' || state === 'held' ? null : score);

const unreadable = (jobId: string): JobDetail['envelope'] => ({
  version: 0,
  jobId,
  jobType: 'unknown',
  jobVersion: 0,
  tenantId: 'unknown',
  idempotencyKey: null,
  createdAt: 0,
  notBefore: null,
  deadline: null,
  maxAttempts: 0,
  priority: 0,
  unique: null,
  traceId: null,
  traceParent: null,
  correlationId: null,
  payloadRef: null,
  timeoutMs: 0,
});
