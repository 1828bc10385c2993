import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import type { JobDetail } from '@/lib/contract/job';
import { jobIdSchema } from '@/lib/contract/names';
import { type JobState, jobStateSchema } from '@/lib/contract/states';
import type { BrokerContext } from '../context';
import { list, text } from '../reply';
import { decodeRow } from '../row';
import { parseClaim, parseHistory, parseResult, parseTries } from './state-row';

/** Everything about one job. @throws RedriveError JOB_NOT_FOUND */
export async function job(ctx: BrokerContext, queue: string, jobId: string): Promise<JobDetail> {
  parseOrThrow(jobIdSchema, jobId, 'jobId');
  const reply = list(await ctx.runBuffer('job', queue, [jobId]), 'job');
  const state = jobStateSchema.safeParse(text(reply[1]));
  const row = reply[3];
  if (!state.success || !Buffer.isBuffer(row))
    throw new RedriveError(
      'JOB_NOT_FOUND',
      `There is no job ${jobId} in ${queue}. Completed jobs are kept for a capped history only.`,
      { fields: [{ field: 'id', message: 'names no job' }] },
    );
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
