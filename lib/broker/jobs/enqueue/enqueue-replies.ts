/** What became of jobs, and the errors of those that did not come in. */

import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import { withoutUnchanged } from '@/lib/broker/shards/partial-change';
import type { EnqueueOutcome, EnqueueResult } from '@/lib/contract/jobs/envelope';
import { type ErrorCode, RedriveError } from '@/lib/contract/redrive-error';
import type { EnqueueEntry } from './enqueue-entries';

const OUTCOMES: Readonly<Record<number, EnqueueOutcome>> = {
  1: 'ready',
  2: 'scheduled',
  0: 'duplicate',
  [-1]: 'conflict',
  [-2]: 'not-unique',
  [-3]: 'queue-full',
  [-4]: 'shed',
  [-5]: 'draining',
  [-6]: 'too-late',
};

/** What became of a job, and the numbers behind a refusal. */
export interface EnqueueReply extends EnqueueResult {
  readonly depth?: number;
  readonly limit?: number;
}

export function readReply(value: unknown, part: readonly EnqueueEntry[]): EnqueueReply[] {
  const reply = replyList(value, 'enqueue');
  const [depth, limit] = [Number(reply[part.length]), Number(reply[part.length + 1])];
  let owner = part.length + 2;
  return part.map(({ jobId }, i) => {
    const outcome = OUTCOMES[Number(reply[i])];
    if (!outcome) throw new Error(`enqueue: unknown reply code ${reply[i]}`);
    return outcome === 'not-unique'
      ? { jobId, outcome, ownerId: replyText(reply[owner++]), depth, limit }
      : { jobId, outcome, depth, limit };
  });
}

export const resultOf = ({ jobId, outcome, ownerId }: EnqueueReply): EnqueueResult =>
  ownerId === undefined ? { jobId, outcome } : { jobId, outcome, ownerId };

const REFUSALS: Partial<
  Record<EnqueueOutcome, (reply: EnqueueReply, queue: string) => [ErrorCode, string, field?: string]>
> = {
  conflict: ({ jobId }, queue) => [
    'ID_CONFLICT',
    `The id ${jobId} already belongs to a job with another content in ${queue}. Choose another jobId.`,
    'jobId',
  ],
  'not-unique': ({ ownerId }, queue) => [
    'NOT_UNIQUE',
    `The job ${ownerId} in ${queue} has this uniqueness key. Wait for it, or choose another unique.key.`,
    'unique.key',
  ],
  'queue-full': ({ depth, limit }, queue) => [
    'QUEUE_FULL',
    `${queue} holds ${depth} jobs and takes at most ${limit}. Nothing was entered; try again when some are done, or raise depthLimit.`,
  ],
  shed: ({ depth, limit }, queue) => [
    'QUEUE_FULL',
    `${queue} holds ${depth} of at most ${limit} jobs and takes only critical ones for now. Nothing was entered.`,
  ],
  'too-late': ({ jobId }, queue) => [
    'RESEND_TOO_LATE',
    `The id ${jobId} says that this job was sent first too long ago: ${queue} no longer remembers whether it ran (resendWindowMs, or a million jobs since). Nothing was entered. If it did not run, send it under a new id; if it is new, look at this machine's clock.`,
    'jobId',
  ],
  draining: (_, queue) => [
    'QUEUE_DRAINING',
    `${queue} is draining: it finishes what it has and takes nothing new. Nothing was entered.`,
  ],
};

/** A single job's refusal is an error. @throws RedriveError ID_CONFLICT | NOT_UNIQUE | RESEND_TOO_LATE | QUEUE_FULL | QUEUE_DRAINING */
export function resultOrThrow(reply: EnqueueReply, queue: string): EnqueueResult {
  const refusal = REFUSALS[reply.outcome]?.(reply, queue);
  if (!refusal) return resultOf(reply);
  const [code, detail, field] = refusal;
  throw new RedriveError(
    code,
    detail,
    field ? { fields: [{ field, message: code === 'RESEND_TOO_LATE' ? 'is too old' : 'is taken' }] } : {},
  );
}

/** What was sent may be in. */
export const isUnknownOutcome = (error: unknown): boolean =>
  error instanceof RedriveError && error.code === 'UNKNOWN_OUTCOME';

/** The one refusal that is about where a job was sent, not about the job. */
export const isResharded = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('RESHARDED');

/** Redis has no memory left: no other try succeeds until a person, or a worker, makes room. */
export const isFull = (error: unknown): boolean =>
  error instanceof RedriveError && error.code === 'REDIS_FULL';

/** Of errors of batches: how many jobs are in, and what kept the others out. */
const partly = new WeakMap<object, { readonly done: number; readonly reasons: readonly unknown[] }>();

/** The error of a batch. After a change of the sharding the whole batch is sent again. @param where it stopped, in words */
export function batchFailure(
  failures: readonly unknown[],
  answered: number,
  all: number,
  where?: string,
): unknown {
  const resharded = failures.find(isResharded);
  if (resharded) return resharded;
  let done = answered;
  // The part of a shard may be a batch, too.
  const reasons = failures.flatMap((failure) => {
    const part = partly.get(failure as object);
    done += part?.done ?? 0;
    return part?.reasons ?? [failure];
  });
  if (done === 0) return reasons.find(isUnknownOutcome) ?? reasons[0];
  const error = partlyEnqueued(reasons, done, all, where);
  partly.set(error, { done, reasons });
  return error;
}

/** Part of a batch is in, so "nothing was changed" would be a lie. */
function partlyEnqueued(
  reasons: readonly unknown[],
  done: number,
  all: number,
  where = 'then',
): RedriveError {
  const full = reasons.find(isFull);
  const cause = full ?? reasons[0];
  const count = reasons.some(isUnknownOutcome) ? `At least ${done}` : `${done}`;
  return new RedriveError(
    full ? 'REDIS_FULL' : 'UNKNOWN_OUTCOME',
    `${count} of ${all} jobs are enqueued; ${where}: ${withoutUnchanged(cause)} Send the batch again with the same jobIds (or the same Idempotency-Key): those that are in are not entered twice.`,
    { cause },
  );
}
