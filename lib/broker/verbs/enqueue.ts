import type { AuditObjectKind } from '@/lib/contract/audit';
import type { EnqueueInput, EnqueueJob, EnqueueOutcome, EnqueueResult } from '@/lib/contract/envelope';
import { enqueueSchema } from '@/lib/contract/envelope';
import { type ErrorCode, parseOrThrow, RedriveError } from '@/lib/contract/errors';
import type { BrokerContext } from '../context';
import { timeOfId, timeOrderedId } from '../id';
import { type Actor, actorNote } from '../note';
import { serverNow } from '../now';
import { takeQueueShare } from '../queue-shares';
import { quickJob } from '../quick-job';
import { list, text } from '../reply';
import { checkPayload, encodeRow, uniqueSpec } from '../row';
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
  [-6]: 'too-late',
};
/** Per script call, whichever comes first: bounds the time one call may hold Redis, whatever the payloads. */
const SCRIPT_MAX_JOBS = 200;
export const SCRIPT_MAX_BYTES = 512 * 1024;
/** What a row has besides the payload, about: a job without any is not for nothing. */
const ROW_HEAD_BYTES = 100;
/** So many scripts of a batch are under way: bounds what lies in the socket. */
const PARTS_AT_ONCE = 8;
/**
 * A queue is entered in the registry before its first job, and again while it is used and after the connection or the data were lost (see
 * dataset.ts): names that nobody entered for ten minutes may be forgotten. See lib/broker/sharded/forget.ts.
 */
const REGISTER_EVERY_MS = 60_000;

/** Who enqueues, for the audit log; and as what, when it is not the jobs themselves that this is about. */
export interface EnqueueNote {
  readonly by: Actor;
  readonly deed?: { readonly action: string; readonly kind: AuditObjectKind; readonly id: string };
}

/** A job that has been checked, and has its id. */
export interface EnqueueEntry {
  readonly jobId: string;
  readonly tenantId: string;
  readonly unique: EnqueueJob['unique'];
  readonly job: EnqueueJob;
  readonly createdAt: number;
  /** Its id was made for it just now, and was never sent: nobody has to look whether it was here before. */
  readonly isNew: boolean;
  /** How long ago it was sent first, at most. Null: nobody knows. */
  readonly ageMs: number | null;
}
/** What became of it, and the numbers behind a refusal. */
export interface EnqueueReply extends EnqueueResult {
  readonly depth: number;
  readonly limit: number;
}

/** Checks a job, all that can be wrong with it. @throws RedriveError VALIDATION | PAYLOAD_TOO_LARGE */
export function entryOf(input: EnqueueInput, createdAt: number, what = 'job'): EnqueueEntry {
  const checked = quickJob(input) ?? parseOrThrow(enqueueSchema, input, what);
  checkPayload(checked);
  const { payload, tenantId, unique } = checked;
  const jobId = checked.jobId ?? timeOrderedId(createdAt);
  const madeAt = checked.jobId === undefined ? null : timeOfId(checked.jobId);
  // Bytes are the caller's, who may write the next job into them before this one is sent.
  const job =
    payload === undefined || typeof payload === 'string'
      ? checked
      : { ...checked, payload: Buffer.from(payload) };
  // Both times are of clocks of producers, mostly of the same one: Redis's may be another.
  const ageMs = madeAt === null ? null : Math.max(0, createdAt - madeAt);
  return { jobId, tenantId, unique, job, createdAt, isNew: checked.jobId === undefined, ageMs };
}

export const rowOf = ({ job, createdAt }: EnqueueEntry): string | Buffer => encodeRow(job, createdAt);

/** What the script takes of a job. */
function pushArgs(args: Arg[], entry: EnqueueEntry): void {
  const { jobId, job } = entry;
  const due = dueOf(job);
  const age = entry.ageMs === null ? '' : `t${Math.ceil(entry.ageMs)},`;
  const extra = age + (job.critical ? '' : 'n') + (job.unique ? uniqueSpec(job.unique) : '');
  const ordinary = job.priority === 0 && due === '0' && extra === '';
  args.push(jobId, rowOf(entry), ordinary ? '' : `${job.priority} ${due} ${extra}`);
}

/**
 * Sends entries in as many scripts as their number and size call for, in order. `sharding`: what they were placed by (
 * `shardingText`); a queue that was never sharded has none. With a `note` each script leaves a record for the audit log.
 *
 * A part is put into words and sent while Redis is still busy with those before it: otherwise each of the two would spend half of
 * a large batch waiting for the other. So a part may be in though one before it is not, as the error says.
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
  const registering = register(ctx, queue, note?.by);
  if (registering !== null) await registering;
  const parts = partsOf(entries);
  const results: EnqueueReply[] = [];
  for (let i = 0; i < parts.length; i += PARTS_AT_ONCE) {
    const sent = parts.slice(i, i + PARTS_AT_ONCE).map(async ([from, to]) => {
      const part = entries.slice(from, to);
      const args: Arg[] = [];
      for (const entry of part) pushArgs(args, entry);
      args.push((part.every(({ isNew }) => isNew) ? 'n' : 'r') + sharding);
      if (note) args.push(...noteArgs(note));
      return readReply(await ctx.run(note ? 'enqueue-noted' : 'enqueue', queue, args), part);
    });
    const failures: unknown[] = [];
    for (const end of await Promise.allSettled(sent))
      if (end.status === 'fulfilled') results.push(...end.value);
      else failures.push(end.reason);
    if (failures.length > 0) throw failureOf(failures, results.length, entries.length);
  }
  return results;
}

/** Sent elsewhere, what is in will be found; for all else it counts whether any is or may be. */
function failureOf(failures: readonly unknown[], done: number, all: number): unknown {
  const resharded = failures.find(isResharded);
  if (resharded) return resharded;
  return done === 0 ? (failures.find(isUnknown) ?? failures[0]) : interrupted(failures[0], done, all);
}

/** What was sent may be in. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof RedriveError && error.code === 'UNKNOWN_OUTCOME';

/** The one refusal that is about where a job was sent, not about the job. */
export const isResharded = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('RESHARDED');

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
export function orThrow(reply: EnqueueReply, queue: string): EnqueueResult {
  const refusal = REFUSALS[reply.outcome]?.(reply, queue);
  if (!refusal) return resultOf(reply);
  const [code, detail, field] = refusal;
  throw new RedriveError(
    code,
    detail,
    field ? { fields: [{ field, message: code === 'RESEND_TOO_LATE' ? 'is too old' : 'is taken' }] } : {},
  );
}

function dueOf(job: EnqueueJob): string {
  if (job.delayMs !== undefined && job.delayMs > 0) return `+${job.delayMs}`;
  return String(job.notBefore ?? 0);
}

/**
 * By the clock of Redis: what was not entered for long may be forgotten, and clocks of producers differ. Two plain commands, so that the
 * Redis user of a producer need not be able to read the registry.
 */
export async function enterName(ctx: BrokerContext, name: string): Promise<void> {
  const at = await serverNow(ctx, 'queues');
  ctx.checkQueue(name);
  await ctx.plain((redis) => redis.zadd(ctx.keys.global('queues'), at, name));
}

/** Null when it was done lately: the hot path waits for nothing. */
export function register(ctx: BrokerContext, queue: string, by?: Actor): Promise<void> | null {
  ctx.dataset.touch(queue);
  // A wall clock may be set back, and then the name would not be entered for as long.
  const now = performance.now();
  if ((ctx.knownQueues.get(queue) ?? Number.NEGATIVE_INFINITY) > now - REGISTER_EVERY_MS) return null;
  // The registry lists queues, not their shards.
  const name = queue.split('#', 1)[0] ?? queue;
  return takeQueueShare(ctx, 'queues', name, by)
    .then(() => enterName(ctx, name))
    .then(() => {
      if (ctx.knownQueues.size >= 10_000) ctx.knownQueues.clear();
      ctx.knownQueues.set(queue, now);
    })
    .catch((error: unknown) => {
      // Entered before: the node of the registry may be away while that of the queue is not.
      if (!ctx.knownQueues.has(queue)) throw error;
    });
}

/** For text its length is near enough: the bound is on Redis's time, and none is more than four times as long in bytes. */
export const weightOf = ({ job }: EnqueueEntry): number => ROW_HEAD_BYTES + (job.payload?.length ?? 0);

/** Cuts a batch into script calls: `[from, to)` by job. */
function partsOf(entries: readonly EnqueueEntry[]): [number, number][] {
  const parts: [number, number][] = [];
  let [from, bytes] = [0, 0];
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i];
    if (entry) bytes += weightOf(entry);
    if (i + 1 === entries.length || i + 1 - from === SCRIPT_MAX_JOBS || bytes >= SCRIPT_MAX_BYTES) {
      parts.push([from, i + 1]);
      [from, bytes] = [i + 1, 0];
    }
  }
  return parts;
}

/** Whether all of it is in or none. */
export const isOneScript = (entries: readonly EnqueueEntry[]): boolean => partsOf(entries).length === 1;

/** Part of a batch is in, so "nothing was changed" would be a lie. `where`: it stopped, in words. */
export function interrupted(error: unknown, done: number, all: number, where = 'then'): RedriveError {
  const why = error instanceof Error ? error.message : String(error);
  return new RedriveError(
    'UNKNOWN_OUTCOME',
    `${done} of ${all} jobs are enqueued; ${where}: ${why} Send the batch again with the same jobIds (or the same Idempotency-Key): those that are in are not entered twice.`,
    { cause: error },
  );
}
