import { readRedaction, redactPayload, textRedactor } from '@/lib/broker/queues/settings/queue-redaction';
import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import { type ShardLayout, shardOfId } from '@/lib/broker/shards/shard-layout';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { jobStateSchema } from '@/lib/contract/jobs/job-state-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { jobIdSchema } from '@/lib/contract/name-schemas';
import { noSuchJob } from '@/lib/contract/not-found-errors';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { NO_REDACTION, type Redaction, redactText } from '@/lib/contract/redaction';
import { decodeRow } from '../job-row';
import { locateJobs, type TenantFilter } from '../triage/triage-jobs';
import { parseClaim, parseDeathRow, parseHistory, parseResult, parseTries } from './stored-rows';

/**
 * One job with all details; hidden values of its payload and result are redacted.
 * @param only picks one of several jobs of that id, which a queue sharded by tenant may have
 * @throws RedriveError JOB_NOT_FOUND
 */
export async function readJob(
  ctx: ShardedContext,
  queue: string,
  jobId: string,
  only?: TenantFilter,
): Promise<JobDetail> {
  const stored = await storedJob(ctx, queue, jobId, only);
  return shownJob(stored, await readRedaction(ctx, queue, stored.name));
}

/** The same unredacted: for the application itself, and for users who may see hidden values. */
export const readUnmaskedJob = async (...job: Parameters<typeof readJob>): Promise<JobDetail> =>
  shownJob(await storedJob(...job), NO_REDACTION);

type StoredJob = Omit<JobDetail, 'payload' | 'payloadBytes' | 'payloadIsText' | 'hidden'> & {
  readonly payload: Buffer;
  /** The shard it is in. */
  readonly name: string;
};

/** The broker takes 64 KiB. A longer payload was written past it: only its beginning is shown. */
const SHOWN_MAX_BYTES = 1_048_576;

function shownJob(
  { payload, result, history, name: _, ...rest }: StoredJob,
  redaction: Redaction,
): JobDetail {
  const beginning = beginningOf(payload);
  const shown = redactPayload(beginning, redaction);
  const { text: shownText, json } = textRedactor(beginning, redaction);
  const given = redactText(result?.result ?? '', redaction);
  return {
    ...rest,
    payload: shown.text,
    payloadBytes: payload.length,
    payloadIsText: shown.isText,
    hidden: shown.hidden + given.hidden,
    result: result && { ...result, result: result.result === null ? null : json(given.text) },
    history: history.map((entry) => ({
      ...entry,
      message: shownText(entry.message),
      stack: shownText(entry.stack),
      reason: shownText(entry.reason),
    })),
  };
}

/** Cut between letters, so that a text stays one. What was JSON is none then, and is hidden as a whole where a rule fits it. */
function beginningOf(payload: Buffer): Buffer {
  if (payload.length <= SHOWN_MAX_BYTES) return payload;
  let end = SHOWN_MAX_BYTES;
  while (end > SHOWN_MAX_BYTES - 4 && ((payload[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return payload.subarray(0, end);
}

async function storedJob(
  ctx: ShardedContext,
  queue: string,
  jobId: string,
  only: TenantFilter = () => true,
): Promise<StoredJob> {
  parseOrThrow(jobIdSchema, jobId, 'jobId');
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const look = async (name: string) => {
    const there = await jobIn(ctx, name, queue, jobId);
    return there && only(there.envelope.tenantId) ? there : null;
  };
  const found = layout.count === 1 ? await look(queue) : await jobOf(ctx, layout, jobId, look);
  // Workers claim from the shards in turn: the order in one of them says little.
  if (found) return layout.count === 1 ? found : { ...found, ahead: null };
  throw noSuchJob(queue, jobId);
}

/** Where the id says, or else wherever it is. @throws when it is not found and a shard could not be read */
async function jobOf(
  ctx: ShardedContext,
  layout: ShardLayout,
  jobId: string,
  look: (name: string) => Promise<StoredJob | null>,
): Promise<StoredJob | null> {
  const home = layout.by === 'id' ? shardOfId(layout, jobId) : null;
  if (home !== null) {
    // Unreadable is not yet not found: it may be in another.
    const there = await look(layout.names[home] ?? '').catch(() => null);
    if (there) return there;
  }
  const { shards, unread } = await locateJobs(ctx, layout, [jobId]);
  for (const shard of shards.get(jobId) ?? []) {
    const there = await look(layout.names[shard] ?? '');
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
): Promise<StoredJob | null> {
  const reply = replyList(await ctx.runBuffer('job', name, [jobId]), 'job');
  const state = jobStateSchema.safeParse(replyText(reply[1]));
  const row = reply[3];
  if (!state.success || !Buffer.isBuffer(row)) return null;
  const { envelope, payload } = decodeRow(jobId, row);
  const claim = parseClaim(replyText(reply[4]));
  const done = state.data === 'completed' ? parseResult(replyText(reply[7])) : null;
  const tries = claim ?? done ?? parseTries(replyText(reply[5]));
  const score = Number(replyText(reply[2]));
  const death = parseDeathRow(replyText(reply[8]));
  return {
    at: Number(reply[0]),
    name,
    queue,
    state: state.data,
    stateAt: timeOf(state.data, score),
    envelope: envelope ?? unreadable(jobId),
    payload,
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
    history: parseHistory(replyText(reply[6])),
    group: death?.group ?? null,
    operation: death?.operation ?? (replyText(reply[9]).split(' ', 1)[0] || null),
    ahead: state.data === 'ready' ? Number(replyText(reply[10])) : null,
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
