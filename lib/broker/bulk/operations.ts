/**
 * Operations: bulk actions on dead letters, on a set frozen at confirmation (filter plus cut-off). The record lives outside
 * the queues; each queue's progress lives in the queue and moves in the same script as its jobs, so the truth survives the
 * death of whoever runs it.
 */
import { RedriveError } from '@/lib/contract/errors';
import { type Operation, type OperationKind, operationSchema } from '@/lib/contract/operations';
import { type OperationRecord, operationRecordSchema } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { countDead } from '../dead/count';
import { deadQuery } from '../dead/filter';
import { serverNow } from '../dead/page';
import { idFrom, timeOrderedId } from '../id';
import { queueNames } from '../inspect/snapshot';
import { type Actor, actorNote } from '../note';
import { list, text } from '../reply';
import { purge } from '../verbs/purge';
import { redrive } from '../verbs/redrive';

export const OPERATIONS_KEPT = 500;
/** ≤ 100 jobs a step: each costs some dozen commands, and a step must stay well under 5 ms. */
const STEP_JOBS = 100;

export interface StartOperation {
  kind: OperationKind;
  filter?: Operation['filter'];
  jobs?: readonly { queue: string; jobId: string }[];
  cutoff?: number;
  /** Its `requestId`, when given, makes a resend find the operation that the first call started. */
  by: Actor & { reason: string };
}

/** Freezes the set and enters the operation. Ticked jobs are moved at once; a filter is worked off by `stepOperation`. */
export async function startOperation(ctx: BrokerContext, input: StartOperation): Promise<Operation> {
  const now = await serverNow(ctx);
  const id = `op-${input.by.requestId ? idFrom(input.by.requestId) : timeOrderedId(now)}`;
  const existing = await find(ctx, id);
  if (existing) {
    const same =
      existing.kind === input.kind &&
      existing.reason === input.by.reason &&
      (existing.filter === null) === (input.jobs !== undefined);
    if (same) return operationSchema.parse(existing);
    throw new RedriveError(
      'ID_CONFLICT',
      'That Idempotency-Key was used for another operation. Use a new one for each intent.',
      {
        fields: [{ field: 'Idempotency-Key', message: 'belongs to another operation' }],
      },
    );
  }
  const base = {
    id,
    kind: input.kind,
    actor: input.by.actor,
    reason: input.by.reason,
    createdAt: now,
    cutoff: Math.min(input.cutoff ?? now, now),
    scanned: 0,
    moved: 0,
    skipped: 0,
    error: null,
  };
  if (input.jobs) return startSelection(ctx, base, input.jobs, input.by);
  const filter = input.filter ?? {};
  const queues = filter.queue === undefined ? await queueNames(ctx) : [filter.queue];
  const query = deadQuery(filter, now, base.cutoff);
  const counts = await Promise.all(queues.map((queue) => countDead(ctx, queue, query)));
  const record: OperationRecord = {
    ...base,
    cutoff: query.until,
    since: query.since,
    queues,
    status: 'running',
    filter,
    selected: null,
    endedAt: null,
    expected: counts.reduce((sum, c) => sum + c.count, 0),
    estimated: counts.some((c) => !c.exact),
  };
  await save(ctx, record);
  return operationSchema.parse(record);
}

type Base = Pick<
  OperationRecord,
  'id' | 'kind' | 'actor' | 'reason' | 'createdAt' | 'cutoff' | 'scanned' | 'moved' | 'skipped' | 'error'
>;

async function startSelection(
  ctx: BrokerContext,
  base: Base,
  jobs: readonly { queue: string; jobId: string }[],
  by: Actor,
): Promise<Operation> {
  for (const { queue } of jobs) ctx.checkQueue(queue);
  const record: OperationRecord = {
    ...base,
    since: 0,
    queues: [...new Set(jobs.map((job) => job.queue))],
    status: 'running',
    filter: null,
    selected: jobs.length,
    endedAt: null,
    expected: jobs.length,
    estimated: false,
  };
  await save(ctx, record);
  const verb = base.kind === 'redrive' ? redrive : purge;
  for (const queue of record.queues) {
    const ids = jobs.filter((job) => job.queue === queue).map((job) => job.jobId);
    const outcomes = await verb(ctx, queue, ids, { ...by, requestId: base.id }, base.cutoff);
    record.moved += outcomes.filter((outcome) => outcome === 'ok').length;
  }
  record.scanned = jobs.length;
  record.skipped = jobs.length - record.moved;
  record.status = 'completed';
  record.endedAt = await serverNow(ctx);
  await save(ctx, record);
  return operationSchema.parse(record);
}

/** One step in every queue of a running operation; the returned record holds the exact counts so far. */
export async function stepOperation(ctx: BrokerContext, id: string): Promise<Operation> {
  const record = await load(ctx, id);
  if (record.status !== 'running' || record.filter === null) return operationSchema.parse(record);
  const query = deadQuery(record.filter, record.cutoff);
  const note = actorNote({ actor: record.actor, reason: record.reason, requestId: id });
  const sums = { scanned: 0, moved: 0, skipped: 0 };
  let [open, stopped] = [false, false];
  for (const queue of record.queues) {
    const [driver = 'class=', ...others] = query.terms;
    const reply = list(
      await ctx.run('bulk-step', queue, [
        id,
        record.kind,
        record.since,
        record.cutoff,
        STEP_JOBS,
        note,
        driver,
        ...others,
      ]),
      'bulk-step',
    );
    open ||= text(reply[0]) === 'running';
    stopped ||= text(reply[0]) === 'cancelled';
    sums.scanned += Number(reply[1]);
    sums.moved += Number(reply[2]);
    sums.skipped += Number(reply[3]);
  }
  // A cancellation may have been entered meanwhile; the queues obey it, and it must not be overwritten.
  const latest = await load(ctx, id);
  const next: OperationRecord = { ...latest, ...sums };
  if (!open && latest.status === 'running') {
    // The queues remember a cancellation even if its record was lost to a step that ended at the same moment.
    next.status = stopped ? 'cancelled' : 'completed';
    next.endedAt = await serverNow(ctx);
  }
  await save(ctx, next);
  return operationSchema.parse(next);
}

/** Stops an operation: after this, no step moves anything. What was moved stays moved. */
export async function cancelOperation(ctx: BrokerContext, id: string): Promise<Operation> {
  const record = await load(ctx, id);
  if (record.status !== 'running') return operationSchema.parse(record);
  const sums = { scanned: 0, moved: 0, skipped: 0 };
  for (const queue of record.queues) {
    const reply = list(await ctx.run('bulk-stop', queue, [id]), 'bulk-stop');
    sums.scanned += Number(reply[1]);
    sums.moved += Number(reply[2]);
    sums.skipped += Number(reply[3]);
  }
  const next: OperationRecord = { ...record, ...sums, status: 'cancelled', endedAt: await serverNow(ctx) };
  await save(ctx, next);
  return operationSchema.parse(next);
}

/** Ends an operation that cannot go on, with the sentence that says why. */
export async function failOperation(ctx: BrokerContext, id: string, error: string): Promise<void> {
  const record = await load(ctx, id);
  if (record.status === 'running')
    await save(ctx, {
      ...record,
      status: 'failed',
      error: error.slice(0, 500),
      endedAt: await serverNow(ctx),
    });
}

/** @throws RedriveError OPERATION_NOT_FOUND */
export async function getOperation(ctx: BrokerContext, id: string): Promise<Operation> {
  return operationSchema.parse(await load(ctx, id));
}

/** Operations, latest first. The cursor is the id of the last one seen. */
export async function listOperations(
  ctx: BrokerContext,
  limit: number,
  cursor?: string,
): Promise<{ operations: Operation[]; nextCursor: string | null }> {
  const index = ctx.keys.global('operationsIndex');
  const ids = await ctx.plain(async (redis) => {
    const rank = cursor === undefined ? -1 : await redis.zrevrank(index, cursor);
    if (rank === null)
      throw new RedriveError(
        'BAD_CURSOR',
        'The cursor names an operation that is no longer kept. Leave it out to start anew.',
        { fields: [{ field: 'cursor', message: 'names no operation' }] },
      );
    return redis.zrevrange(index, rank + 1, rank + limit);
  });
  if (ids.length === 0) return { operations: [], nextCursor: null };
  const rows = await ctx.plain((redis) => redis.hmget(ctx.keys.global('operationsRecords'), ...ids));
  const operations = rows.flatMap((row) => {
    const parsed = row === null ? null : operationSchema.safeParse(JSON.parse(row));
    return parsed?.success ? [parsed.data] : [];
  });
  return { operations, nextCursor: ids.length === limit ? (ids.at(-1) ?? null) : null };
}

async function find(ctx: BrokerContext, id: string): Promise<OperationRecord | null> {
  const row = await ctx.plain((redis) => redis.hget(ctx.keys.global('operationsRecords'), id));
  return row === null ? null : operationRecordSchema.parse(JSON.parse(row));
}

async function load(ctx: BrokerContext, id: string): Promise<OperationRecord> {
  const record = await find(ctx, id);
  if (!record)
    throw new RedriveError(
      'OPERATION_NOT_FOUND',
      `There is no operation ${id.slice(0, 60)}. The latest ${OPERATIONS_KEPT} are kept.`,
      { fields: [{ field: 'id', message: 'names no operation' }] },
    );
  return record;
}

async function save(ctx: BrokerContext, record: OperationRecord): Promise<void> {
  const index = ctx.keys.global('operationsIndex');
  const records = ctx.keys.global('operationsRecords');
  const old = await ctx.plain(async (redis) => {
    await redis
      .multi()
      .zadd(index, record.createdAt, record.id)
      .hset(records, record.id, JSON.stringify(record))
      .exec();
    return redis.zrevrange(index, OPERATIONS_KEPT, OPERATIONS_KEPT + 20);
  });
  for (const id of old) await forget(ctx, id);
}

/** Drops an old operation, its progress in every queue first, so that none of it is left without an owner. */
async function forget(ctx: BrokerContext, id: string): Promise<void> {
  const record = await find(ctx, id);
  await ctx.plain(async (redis) => {
    for (const queue of record?.queues ?? []) await redis.hdel(ctx.keys.column(queue, 'operations'), id);
    await redis
      .multi()
      .zrem(ctx.keys.global('operationsIndex'), id)
      .hdel(ctx.keys.global('operationsRecords'), id)
      .exec();
  });
}
