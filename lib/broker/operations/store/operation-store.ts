/** The records of operations. Written by compare-and-set, so that runners do not overwrite each other. */

import type { Actor } from '@/lib/broker/access/actor';
import { quotaArg, quotaArgs, quotaReachedError, quotaRefusal } from '@/lib/broker/access/quota-check';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { type Arg, evalScript, scriptKeys } from '@/lib/broker/redis/script-runner';
import { shardRefsOf } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { noSuchOperation } from '@/lib/contract/not-found-errors';
import { isOpen, OPERATIONS_KEPT } from '@/lib/contract/operations/operation-kinds';
import { type OperationRecord, operationRecordSchema } from '@/lib/contract/operations/operation-record';
import { RedriveError } from '@/lib/contract/redrive-error';
import { stopShard } from '../kinds/move-chunk';
import { toMoveSpec } from '../kinds/move-spec';
import { forgetShard } from '../kinds/shard-progress';
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

/**
 * Enters a new operation, with its jobs when they were selected one by one. When its id exists, the same request was sent before: the
 * operation it started is returned.
 * @throws RedriveError LIMIT_REACHED, ID_CONFLICT
 */
export async function createRecord(
  ctx: ShardedContext,
  record: OperationRecord,
  auditEvent: OperationAuditEvent,
  jobs: string = '',
): Promise<OperationRecord> {
  const reply = await write(ctx, record, '', jobs, auditEvent);
  const refused = quotaRefusal(reply);
  if (refused) {
    const key = ctx.keys.global('operationsShares');
    throw await quotaReachedError(ctx, key, refused, auditEvent.by, refused.quota);
  }
  if (Number(reply) !== 1) return requireSameRequest(await findRecord(ctx, record.id), record);
  // The operation is entered, whether or not the oldest ones can be deleted.
  await forgetOldest(ctx).catch(() => undefined);
  return record;
}

/** @throws RedriveError ID_CONFLICT when one Idempotency-Key stands for two requests */
function requireSameRequest(
  existing: OperationRecord | null,
  request: Pick<OperationRecord, 'preview' | 'undoes' | 'reason'>,
): OperationRecord {
  const { preview, undoes, reason } = request;
  if (existing?.preview === preview && existing.undoes === undoes && existing.reason === reason)
    return existing;
  throw new RedriveError(
    'ID_CONFLICT',
    'That Idempotency-Key was used for another operation. Use a new one for each intent.',
    { fields: [{ field: 'Idempotency-Key', message: 'belongs to another operation' }] },
  );
}

/** The operation that an earlier sending of the request started; null: none. @throws RedriveError ID_CONFLICT */
export async function findResent(
  ctx: BrokerContext,
  id: string,
  by: Actor,
  request: Pick<OperationRecord, 'preview' | 'undoes' | 'reason'>,
): Promise<OperationRecord | null> {
  const existing = by.requestId ? await findRecord(ctx, id) : null;
  return existing === null ? null : requireSameRequest(existing, request);
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
    if (next === null || Number(await write(ctx, next, text, '', auditEventOf?.(record, next))) === 1)
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

async function write(
  ctx: BrokerContext,
  record: OperationRecord,
  before: string,
  jobs: string,
  auditEvent?: OperationAuditEvent,
): Promise<unknown> {
  const open = isOpen(record.status) ? 1 : 0;
  const text = JSON.stringify(record);
  const clock = ctx.clock ? String(ctx.clock()) : '';
  const shares = before === '' ? sharesOf(record, auditEvent?.by) : '';
  const args: Arg[] = [clock, record.id, record.createdAt, before, text, open, jobs, shares];
  if (auditEvent) args.push(...auditEventArgs(record, auditEvent));
  const keys = scriptKeys(ctx.keys, 'operation-save', 'none');
  return ctx.plain((redis) => evalScript(redis, 'operation-save', keys, args, false));
}

/** An export stays open until its file is downloaded, so a second quota limits exports. */
const sharesOf = ({ kind }: OperationRecord, by: Actor | undefined): string => {
  const own = kind === 'export' ? [quotaArg('exports', by)] : [];
  return quotaArgs(quotaArg('operations', by), ...own);
};

/** Deletes the oldest ended operations, their rows in the shards first. */
async function forgetOldest(ctx: ShardedContext): Promise<void> {
  const index = ctx.keys.global('operationsIndex');
  const old = await ctx.plain((redis) => redis.zrevrange(index, OPERATIONS_KEPT, OPERATIONS_KEPT + 20));
  for (const id of old) {
    const record = await findRecord(ctx, id);
    if (record && isOpen(record.status)) continue;
    // The next operation tries an unreachable shard again.
    const forgotten = await forgetShards(ctx, id, record).then(
      () => true,
      () => false,
    );
    if (!forgotten) continue;
    await ctx.plain(async (redis) => {
      await redis.zrem(index, id);
      await redis.hdel(ctx.keys.global('operationsRecords'), id, jobsField(id));
    });
  }
}

async function forgetShards(ctx: ShardedContext, id: string, record: OperationRecord | null): Promise<void> {
  if (!record) return;
  // A failed move may have a transfer under way, which must end before its rows are deleted.
  if (record.target) for (const shard of record.shards) await stopShard(ctx, shard, toMoveSpec(record));
  const targetShards = record.target ? await shardRefsOf(ctx, [record.target]) : [];
  for (const shard of [...record.shards, ...targetShards]) await forgetShard(ctx, shard, id);
}
