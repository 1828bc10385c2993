/**
 * Which ended operations Redis keeps: all that can be undone, which a quota limits, and of the others a number, of each user a fair share.
 */

import { perContext } from '@/lib/broker/redis/context-cache';
import { scanHash } from '@/lib/broker/redis/scan-hash';
import { forEachLimited } from '@/lib/broker/shards/fan-out';
import { shardRefsOf } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { keepFairly } from '@/lib/contract/access/keep-fairly';
import { LIBRARY_OWNER } from '@/lib/contract/access/quotas';
import { isOpen, OPERATIONS_KEPT } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import { stopShard } from '../kinds/move-chunk';
import { toMoveSpec } from '../kinds/move-spec';
import { forgetShard } from '../kinds/shard-progress';
import { readRecords } from './operation-store';
import { undoableNow, viewOperation } from './read-operations';

/** So many more than Redis keeps may pile up before a call deletes some: few calls then read all of them. */
const SLACK = 50;
const READ_AT_ONCE = 100;
const DELETED_AT_ONCE = 100;
/** Looking at all operations that can be undone is not worth more of Redis's time than once in this time. */
const SETTLE_EVERY_MS = 5_000;
const SCANS_MAX = 50;
const VIEWED_AT_ONCE = 4;

const state = perContext(() => ({ createdSince: SLACK, settledAt: Number.NEGATIVE_INFINITY }));

/** Deletes ended operations beyond those that Redis keeps, their rows in the shards first. @param now ms since 1970 */
export async function deleteOldOperations(ctx: ShardedContext, now: number): Promise<void> {
  const index = ctx.keys.global('operationsIndex');
  const own = state.of(ctx);
  own.createdSince += 1;
  if (own.createdSince < SLACK) return;
  if ((await ctx.plain((redis) => redis.zcard(index))) <= OPERATIONS_KEPT + SLACK) return;
  own.createdSince = 0;
  const ids = await ctx.plain((redis) => redis.zrange(index, '0', '-1'));
  const records = await readAll(ctx, ids);
  const bound = boundRecords(records, now);
  const free = ids.filter((id) => !bound.has(id));
  const kept = new Set(keepFairly(free, OPERATIONS_KEPT, (id) => holderOf(records.get(id))));
  const gone: string[] = [];
  for (const id of free.filter((one) => !kept.has(one)).slice(0, DELETED_AT_ONCE)) {
    const record = records.get(id);
    // A later call tries an unreachable shard again.
    const isForgotten = await (record ? forgetShards(ctx, id, record) : Promise.resolve()).then(
      () => true,
      () => false,
    );
    if (isForgotten) gone.push(id);
  }
  if (gone.length > 0) await ctx.run('operation-delete', null, ['delete', ...gone]);
}

/** Gives back the shares of operations that can no longer be undone. @param now ms since 1970 @returns whether there were any */
export async function settleUndos(ctx: ShardedContext, now: number): Promise<boolean> {
  const own = state.of(ctx);
  if (now - own.settledAt < SETTLE_EVERY_MS) return false;
  own.settledAt = now;
  const mark = 'undos of ';
  const ids: string[] = [];
  for await (const page of scanHash(ctx, ctx.keys.global('operationsShares'), SCANS_MAX))
    ids.push(...page.flatMap(([field]) => (field.startsWith(mark) ? [field.slice(mark.length)] : [])));
  const records = await readAll(ctx, ids);
  const over = ids.filter((id) => !records.has(id));
  await forEachLimited([...records.values()], VIEWED_AT_ONCE, async (record) => {
    if (isOpen(record.status)) return;
    const { undo } = await viewOperation(ctx, record, now);
    if (undo === null) over.push(record.id);
  });
  for (let i = 0; i < over.length; i += DELETED_AT_ONCE)
    await ctx.run('operation-delete', null, ['share', ...over.slice(i, i + DELETED_AT_ONCE)]);
  return over.length > 0;
}

async function readAll(ctx: ShardedContext, ids: readonly string[]): Promise<Map<string, OperationRecord>> {
  const records = new Map<string, OperationRecord>();
  for (let i = 0; i < ids.length; i += READ_AT_ONCE)
    for (const record of await readRecords(ctx, ids.slice(i, i + READ_AT_ONCE)))
      records.set(record.id, record);
  return records;
}

/** Open operations, those that can be undone, and the latest undo of each, which says what of it is undone. */
function boundRecords(records: ReadonlyMap<string, OperationRecord>, now: number): Set<string> {
  const bound = new Set<string>();
  for (const record of records.values()) {
    const undos = record.undoneBy.flatMap((id) => records.get(id) ?? []);
    if (!isOpen(record.status) && undoableNow(record, [], now).undo === null) continue;
    const latest = record.undoneBy.at(-1);
    if (latest !== undefined) bound.add(latest);
    if (isOpen(record.status) || undoableNow(record, undos, now).undo !== null) bound.add(record.id);
  }
  return bound;
}

/** The user, with all sessions and tokens. */
const holderOf = (record: OperationRecord | undefined): string =>
  record?.principal?.ownerId ?? record?.principal?.actorId ?? LIBRARY_OWNER;

/** Deletes the rows of an operation in the shards. */
async function forgetShards(ctx: ShardedContext, id: string, record: OperationRecord): Promise<void> {
  // A failed move may have a transfer under way, which must end before its rows are deleted.
  if (record.target) for (const shard of record.shards) await stopShard(ctx, shard, toMoveSpec(record));
  const targetShards = record.target ? await shardRefsOf(ctx, [record.target]) : [];
  for (const shard of [...record.shards, ...targetShards]) await forgetShard(ctx, shard, id);
}
