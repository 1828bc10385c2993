import type { AuditObjectKind } from '@/lib/contract/audit';
import type { EnqueueInput, EnqueueJob, EnqueueOutcome, EnqueueResult } from '@/lib/contract/envelope';
import { enqueueSchema } from '@/lib/contract/envelope';
import { type ErrorCode, parseOrThrow, RedriveError } from '@/lib/contract/errors';
import type { BrokerContext } from '../context';
import { timeOrderedId } from '../id';
import { type Actor, actorNote } from '../note';
import { quickJob } from '../quick-job';
import { list, text } from '../reply';
import { encodeRow, uniqueSpec } from '../row';
import type { Arg } from '../script';

const OUTCOMES: Readonly<Record<number, EnqueueOutcome>> = {
  1: 'ready',
  2: 'scheduled',
  0: 'duplicate',
  [-1]: 'conflict',
  [-2]: 'not-unique',
  [-3]: 'queue-full',
  [-4]: 'shed',
  [-5]: 'draining',
};
/** Per script call, whichever comes first: bounds the time one call may hold Redis, whatever the payloads. */
const SCRIPT_MAX_JOBS = 250;
const SCRIPT_MAX_BYTES = 512 * 1024;
/** A queue is entered in the registry before its first job, and again now and then in case the registry was lost. */
const REGISTER_EVERY_MS = 60_000;

/** Who enqueues, for the audit log; and as what, when it is not the jobs themselves that this is about. */
export interface EnqueueNote {
  readonly by: Actor;
  readonly deed?: { readonly action: string; readonly kind: AuditObjectKind; readonly id: string };
}

/** A job as the script takes it. */
export interface EnqueueEntry {
  readonly jobId: string;
  readonly tenantId: string;
  readonly unique?: EnqueueJob['unique'];
  readonly args: readonly [id: string, row: string | Buffer, priority: number, due: string, extra: string];
}
/** What became of it, and the numbers behind a refusal. */
export interface EnqueueReply extends EnqueueResult {
  readonly depth: number;
  readonly limit: number;
}

/** Checks a job and makes its row. @throws RedriveError VALIDATION | PAYLOAD_TOO_LARGE */
export function entryOf(input: EnqueueInput, createdAt: number, what = 'job'): EnqueueEntry {
  const job = quickJob(input) ?? parseOrThrow(enqueueSchema, input, what);
  const jobId = job.jobId ?? timeOrderedId(createdAt);
  const extra = (job.critical ? '' : 'n') + (job.unique ? uniqueSpec(job.unique) : '');
  return {
    jobId,
    tenantId: job.tenantId,
    unique: job.unique,
    args: [jobId, encodeRow(job, createdAt), job.priority, dueOf(job), extra],
  };
}

/**
 * Sends entries in as many scripts as their number and size call for, in order. `sharding`: what they were placed by (
 * `shardingText`); a queue that was never sharded has none. With a `note` each script leaves a record for the audit log.
 */
export async function enqueueEntries(
  ctx: BrokerContext,
  queue: string,
  entries: readonly EnqueueEntry[],
  sharding = '',
  note?: EnqueueNote,
): Promise<EnqueueReply[]> {
  if (entries.length === 0) return [];
  ctx.checkQueue(queue);
  const registering = register(ctx, queue);
  if (registering !== null) await registering;
  const results: EnqueueReply[] = [];
  for (const [from, to] of partsOf(entries)) {
    const part = entries.slice(from, to);
    const args: Arg[] = [];
    for (const entry of part) args.push(...entry.args);
    if (sharding !== '') args.push(sharding);
    if (note) args.push(...noteArgs(note));
    const reply = await ctx.run(note ? 'enqueue-noted' : 'enqueue', queue, args).catch((error: unknown) => {
      throw results.length === 0 ? error : interrupted(error, results.length, entries.length);
    });
    results.push(...readReply(reply, part));
  }
  return results;
}

const noteArgs = ({ by, deed }: EnqueueNote): Arg[] => [
  actorNote(by),
  deed?.action ?? 'job.enqueue',
  deed?.kind ?? '',
  deed?.id ?? '',
];

function readReply(value: unknown, part: readonly EnqueueEntry[]): EnqueueReply[] {
  const reply = list(value, 'enqueue');
  const [depth, limit] = [Number(reply[part.length]), Number(reply[part.length + 1])];
  let owner = part.length + 2;
  return part.map(({ jobId }, i) => {
    const outcome = OUTCOMES[Number(reply[i])];
    if (!outcome) throw new Error(`enqueue: unknown reply code ${reply[i]}`);
    return outcome === 'not-unique'
      ? { jobId, outcome, ownerId: text(reply[owner++]), depth, limit }
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
  draining: (_, queue) => [
    'QUEUE_DRAINING',
    `${queue} is draining: it finishes what it has and takes nothing new. Nothing was entered.`,
  ],
};

/** A single job's refusal is an error. @throws RedriveError ID_CONFLICT | NOT_UNIQUE | QUEUE_FULL | QUEUE_DRAINING */
export function orThrow(reply: EnqueueReply, queue: string): EnqueueResult {
  const refusal = REFUSALS[reply.outcome]?.(reply, queue);
  if (!refusal) return resultOf(reply);
  const [code, detail, field] = refusal;
  throw new RedriveError(code, detail, field ? { fields: [{ field, message: 'is taken' }] } : {});
}

function dueOf(job: EnqueueJob): string {
  if (job.delayMs !== undefined && job.delayMs > 0) return `+${job.delayMs}`;
  return String(job.notBefore ?? 0);
}

/** Null when it was done lately: the hot path waits for nothing. */
export function register(ctx: BrokerContext, queue: string): Promise<void> | null {
  const now = Date.now();
  if ((ctx.knownQueues.get(queue) ?? 0) > now - REGISTER_EVERY_MS) return null;
  // The registry lists queues, not their shards.
  const name = queue.split('#', 1)[0] ?? queue;
  // Checked by the schema of names before it is used in a key.
  return ctx
    .plain((redis) => redis.zadd(ctx.keys.global('queues'), 'NX', now, name))
    .then(() => {
      if (ctx.knownQueues.size < 10_000) ctx.knownQueues.set(queue, now);
    })
    .catch((error: unknown) => {
      // Entered before: the node of the registry may be away while that of the queue is not.
      if (!ctx.knownQueues.has(queue)) throw error;
    });
}

/** Cuts a batch into script calls: `[from, to)` by job. */
export function partsOf(entries: readonly EnqueueEntry[]): [number, number][] {
  const parts: [number, number][] = [];
  let [from, bytes] = [0, 0];
  for (let i = 0; i < entries.length; i++) {
    const row = entries[i]?.args[1] ?? '';
    // For text its length is near enough: the bound is on Redis's time, and no row is more than four times as long in bytes.
    bytes += row.length;
    if (i + 1 === entries.length || i + 1 - from === SCRIPT_MAX_JOBS || bytes >= SCRIPT_MAX_BYTES) {
      parts.push([from, i + 1]);
      [from, bytes] = [i + 1, 0];
    }
  }
  return parts;
}

/** Part of a batch is in, so "nothing was changed" would be a lie. */
function interrupted(error: unknown, done: number, all: number): RedriveError {
  const why = error instanceof Error ? error.message : String(error);
  return new RedriveError(
    'UNKNOWN_OUTCOME',
    `${done} of ${all} jobs are enqueued; then: ${why} Send the batch again with the same jobIds (or the same Idempotency-Key): those that are in are not entered twice.`,
    { cause: error },
  );
}
