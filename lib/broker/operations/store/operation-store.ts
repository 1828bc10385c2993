/** The records of operations. Written by compare-and-set, so that runners do not overwrite each other. */

import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { type Arg, evalScript, scriptKeys } from '@/lib/broker/redis/script-runner';
import { noSuchOperation } from '@/lib/contract/not-found-errors';
import { isOpen } from '@/lib/contract/operations/operation-kinds';
import { type OperationRecord, operationRecordSchema } from '@/lib/contract/operations/operation-record';
import { RedriveError } from '@/lib/contract/redrive-error';
import { auditEventArgs, type OperationAuditEvent } from './operation-audit';

const UPDATE_TRIES = 20;
const OPEN_FIELD = '.open';
const jobsField = (id: string) => `${id} jobs`;

interface Stored {
  record: OperationRecord;
  /** The stored text, with which a write compares. */
  text: string;
}

export async function findRecord(ctx: BrokerContext, id: string): Promise<OperationRecord | null> {
  return (await read(ctx, id))?.record ?? null;
}

/** @throws RedriveError OPERATION_NOT_FOUND */
export async function loadRecord(ctx: BrokerContext, id: string): Promise<OperationRecord> {
  return (await mustRead(ctx, id)).record;
}

/** Changes a record; `change` returns null to leave it. Starts over when another write was faster. */
export async function updateRecord(
  ctx: BrokerContext,
  id: string,
  change: (record: OperationRecord) => OperationRecord | null,
  /** For a change by a user. */
  auditEventOf?: (before: OperationRecord, after: OperationRecord) => OperationAuditEvent,
): Promise<OperationRecord> {
  for (let tries = 0; tries < UPDATE_TRIES; tries++) {
    const { record, text } = await mustRead(ctx, id);
    const next = change(record);
    if (
      next === null ||
      Number(await writeRecord(ctx, next, { before: text }, auditEventOf?.(record, next))) === 1
    )
      return next ?? record;
  }
  throw new RedriveError(
    'UNKNOWN_OUTCOME',
    `The record of operation ${id} is being changed by others all the time. Try again.`,
  );
}

/** The selected jobs, as `createRecord` stored them; null when they are gone. */
export const loadJobs = (ctx: BrokerContext, id: string): Promise<string | null> =>
  ctx.plain((redis) => redis.hget(ctx.keys.global('operationsRecords'), jobsField(id)));

/** The ids of open operations, oldest first. */
export async function listOpenIds(ctx: BrokerContext): Promise<string[]> {
  const text = await ctx.plain((redis) => redis.hget(ctx.keys.global('operationsRecords'), OPEN_FIELD));
  return text ? text.split(' ').filter(Boolean) : [];
}

/** The records in the order of the ids, without missing and unreadable ones. */
export async function readRecords(ctx: BrokerContext, ids: readonly string[]): Promise<OperationRecord[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.plain((redis) => redis.hmget(ctx.keys.global('operationsRecords'), ...ids));
  return rows.flatMap((row) => parse(row)?.record ?? []);
}

/** Operations, latest first. The cursor is the id of the last one seen. @throws RedriveError BAD_CURSOR */
export async function listRecords(
  ctx: BrokerContext,
  limit: number,
  cursor?: string,
): Promise<{ records: OperationRecord[]; nextCursor: string | null }> {
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
  return {
    records: await readRecords(ctx, ids),
    nextCursor: ids.length === limit ? (ids.at(-1) ?? null) : null,
  };
}

/** Null for an unreadable record: it must not break the list of the others. */
function parse(text: string | null): Stored | null {
  if (text === null) return null;
  try {
    const parsed = operationRecordSchema.safeParse(JSON.parse(text));
    return parsed.success ? { record: parsed.data, text } : null;
  } catch {
    return null;
  }
}

/** Other fields of the hash (the open ids, selected jobs) are no ids. */
const looksLikeId = (id: string): boolean => /^op-[0-9A-Zr]{20}$/.test(id);

async function read(ctx: BrokerContext, id: string): Promise<Stored | null> {
  if (!looksLikeId(id)) return null;
  return parse(await ctx.plain((redis) => redis.hget(ctx.keys.global('operationsRecords'), id)));
}

async function mustRead(ctx: BrokerContext, id: string): Promise<Stored> {
  const stored = await read(ctx, id);
  if (stored) return stored;
  throw noSuchOperation(id);
}

/** @param before the stored text, '' of a new one @param shares of quotas that a new one takes, '' none */
export async function writeRecord(
  ctx: BrokerContext,
  record: OperationRecord,
  { before, jobs = '', shares = '' }: { before: string; jobs?: string; shares?: string },
  auditEvent?: OperationAuditEvent,
): Promise<unknown> {
  const open = isOpen(record.status) ? '1' : record.undo === null ? '0' : 'undo';
  const text = JSON.stringify(record);
  const clock = ctx.clock ? String(ctx.clock()) : '';
  const args: Arg[] = [clock, record.id, record.createdAt, before, text, open, jobs, shares];
  if (auditEvent) args.push(...auditEventArgs(record, auditEvent));
  const keys = scriptKeys(ctx.keys, 'operation-save', 'none');
  return ctx.plain((redis) => evalScript(redis, 'operation-save', keys, args, false));
}
