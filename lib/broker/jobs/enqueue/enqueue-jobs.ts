/** Entering jobs where they belong. The script checks that the producer knows how the queue is sharded; see enqueue.lua. */

import { recoverResharding } from '@/lib/broker/queues/recover-resharding';
import { payAhead } from '@/lib/broker/redis/scripts/audit-purse';
import { fanOutItems } from '@/lib/broker/shards/fan-out';
import { withoutUnchanged } from '@/lib/broker/shards/partial-change';
import { type ShardLayout, shardingText, shardOfJob } from '@/lib/broker/shards/shard-layout';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { ResendOptions } from '@/lib/contract/jobs/claim-options';
import type { EnqueueInput, EnqueueResult } from '@/lib/contract/jobs/envelope';
import { ENQUEUE_MAX_JOBS } from '@/lib/contract/jobs/job-limits';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type EnqueueEntry, isOneScript, toEnqueueEntry } from './enqueue-entries';
import {
  batchFailure,
  type EnqueueReply,
  isResharded,
  isUnknownOutcome,
  resultOf,
  resultOrThrow,
} from './enqueue-replies';
import type { Resender } from './resend-enqueue';
import { type EnqueueAudit, sendEntries, sendSingly } from './send-entries';

/** A change of the sharding takes a few round trips, during which its shards take nothing. */
const TRIES = 12;

/**
 * Adds one job.
 * @throws RedriveError ID_CONFLICT | NOT_UNIQUE | QUEUE_FULL | QUEUE_DRAINING when it may not come in
 */
export async function enqueue(
  ctx: ShardedContext,
  queue: string,
  input: EnqueueInput,
  note?: EnqueueAudit,
): Promise<EnqueueResult> {
  // Everything that can be wrong with this job is found before it shares a call with others.
  return enqueueEntry(ctx, queue, toEnqueueEntry(input, ctx.clock?.() ?? Date.now()), note);
}

async function enqueueEntry(
  ctx: ShardedContext,
  queue: string,
  entry: EnqueueEntry,
  note?: EnqueueAudit,
): Promise<EnqueueResult> {
  const layout = ctx.shards.known(queue) ?? (await ctx.shards.of(queue));
  const name = layout.count === 1 ? queue : nameFor(layout, entry);
  try {
    const sharding = shardingText(layout);
    // With an audit event it goes alone: the event is about this job only.
    const sent = note
      ? first(await sendEntries(ctx, name, [entry], sharding, note))
      : await sendSingly(ctx, name, sharding, entry);
    return resultOrThrow(sent, queue);
  } catch (error) {
    if (!isResharded(error)) throw error;
    return resultOrThrow(first(await again(ctx, layout, [entry], note)), queue);
  }
}

function first([reply]: readonly EnqueueReply[]): EnqueueReply {
  if (!reply) throw new Error('enqueue: no reply for the job');
  return reply;
}

/**
 * Adds up to 1,000 jobs; all are checked before any is sent. Idempotent by job id: sending again is harmless.
 * A refused job (`queue-full`, `shed`, `draining`, `not-unique`, `conflict`) is an outcome, not an error: the others are in.
 * @throws RedriveError VALIDATION | PAYLOAD_TOO_LARGE, naming the job by its index
 */
export async function enqueueMany(
  ctx: ShardedContext,
  queue: string,
  inputs: readonly EnqueueInput[],
  note?: EnqueueAudit,
): Promise<EnqueueResult[]> {
  return (await enqueueAll(ctx, queue, entriesOf(ctx, inputs), note)).map(resultOf);
}

function entriesOf(ctx: ShardedContext, inputs: readonly EnqueueInput[]): EnqueueEntry[] {
  if (inputs.length > ENQUEUE_MAX_JOBS)
    throw new RedriveError(
      'VALIDATION',
      `${inputs.length} jobs were given; at most ${ENQUEUE_MAX_JOBS} go into one call. Split the batch.`,
      { fields: [{ field: 'jobs', message: `at most ${ENQUEUE_MAX_JOBS}` }] },
    );
  const createdAt = ctx.clock?.() ?? Date.now();
  return inputs.map((input, i) =>
    toEnqueueEntry(input, createdAt, inputs.length === 1 ? 'job' : `jobs[${i}]`),
  );
}

async function enqueueAll(
  ctx: ShardedContext,
  queue: string,
  entries: readonly EnqueueEntry[],
  note?: EnqueueAudit,
): Promise<EnqueueReply[]> {
  if (entries.length === 0) return [];
  const layout = ctx.shards.known(queue) ?? (await ctx.shards.of(queue));
  return send(ctx, layout, entries, note).catch((error: unknown) => {
    if (isResharded(error)) return again(ctx, layout, entries, note);
    throw error;
  });
}

/** As `enqueue`, sent again under the same id until it is answered or the time is over. */
export async function enqueueUntil(
  ctx: ShardedContext,
  resender: Resender,
  queue: string,
  input: EnqueueInput,
  options: ResendOptions,
): Promise<EnqueueResult> {
  ctx.shards.check(queue);
  const entry = toEnqueueEntry(input, ctx.clock?.() ?? Date.now());
  return resender.send([entry], options, ([sent = entry]) => enqueueEntry(ctx, queue, sent));
}

/** As `enqueueMany`, sent again as a whole until it is answered or the time is over: those that are in are `duplicate` then. */
export async function enqueueManyUntil(
  ctx: ShardedContext,
  resender: Resender,
  queue: string,
  inputs: readonly EnqueueInput[],
  options: ResendOptions,
): Promise<EnqueueResult[]> {
  ctx.shards.check(queue);
  const entries = entriesOf(ctx, inputs);
  return resender.send(entries, options, async (sent) => {
    const replies = await enqueueAll(ctx, queue, sent);
    const forgotten = replies.find(({ outcome }, i) => outcome === 'too-late' && entries[i]?.ageMs === null);
    // Not refused for its own age: an earlier try of ours may have entered it.
    if (forgotten) resultOrThrow(forgotten, queue);
    return replies.map(resultOf);
  });
}

const nameFor = (layout: ShardLayout, entry: EnqueueEntry): string =>
  layout.names[shardOfJob(layout, entry)] ?? layout.queue;

async function send(
  ctx: ShardedContext,
  layout: ShardLayout,
  entries: readonly EnqueueEntry[],
  note?: EnqueueAudit,
): Promise<EnqueueReply[]> {
  if (layout.count === 1) return sendEntries(ctx, layout.queue, entries, shardingText(layout), note);
  if (note) await payAhead([...new Set(entries.map((entry) => nameFor(layout, entry)))], { folds: true });
  const { results, failed } = await fanOutItems(
    layout,
    entries,
    (entry) => shardOfJob(layout, entry),
    (name, part) => sendEntries(ctx, name, part, shardingText(layout), note),
  );
  const replies = results.filter((reply) => reply !== undefined);
  const [trouble] = failed;
  if (!trouble) return replies;
  throw batchFailure(
    failed.map(({ error }) => error),
    replies.length,
    entries.length,
    `shard ${trouble.shard} did not take its part`,
  );
}

/** Sent where the queue is now. What an earlier try entered may have run and be forgotten as a row, so no id counts as new. */
async function again(
  ctx: ShardedContext,
  believed: ShardLayout,
  entries: readonly EnqueueEntry[],
  note?: EnqueueAudit,
): Promise<EnqueueReply[]> {
  const sent = entries.map((entry) => ({ ...entry, isNew: false }));
  let layout = believed;
  let mayBeIn = isSplit(believed, entries);
  try {
    for (let tries = 1; ; tries++) {
      const before = layout.generation;
      layout = await ctx.shards.fresh(layout.queue);
      try {
        return await send(ctx, layout, sent, note);
      } catch (error) {
        if (!isResharded(error)) throw error;
        mayBeIn ||= isSplit(layout, entries);
        if (tries === TRIES)
          throw new RedriveError(
            'REDIS_UNAVAILABLE',
            `The sharding of ${layout.queue} is being changed. Nothing was entered; try again in a moment.`,
            { cause: error },
          );
        // Nothing new was written though the shards are closed: the process that was changing it may be gone.
        if (layout.generation === before) await recoverResharding(ctx, layout, tries);
      }
    }
  } catch (error) {
    throw mayBeIn && !isUnknownOutcome(error) ? partlyIn(error, layout.queue) : error;
  }
}

/** Whether some of it may be in though the rest was refused. */
const isSplit = (layout: ShardLayout, entries: readonly EnqueueEntry[]): boolean =>
  new Set(entries.map((entry) => shardOfJob(layout, entry))).size > 1 || !isOneScript(entries);

function partlyIn(error: unknown, queue: string): RedriveError {
  return new RedriveError(
    'UNKNOWN_OUTCOME',
    `Some of the jobs may be in ${queue}: ${withoutUnchanged(error)} Send the batch again with the same jobIds: those that are in are not entered twice.`,
    { cause: error },
  );
}
