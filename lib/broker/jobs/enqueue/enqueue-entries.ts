import { type Actor, actorJson } from '@/lib/broker/access/actor';
import { registerQueue } from '@/lib/broker/queues/register-queue';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import type { Arg } from '@/lib/broker/redis/script-runner';
import type { AuditObjectKind } from '@/lib/contract/audit/audit-objects';
import type { EnqueueInput, EnqueueJob, EnqueueOutcome, EnqueueResult } from '@/lib/contract/jobs/envelope';
import { enqueueSchema } from '@/lib/contract/jobs/envelope';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { type ErrorCode, RedriveError } from '@/lib/contract/redrive-error';
import { timeOfId, timeOrderedId } from '../job-id';
import { checkPayload, encodeRow, uniqueSpec } from '../job-row';
import { fastValidateJob } from './fast-validate-job';

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

/** Who enqueues, for the audit log; and as what, when it is not the jobs themselves that this is about. */
export interface EnqueueAudit {
  readonly by: Actor;
  readonly event?: { readonly action: string; readonly kind: AuditObjectKind; readonly id: string };
}

/** A job that has been checked, and has its id. */
export interface EnqueueEntry {
  readonly jobId: string;
  readonly tenantId: string;
  readonly unique: EnqueueJob['unique'];
  readonly job: EnqueueJob;
  readonly createdAt: number;
  /** Its id was made for it just now, and was never sent: the script need not look for it. */
  readonly isNew: boolean;
  /** How long ago it was sent first, at most. Null: not known. */
  readonly ageMs: number | null;
}
/** What became of it, and the numbers behind a refusal. */
export interface EnqueueReply extends EnqueueResult {
  readonly depth: number;
  readonly limit: number;
}

/** Checks a job, all that can be wrong with it. @throws RedriveError VALIDATION | PAYLOAD_TOO_LARGE */
export function toEnqueueEntry(input: EnqueueInput, createdAt: number, what = 'job'): EnqueueEntry {
  const checked = fastValidateJob(input) ?? parseOrThrow(enqueueSchema, input, what);
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

export const entryRow = ({ job, createdAt }: EnqueueEntry): string | Buffer => encodeRow(job, createdAt);

function pushArgs(args: Arg[], entry: EnqueueEntry): void {
  const { jobId, job } = entry;
  const due = dueOf(job);
  const age = entry.ageMs === null ? '' : `t${Math.ceil(entry.ageMs)},`;
  const extra = age + (job.critical ? '' : 'n') + (job.unique ? uniqueSpec(job.unique) : '');
  const ordinary = job.priority === 0 && due === '0' && extra === '';
  args.push(jobId, entryRow(entry), ordinary ? '' : `${job.priority} ${due} ${extra}`);
}

/**
 * Sends entries in as many scripts as their number and size need. With a `note` each script leaves a pending audit event.
 * Scripts are prepared and sent while Redis still runs those before them, so a later one may succeed though an earlier one failed.
 * @param sharding `shardingText` of the layout that placed the entries; empty: never sharded
 */
export async function enqueueEntries(
  ctx: BrokerContext,
  queue: string,
  entries: readonly EnqueueEntry[],
  sharding = '',
  note?: EnqueueAudit,
): Promise<EnqueueReply[]> {
  if (entries.length === 0) return [];
  ctx.checkQueue(queue);
  const registering = registerQueue(ctx, queue, note?.by);
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
      return readReply(await ctx.run(note ? 'enqueue-audited' : 'enqueue', queue, args), part);
    });
    const failures: unknown[] = [];
    for (const end of await Promise.allSettled(sent))
      if (end.status === 'fulfilled') results.push(...end.value);
      else failures.push(end.reason);
    if (failures.length > 0) throw batchFailure(failures, results.length, entries.length);
  }
  return results;
}

/** The error of a batch. After a change of the sharding the whole batch is sent again. @param where it stopped, in words */
export function batchFailure(
  failures: readonly unknown[],
  done: number,
  all: number,
  where?: string,
): unknown {
  const resharded = failures.find(isResharded);
  if (resharded) return resharded;
  return done === 0
    ? (failures.find(isUnknownOutcome) ?? failures[0])
    : partlyEnqueued(failures[0], done, all, where);
}

/** What was sent may be in. */
export const isUnknownOutcome = (error: unknown): boolean =>
  error instanceof RedriveError && error.code === 'UNKNOWN_OUTCOME';

/** The one refusal that is about where a job was sent, not about the job. */
export const isResharded = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('RESHARDED');

const noteArgs = ({ by, event }: EnqueueAudit): Arg[] => [
  actorJson(by),
  event?.action ?? 'job.enqueue',
  event?.kind ?? '',
  event?.id ?? '',
];

function readReply(value: unknown, part: readonly EnqueueEntry[]): EnqueueReply[] {
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

function dueOf(job: EnqueueJob): string {
  if (job.delayMs !== undefined && job.delayMs > 0) return `+${job.delayMs}`;
  return String(job.notBefore ?? 0);
}

/** For text its length is near enough: the bound is on Redis's time, and none is more than four times as long in bytes. */
export const entryBytes = ({ job }: EnqueueEntry): number => ROW_HEAD_BYTES + (job.payload?.length ?? 0);

/** Cuts a batch into script calls: `[from, to)` by job. */
function partsOf(entries: readonly EnqueueEntry[]): [number, number][] {
  const parts: [number, number][] = [];
  let [from, bytes] = [0, 0];
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i];
    if (entry) bytes += entryBytes(entry);
    if (i + 1 === entries.length || i + 1 - from === SCRIPT_MAX_JOBS || bytes >= SCRIPT_MAX_BYTES) {
      parts.push([from, i + 1]);
      [from, bytes] = [i + 1, 0];
    }
  }
  return parts;
}

/** Whether all of it is in or none. */
export const isOneScript = (entries: readonly EnqueueEntry[]): boolean => partsOf(entries).length === 1;

/** Part of a batch is in, so "nothing was changed" would be a lie. */
function partlyEnqueued(error: unknown, done: number, all: number, where = 'then'): RedriveError {
  const why = error instanceof Error ? error.message : String(error);
  return new RedriveError(
    'UNKNOWN_OUTCOME',
    `${done} of ${all} jobs are enqueued; ${where}: ${why} Send the batch again with the same jobIds (or the same Idempotency-Key): those that are in are not entered twice.`,
    { cause: error },
  );
}
