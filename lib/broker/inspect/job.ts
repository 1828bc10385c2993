import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import type { JobDetail } from '@/lib/contract/job';
import { jobIdSchema } from '@/lib/contract/names';
import { NO_REDACTION, type Redaction, redactText } from '@/lib/contract/redaction';
import { type JobState, jobStateSchema } from '@/lib/contract/states';
import { redactionIn, shownPayload, shownTexts } from '../redaction';
import { list, text } from '../reply';
import { decodeRow } from '../row';
import { homeOf, type Layout } from '../sharded/layout';
import { type OfTenants, whereabouts } from '../sharded/triage';
import type { ShardedContext } from '../shards';
import { parseClaim, parseHistory, parseResult, parseTries } from './state-row';

/**
 * Everything about one job, without what is hidden of its payload and result.
 * @param only of the jobs of that id (in a queue sharded by tenant there may be several) the one of such a tenant
 * @throws RedriveError JOB_NOT_FOUND
 */
export async function job(
  ctx: ShardedContext,
  queue: string,
  jobId: string,
  only?: OfTenants,
): Promise<JobDetail> {
  const stored = await storedJob(ctx, queue, jobId, only);
  return shownJob(stored, await redactionIn(ctx, queue, stored.name));
}

/** The same with everything as it is stored: for the application whose jobs they are, and for those who may see what is hidden. */
export async function unmaskedJob(
  ctx: ShardedContext,
  queue: string,
  jobId: string,
  only?: OfTenants,
): Promise<JobDetail> {
  return shownJob(await storedJob(ctx, queue, jobId, only), NO_REDACTION);
}

type StoredJob = Omit<JobDetail, 'payload' | 'payloadBytes' | 'payloadIsText' | 'hidden'> & {
  readonly payload: Buffer;
  /** The shard it is in. */
  readonly name: string;
};

/** The broker takes 64 KiB. What is longer was written past it, and must not fill whoever looks at it; its true size is told. */
const SHOWN_MAX_BYTES = 1_048_576;

function shownJob(
  { payload, result, history, name: _, ...rest }: StoredJob,
  redaction: Redaction,
): JobDetail {
  const beginning = beginningOf(payload);
  const shown = shownPayload(beginning, redaction);
  const { text: shownText, json } = shownTexts(beginning, redaction);
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
  only: OfTenants = () => true,
): Promise<StoredJob> {
  parseOrThrow(jobIdSchema, jobId, 'jobId');
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const look = async (name: string) => {
    const there = await jobIn(ctx, name, queue, jobId);
    return there && only(there.envelope.tenantId) ? there : null;
  };
  const found = layout.count === 1 ? await look(queue) : await jobOf(ctx, layout, jobId, look);
  if (found) return found;
  throw new RedriveError(
    'JOB_NOT_FOUND',
    `There is no job ${jobId} in ${queue}. Completed jobs are kept for a capped history only.`,
    { fields: [{ field: 'id', message: 'names no job' }] },
  );
}

/** Where the id says, or else wherever it is. @throws when it is not found and a shard could not be read */
async function jobOf(
  ctx: ShardedContext,
  layout: Layout,
  jobId: string,
  look: (name: string) => Promise<StoredJob | null>,
): Promise<StoredJob | null> {
  const home = layout.by === 'id' ? homeOf(layout, jobId) : null;
  if (home !== null) {
    // Unreadable is not yet not found: it may be in another.
    const there = await look(layout.names[home] ?? '').catch(() => null);
    if (there) return there;
  }
  const { places, unread } = await whereabouts(ctx, layout, [jobId]);
  for (const shard of places.get(jobId) ?? []) {
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
  const reply = list(await ctx.runBuffer('job', name, [jobId]), 'job');
  const state = jobStateSchema.safeParse(text(reply[1]));
  const row = reply[3];
  if (!state.success || !Buffer.isBuffer(row)) return null;
  const { envelope, payload } = decodeRow(jobId, row);
  const claim = parseClaim(text(reply[4]));
  const done = state.data === 'completed' ? parseResult(text(reply[7])) : null;
  const tries = claim ?? done ?? parseTries(text(reply[5]));
  const score = Number(text(reply[2]));
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
