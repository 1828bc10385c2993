/**
 * The deletion of a queue with everything in it. Each shard goes in one script, which enters that it is done: whoever goes on after a
 * runner that died deletes nothing twice. The name goes last, once no producer can have entered it without knowing.
 */
import type { OperationRecord } from '@/lib/contract/verbs';
import { forgetRedaction } from '../redaction';
import { evalScript } from '../script';
import type { ShardedContext } from '../shards';
import { withCounts } from './advance';
import { chunkReply } from './progress';
import { updateRecord } from './records';
import { arrived, REST_MS, type Run, readPlaces, rest, totalsOf } from './run';

/** Producers enter a name once a minute; one that was entered longer ago is entered before the next job. */
const ENTERED_LATELY_MS = 90_000;
/** Then the name stays: somebody uses the queue, or nobody collects what waits for the audit log. */
const WAIT_MAX_MS = 300_000;

/** Why a shard was left as it is for now. */
const WAITS: Readonly<Record<string, (queue: string) => string>> = {
  late: (queue) => `A call that deletes a shard of ${queue} came too late, and is sent again.`,
  leaving: (queue) =>
    `Jobs of ${queue} are on their way to another queue. It is deleted when they have arrived; if the operation that moves them is paused, resume or cancel it.`,
};

/** Deletes the next shard that is left. What to wait before the next. */
export async function deleteNext(ctx: ShardedContext, record: OperationRecord, run: Run): Promise<number> {
  const nowMs = performance.now();
  const left = run.states.filter(({ progress }) => progress?.status !== 'done');
  const state = left.find(({ restsUntilMs }) => restsUntilMs <= nowMs);
  if (!state) return REST_MS / 2;
  const until = record.runner?.until ?? 0;
  try {
    if (state.progress === null) await readPlaces(ctx, run, [state]);
    if (state.progress === null || state.progress.status !== 'running') return 0;
    const reply = await ctx.run('bulk-delete-queue', state.place.name, [record.id, until]);
    const waitsFor = WAITS[String(reply)];
    if (waitsFor === undefined) arrived(state, chunkReply(reply, 'bulk-delete-queue').progress);
    else Object.assign(state, { trouble: waitsFor(record.scope.queue ?? ''), restsUntilMs: nowMs + REST_MS });
  } catch (error) {
    rest(state, error);
    // It may come yet.
    run.fencedUntil = Math.max(run.fencedUntil, until);
  }
  return 0;
}

/**
 * Takes the name out of the registry. Null: that is done, or it is a queue again; else the record, which says what it waits for.
 */
export async function dropName(
  ctx: ShardedContext,
  record: OperationRecord,
  run: Run,
  now: number,
): Promise<OperationRecord | null> {
  const queue = record.scope.queue ?? '';
  forgetRedaction(ctx, queue);
  // With the operation its rows go, by which a call that is still on its way would know that it is done.
  const isFenced = now < run.fencedUntil;
  const waitsFor = isFenced
    ? `All of ${queue} is deleted. Its name goes in a moment.`
    : await whyNot(ctx, record, queue, now);
  if (waitsFor === null) return null;
  const since = record.startedAt ?? record.createdAt;
  if (!isFenced && now - since > WAIT_MAX_MS) return null;
  return updateRecord(ctx, record.id, (latest) =>
    latest.status !== 'running' || latest.trouble === waitsFor
      ? null
      : { ...withCounts(latest, totalsOf(run)), startedAt: latest.startedAt ?? now, trouble: waitsFor },
  );
}

async function whyNot(
  ctx: ShardedContext,
  { places }: OperationRecord,
  queue: string,
  now: number,
): Promise<string | null> {
  for (const { name } of places) {
    const [jobs, records] = await ctx.plain((redis) =>
      Promise.all([redis.hlen(ctx.keys.column(name, 'jobs')), redis.xlen(ctx.keys.column(name, 'audit'))]),
    );
    // Somebody enqueued since: it is a new queue, and keeps its name.
    if (jobs > 0) return null;
    // The collector leaves the newest one there.
    if (records > 1)
      return `All of ${queue} is deleted. Its name goes when the audit log has what was recorded of it.`;
  }
  const keys = [ctx.keys.global('queues')];
  const args = [ctx.clock ? String(ctx.clock()) : '', queue, now - ENTERED_LATELY_MS];
  const gone = await ctx.plain((redis) => evalScript(redis, 'queue-forget', keys, args, false));
  if (gone === 1) return null;
  return `All of ${queue} is deleted. Its name goes when no producer has entered it for ${ENTERED_LATELY_MS / 1_000} seconds.`;
}
