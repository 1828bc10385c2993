/** Operations for readers: without the fields of runners, with the outcome as of now. */

import { serverNow } from '@/lib/broker/redis/server-info';
import { forEachLimited } from '@/lib/broker/shards/fan-out';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { scopeHasQueue } from '@/lib/contract/access/grant-scopes';
import { type Operation, operationSchema } from '@/lib/contract/operations/operation';
import {
  isOpen,
  type OperationKind,
  type OperationStatus,
  UNDO_OPEN_MS,
} from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import { isBadResult } from '@/lib/contract/operations/operation-result';
import { maskedPatch, REDACTION_DEFAULT, redactionOf } from '@/lib/contract/redaction';
import { hasOutcome, isSettled, readOutcome, recentOutcome } from './operation-outcome';
import { listOpenIds, listRecords, loadRecord, readRecords, updateRecord } from './operation-store';

/** Operations of a list whose outcome is read anew; the others show the stored one. */
const OUTCOMES_READ_MAX = 20;
const READ_AT_ONCE = 4;
/** How long an ended operation stays in the live frames. */
const ENDED_SHOWN_MS = 60_000;
/** An operation that failed, or whose jobs mostly died again, stays as well: the verdict names it. */
const BAD_SHOWN_MS = 15 * 60_000;
const RECENT_MAX = 20;
const FILTERED_AT_ONCE = 100;

/** The operation as stored. */
export const toOperation = (record: OperationRecord): Operation =>
  operationSchema.parse({
    ...record,
    patch: record.maskedPatch ?? maskByDefault(record.patch),
    scanned: scansOthersJobs(record) ? record.moved + record.skipped : record.scanned,
  });

/** Within a scope it also scans jobs of others, and their number is not for its viewers. */
const scansOthersJobs = ({ scope: { within }, shards }: OperationRecord): boolean =>
  within !== undefined && !shards.every(({ queue }) => scopeHasQueue(within, queue));

/** An older record has no masked patch: the default rules mask it. */
const maskByDefault = (patch: OperationRecord['patch']) => patch && maskedPatch(patch, BY_DEFAULT);
const BY_DEFAULT = redactionOf(REDACTION_DEFAULT);

/** @throws RedriveError OPERATION_NOT_FOUND */
export async function getOperation(ctx: ShardedContext, id: string): Promise<Operation> {
  const [now, record] = await Promise.all([serverNow(ctx), loadRecord(ctx, id)]);
  return viewOperation(ctx, record, now);
}

/** An operation with its outcome as of now. */
export async function viewOperation(
  ctx: ShardedContext,
  record: OperationRecord,
  now: number,
): Promise<Operation> {
  const undos = await readRecords(ctx, record.undoneBy);
  return viewed(ctx, record, undos, now, (one) => readOutcome(ctx, one, one.moved).catch(() => one.outcome));
}

/** Latest first. @throws RedriveError BAD_CURSOR */
export async function listOperations(
  ctx: ShardedContext,
  limit: number,
  cursor?: string,
  filter: OperationFilter = {},
): Promise<{ operations: Operation[]; nextCursor: string | null }> {
  const { records, nextCursor } = await matchingRecords(ctx, limit, cursor, filter);
  return { operations: await viewedAll(ctx, records, await serverNow(ctx)), nextCursor };
}

export interface OperationFilter {
  readonly status?: OperationStatus;
  readonly kind?: OperationKind;
  /** Part of the id, the reason or the user's name, in any case. */
  readonly q?: string;
  /** Left out: every operation is. Cursors, too, name visible operations only. */
  readonly isVisible?: (operation: Pick<OperationRecord, 'scope' | 'target'>) => boolean;
}

async function matchingRecords(
  ctx: ShardedContext,
  limit: number,
  cursor: string | undefined,
  { status, kind, q = '', isVisible }: OperationFilter,
): Promise<{ records: OperationRecord[]; nextCursor: string | null }> {
  const part = q.toLowerCase();
  const isFiltered = status || kind || part || isVisible;
  const matching: OperationRecord[] = [];
  for (let from = cursor; ; ) {
    const { records, nextCursor } = await listRecords(ctx, isFiltered ? FILTERED_AT_ONCE : limit, from);
    for (const record of records) {
      if ((status && record.status !== status) || (kind && record.kind !== kind)) continue;
      if (isVisible && !isVisible(record)) continue;
      if (![record.id, record.reason, record.actor].some((text) => text.toLowerCase().includes(part)))
        continue;
      matching.push(record);
      if (matching.length === limit) return { records: matching, nextCursor: record.id };
    }
    if (nextCursor === null) return { records: matching, nextCursor: null };
    from = nextCursor;
  }
}

/** The operations of live frames: open ones, those that ended within the last minute, and those that turned out badly lately. */
export async function liveOperations(ctx: ShardedContext): Promise<Operation[]> {
  const [now, open, { records: recent }] = await Promise.all([
    serverNow(ctx),
    listOpenIds(ctx).then((ids) => readRecords(ctx, ids)),
    listRecords(ctx, RECENT_MAX),
  ]);
  const ended = recent.filter(
    ({ status, endedAt }) => !isOpen(status) && (endedAt ?? 0) > now - BAD_SHOWN_MS,
  );
  const records = [...open.filter(({ status }) => isOpen(status)), ...ended];
  records.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const operations = await viewedAll(ctx, records, now);
  return operations.filter(
    (operation) =>
      isOpen(operation.status) ||
      (operation.endedAt ?? 0) > now - ENDED_SHOWN_MS ||
      // What was undone needs no attention any more.
      (isBadResult(operation) && operation.outcome?.recalled !== operation.moved),
  );
}

/**
 * The ids of operations that need a runner, oldest first.
 * @param thorough reads every stored operation, in case the list of open ones is damaged
 */
export async function runningOperations(ctx: ShardedContext, { thorough = false } = {}): Promise<string[]> {
  const isRunning = ({ status, kind }: OperationRecord) => status === 'running' && kind !== 'export';
  const running: string[] = [];
  if (thorough) {
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page = await listRecords(ctx, FILTERED_AT_ONCE, cursor);
      running.push(...page.records.filter(isRunning).map(({ id }) => id));
      cursor = page.nextCursor;
    }
    return running.reverse();
  }
  const records = await readRecords(ctx, await listOpenIds(ctx));
  return records.filter(isRunning).map(({ id }) => id);
}

async function viewedAll(
  ctx: ShardedContext,
  records: readonly OperationRecord[],
  now: number,
): Promise<Operation[]> {
  const operations = new Map<string, Operation>();
  const undos = new Map(
    (await readRecords(ctx, [...new Set(records.flatMap(({ undoneBy }) => undoneBy))])).map((undo) => [
      undo.id,
      undo,
    ]),
  );
  const undosOf = ({ undoneBy }: OperationRecord): OperationRecord[] =>
    undoneBy.flatMap((id) => undos.get(id) ?? []);
  const live = records.filter(isLive).slice(0, OUTCOMES_READ_MAX);
  await forEachLimited(live, READ_AT_ONCE, async (record) => {
    operations.set(record.id, await viewed(ctx, record, undosOf(record), now));
  });
  return records.map(
    (record) => operations.get(record.id) ?? undoable(toOperation(record), undosOf(record), now),
  );
}

/** Some of its jobs may still end. */
const isLive = (record: OperationRecord): boolean =>
  hasOutcome(record) && record.moved > 0 && (isOpen(record.status) || !isSettled(record.outcome));

async function viewed(
  ctx: ShardedContext,
  record: OperationRecord,
  undos: readonly OperationRecord[],
  now: number,
  read = (one: OperationRecord) => recentOutcome(ctx, one),
): Promise<Operation> {
  if (!isLive(record)) return undoable(toOperation(record), undos, now);
  const outcome = await read(record);
  // A settled outcome is stored and never read again. If this write fails, a later read repeats it.
  if (!isOpen(record.status) && isSettled(outcome))
    await updateRecord(ctx, record.id, (latest) => ({ ...latest, outcome })).catch(() => undefined);
  return undoable({ ...toOperation(record), outcome }, undos, now);
}

/** The same of a stored operation, with the outcome that was stored. */
export const undoableNow = (
  record: OperationRecord,
  undos: readonly OperationRecord[],
  now: number,
): Pick<Operation, 'undo'> => undoable(record, undos, now);

/** Whether it can be undone changes with time, with its outcome and with the operations that undo it. */
function undoable<T extends Operation>(operation: T, undos: readonly OperationRecord[], now: number): T {
  const { undo, outcome, moved, endedAt, createdAt } = operation;
  const undone = undos.reduce((sum, record) => sum + record.moved, 0);
  if (undo === null) return { ...operation, undone };
  const isOver = (undo.until ?? (endedAt ?? createdAt) + UNDO_OPEN_MS) <= now;
  const isTakenBack =
    undo.kind === 'recall'
      ? undos.some((record) => isWholeUndo(record, operation) && isOpen(record.status)) ||
        (outcome !== null && outcome.waiting === 0 && isSettled(outcome))
      : undone >= moved ||
        undos.some((record) => isWholeUndo(record, operation) && !STOPPED.has(record.status));
  return { ...operation, undone, undo: isOver || isTakenBack ? null : undo };
}

/** Without a query or a narrower access scope of its user, as `undoOperation` writes it. */
const isWholeUndo = (undo: OperationRecord, { id, scope }: Operation): boolean =>
  undo.scope.q === `operation:${id}` && JSON.stringify(undo.scope.within) === JSON.stringify(scope.within);
/** An undo that ended before its end leaves something to undo. */
const STOPPED: ReadonlySet<OperationStatus> = new Set(['cancelled', 'failed', 'rejected']);
