/** Operations as they are shown: the record without what is for runners, and with what became of its jobs as of now. */
import {
  isOpen,
  type Operation,
  type OperationKind,
  type OperationStatus,
  operationSchema,
} from '@/lib/contract/operations';
import { hasQueue } from '@/lib/contract/permissions';
import { maskedPatch, REDACTION_DEFAULT, redactionOf } from '@/lib/contract/redaction';
import type { OperationRecord } from '@/lib/contract/verbs';
import { serverNow } from '../now';
import { inLanes } from '../sharded/fan-out';
import type { ShardedContext } from '../shards';
import { hasOutcome, isSettled, readOutcome, recentOutcome } from './outcomes';
import { listRecords, loadRecord, OPERATIONS_KEPT, openIds, recordsOf, updateRecord } from './records';

/** Of a list so many have their outcome read anew; of the others it is shown as it last was. */
const OUTCOMES_READ_MAX = 20;
const READ_AT_ONCE = 4;
/** How long an ended operation stays in the live frames. */
const ENDED_SHOWN_MS = 60_000;
const RECENT_MAX = 20;
const LOOKED_AT_ONCE = 100;

/** Without reading anything. */
export const shown = (record: OperationRecord): Operation =>
  operationSchema.parse({
    ...record,
    patch: record.shownPatch ?? withoutHidden(record.patch),
    scanned: looksPast(record) ? record.moved + record.skipped : record.scanned,
  });

/** What it looks past is none of its own: how much that is, is not for those who see it. */
const looksPast = ({ scope: { within }, places }: OperationRecord): boolean =>
  within !== undefined && !places.every(({ queue }) => hasQueue(within, queue));

/** Of a record that says nothing of it: as by default. */
const withoutHidden = (patch: OperationRecord['patch']) => patch && maskedPatch(patch, BY_DEFAULT);
const BY_DEFAULT = redactionOf(REDACTION_DEFAULT);

/** @throws RedriveError OPERATION_NOT_FOUND */
export async function getOperation(ctx: ShardedContext, id: string): Promise<Operation> {
  const [now, record] = await Promise.all([serverNow(ctx), loadRecord(ctx, id)]);
  return viewed(ctx, record, now, (one) => readOutcome(ctx, one, one.moved).catch(() => one.outcome));
}

/** Latest first. @throws RedriveError BAD_CURSOR */
export async function listOperations(
  ctx: ShardedContext,
  limit: number,
  cursor?: string,
  filter: OperationFilter = {},
): Promise<{ operations: Operation[]; nextCursor: string | null }> {
  const { records, nextCursor } =
    filter.status || filter.kind
      ? await matchingRecords(ctx, limit, cursor, filter)
      : await listRecords(ctx, limit, cursor);
  return { operations: await viewedAll(ctx, records, await serverNow(ctx)), nextCursor };
}

export interface OperationFilter {
  readonly status?: OperationStatus;
  readonly kind?: OperationKind;
}

/** Looks through those that are kept, some at a time, until a page is full. */
async function matchingRecords(
  ctx: ShardedContext,
  limit: number,
  cursor: string | undefined,
  { status, kind }: OperationFilter,
): Promise<{ records: OperationRecord[]; nextCursor: string | null }> {
  const found: OperationRecord[] = [];
  for (let from = cursor; ; ) {
    const { records, nextCursor } = await listRecords(ctx, LOOKED_AT_ONCE, from);
    for (const record of records) {
      if ((status && record.status !== status) || (kind && record.kind !== kind)) continue;
      found.push(record);
      if (found.length === limit) return { records: found, nextCursor: record.id };
    }
    if (nextCursor === null) return { records: found, nextCursor: null };
    from = nextCursor;
  }
}

/** What a page that is open shows of operations without asking: the open ones, and those that ended just now. */
export async function liveOperations(ctx: ShardedContext): Promise<Operation[]> {
  const [now, open, { records: recent }] = await Promise.all([
    serverNow(ctx),
    openIds(ctx).then((ids) => recordsOf(ctx, ids)),
    listRecords(ctx, RECENT_MAX),
  ]);
  const ended = recent.filter(
    ({ status, endedAt }) => !isOpen(status) && (endedAt ?? 0) > now - ENDED_SHOWN_MS,
  );
  const records = [...open.filter(({ status }) => isOpen(status)), ...ended];
  records.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  return viewedAll(ctx, records, now);
}

/**
 * The ids of those that somebody has to work off, oldest first.
 * @param thorough looks through everything kept, should the list of open ones have been damaged
 */
export async function runningOperations(ctx: ShardedContext, { thorough = false } = {}): Promise<string[]> {
  const ids = thorough
    ? (await listRecords(ctx, OPERATIONS_KEPT)).records.map(({ id }) => id).reverse()
    : await openIds(ctx);
  const records = await recordsOf(ctx, ids);
  return records.filter(({ status, kind }) => status === 'running' && kind !== 'export').map(({ id }) => id);
}

async function viewedAll(
  ctx: ShardedContext,
  records: readonly OperationRecord[],
  now: number,
): Promise<Operation[]> {
  const operations = new Map<string, Operation>();
  const live = records.filter(isLive).slice(0, OUTCOMES_READ_MAX);
  await inLanes(live, READ_AT_ONCE, async (record) => {
    operations.set(record.id, await viewed(ctx, record, now));
  });
  return records.map((record) => operations.get(record.id) ?? undoable(shown(record), now));
}

/** Something of it may still end. */
const isLive = (record: OperationRecord): boolean =>
  hasOutcome(record) && record.moved > 0 && (isOpen(record.status) || !isSettled(record.outcome));

async function viewed(
  ctx: ShardedContext,
  record: OperationRecord,
  now: number,
  read = (one: OperationRecord) => recentOutcome(ctx, one),
): Promise<Operation> {
  if (!isLive(record)) return undoable(shown(record), now);
  const outcome = await read(record);
  // Settled for good: from now on it need not be read again. If this is not written, somebody else will.
  if (!isOpen(record.status) && isSettled(outcome))
    await updateRecord(ctx, record.id, (latest) => ({ ...latest, outcome })).catch(() => undefined);
  return undoable({ ...shown(record), outcome }, now);
}

/** Whether it can be undone changes with time, and with what became of its jobs. */
function undoable(operation: Operation, now: number): Operation {
  const { undo, outcome } = operation;
  if (undo === null) return operation;
  const over = undo.until !== null && undo.until <= now;
  const nothingLeft =
    undo.kind === 'recall' && outcome !== null && outcome.waiting === 0 && isSettled(outcome);
  return over || nothingLeft ? { ...operation, undo: null } : operation;
}
