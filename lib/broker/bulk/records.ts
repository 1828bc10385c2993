/** The records of operations, kept outside the queues. Written by compare-and-set, so that runners cannot undo each other. */
import { RedriveError } from '@/lib/contract/errors';
import { type Operation, operationSchema } from '@/lib/contract/operations';
import { type OperationRecord, operationRecordSchema } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { evalScript, scriptKeys } from '../script';

export const OPERATIONS_KEPT = 500;
const UPDATE_TRIES = 20;

interface Stored {
  record: OperationRecord;
  /** The very text that is stored: what a write compares with. */
  text: string;
}

export async function findRecord(ctx: BrokerContext, id: string): Promise<OperationRecord | null> {
  return (await read(ctx, id))?.record ?? null;
}

/** @throws RedriveError OPERATION_NOT_FOUND */
export async function loadRecord(ctx: BrokerContext, id: string): Promise<OperationRecord> {
  return (await mustRead(ctx, id)).record;
}

/** Enters a new operation. False when its id exists: another sending of the same request was first. */
export async function createRecord(ctx: BrokerContext, record: OperationRecord): Promise<boolean> {
  const created = await write(ctx, record, '');
  if (created) await forgetOldest(ctx);
  return created;
}

/** Changes a record; `change` returns null to leave it. Starts over when someone else was faster. */
export async function updateRecord(
  ctx: BrokerContext,
  id: string,
  change: (record: OperationRecord) => OperationRecord | null,
): Promise<OperationRecord> {
  for (let tries = 0; tries < UPDATE_TRIES; tries++) {
    const { record, text } = await mustRead(ctx, id);
    const next = change(record);
    if (next === null || (await write(ctx, next, text))) return next ?? record;
  }
  throw new RedriveError(
    'UNKNOWN_OUTCOME',
    `The record of operation ${id} is being changed by others all the time. Try again.`,
  );
}

/** Operations, latest first. The cursor is the id of the last one seen. @throws RedriveError BAD_CURSOR */
export async function listRecords(
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
        {
          fields: [{ field: 'cursor', message: 'names no operation' }],
        },
      );
    return redis.zrevrange(index, rank + 1, rank + limit);
  });
  if (ids.length === 0) return { operations: [], nextCursor: null };
  const rows = await ctx.plain((redis) => redis.hmget(ctx.keys.global('operationsRecords'), ...ids));
  return {
    operations: rows
      .flatMap((row) => parse(row)?.record ?? [])
      .map((record) => operationSchema.parse(record)),
    nextCursor: ids.length === limit ? (ids.at(-1) ?? null) : null,
  };
}

/** An unreadable record is none: it must not take the list of all others with it. */
function parse(text: string | null): Stored | null {
  if (text === null) return null;
  try {
    const parsed = operationRecordSchema.safeParse(JSON.parse(text));
    return parsed.success ? { record: parsed.data, text } : null;
  } catch {
    return null;
  }
}

async function read(ctx: BrokerContext, id: string): Promise<Stored | null> {
  return parse(await ctx.plain((redis) => redis.hget(ctx.keys.global('operationsRecords'), id)));
}

async function mustRead(ctx: BrokerContext, id: string): Promise<Stored> {
  const stored = await read(ctx, id);
  if (stored) return stored;
  throw new RedriveError(
    'OPERATION_NOT_FOUND',
    `There is no operation ${id.slice(0, 60)}. The latest ${OPERATIONS_KEPT} are kept.`,
    {
      fields: [{ field: 'id', message: 'names no operation' }],
    },
  );
}

async function write(ctx: BrokerContext, record: OperationRecord, before: string): Promise<boolean> {
  const args = ['', record.id, record.createdAt, before, JSON.stringify(record)];
  return ctx.plain(
    async (redis) =>
      (await evalScript(
        redis,
        'operation-save',
        scriptKeys(ctx.keys, 'operation-save', 'none'),
        args,
        false,
      )) === 1,
  );
}

/** Drops the oldest beyond those kept, never one that runs: its progress in every queue first, so that none is left over. */
async function forgetOldest(ctx: BrokerContext): Promise<void> {
  const index = ctx.keys.global('operationsIndex');
  const old = await ctx.plain((redis) => redis.zrevrange(index, OPERATIONS_KEPT, OPERATIONS_KEPT + 20));
  for (const id of old) {
    const record = await findRecord(ctx, id);
    if (record?.status === 'running') continue;
    await ctx.plain(async (redis) => {
      for (const queue of record?.queues ?? []) await redis.hdel(ctx.keys.column(queue, 'operations'), id);
      await redis.zrem(index, id);
      await redis.hdel(ctx.keys.global('operationsRecords'), id);
    });
  }
}
