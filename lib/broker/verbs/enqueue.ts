import type { EnqueueInput, EnqueueJob, EnqueueOutcome, EnqueueResult } from '@/lib/contract/envelope';
import { ENQUEUE_MAX_JOBS, enqueueSchema } from '@/lib/contract/envelope';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import type { BrokerContext } from '../context';
import { timeOrderedId } from '../id';
import { outcomes } from '../reply';
import { encodeRow } from '../row';
import type { Arg } from '../script';

const OUTCOMES: Readonly<Record<number, EnqueueOutcome>> = {
  1: 'ready',
  2: 'scheduled',
  0: 'duplicate',
  [-1]: 'conflict',
};
/** Per script call, whichever comes first: bounds the time one call may hold Redis, whatever the payloads. */
const SCRIPT_MAX_JOBS = 250;
const SCRIPT_MAX_BYTES = 512 * 1024;
/** A queue is entered in the registry before its first job, and again now and then in case the registry was lost. */
const REGISTER_EVERY_MS = 60_000;

/**
 * Adds up to 1,000 jobs. All are validated before any is sent. Idempotent by job id: sending again is harmless.
 * @throws RedriveError VALIDATION | PAYLOAD_TOO_LARGE, naming the job by its index
 */
export async function enqueueMany(
  ctx: BrokerContext,
  queue: string,
  inputs: readonly EnqueueInput[],
): Promise<EnqueueResult[]> {
  if (inputs.length > ENQUEUE_MAX_JOBS)
    throw new RedriveError(
      'VALIDATION',
      `${inputs.length} jobs were given; at most ${ENQUEUE_MAX_JOBS} go into one call. Split the batch.`,
      {
        fields: [{ field: 'jobs', message: `at most ${ENQUEUE_MAX_JOBS}` }],
      },
    );
  const createdAt = ctx.clock?.() ?? Date.now();
  const ids: string[] = [];
  const args: Arg[] = [];
  inputs.forEach((input, index) => {
    const what = inputs.length === 1 ? 'job' : `jobs[${index}]`;
    const job = parseOrThrow(enqueueSchema, input, what);
    const id = job.jobId ?? timeOrderedId(createdAt);
    ids.push(id);
    args.push(id, encodeRow(job, createdAt), job.priority, dueOf(job));
  });
  if (ids.length === 0) return [];
  ctx.checkQueue(queue);
  await register(ctx, queue);
  const results: EnqueueResult[] = [];
  for (const [from, to] of partsOf(args)) {
    const reply = await ctx.run('enqueue', queue, args.slice(from * 4, to * 4)).catch((error: unknown) => {
      throw results.length === 0 ? error : interrupted(error, results.length, ids.length);
    });
    outcomes(reply, 'enqueue', OUTCOMES).forEach((outcome, i) => {
      results.push({ jobId: ids[from + i] ?? '', outcome });
    });
  }
  return results;
}

/** Adds one job. @throws RedriveError ID_CONFLICT when the id belongs to a job with another content */
export async function enqueue(
  ctx: BrokerContext,
  queue: string,
  input: EnqueueInput,
): Promise<EnqueueResult> {
  const [result] = await enqueueMany(ctx, queue, [input]);
  if (!result) throw new Error('enqueue: no reply for the job');
  if (result.outcome === 'conflict')
    throw new RedriveError(
      'ID_CONFLICT',
      `The id ${result.jobId} already belongs to a job with another content in ${queue}. Choose another jobId.`,
      {
        fields: [{ field: 'jobId', message: 'is taken by a job with another content' }],
      },
    );
  return result;
}

function dueOf(job: EnqueueJob): string {
  if (job.delayMs !== undefined && job.delayMs > 0) return `+${job.delayMs}`;
  return String(job.notBefore ?? 0);
}

async function register(ctx: BrokerContext, queue: string): Promise<void> {
  const now = Date.now();
  if ((ctx.knownQueues.get(queue) ?? 0) > now - REGISTER_EVERY_MS) return;
  // Checked by the schema of names before it is used in a key.
  await ctx.plain((redis) => redis.zadd(ctx.keys.global('queues'), 'NX', now, queue));
  if (ctx.knownQueues.size < 10_000) ctx.knownQueues.set(queue, now);
}

/** Cuts a batch into script calls: `[from, to)` by job. */
function partsOf(args: readonly Arg[]): [number, number][] {
  const parts: [number, number][] = [];
  let [from, bytes] = [0, 0];
  const count = args.length / 4;
  for (let i = 0; i < count; i++) {
    bytes += Buffer.byteLength(args[i * 4 + 1] as string | Buffer);
    if (i + 1 === count || i + 1 - from === SCRIPT_MAX_JOBS || bytes >= SCRIPT_MAX_BYTES) {
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
