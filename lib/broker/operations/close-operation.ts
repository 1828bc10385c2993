/** Ends operations without a runner: exports, and operations that waited too long for approval. */

import type { Operation } from '@/lib/contract/operations/operation';
import { isOpen } from '@/lib/contract/operations/operation-kinds';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import { RedriveError } from '@/lib/contract/redrive-error';
import { serverNow } from '../redis/server-info';
import type { ShardedContext } from '../shards/sharded-context';
import { withEvent } from './store/build-record';
import { recordEnd } from './store/operation-audit';
import { listOpenIds, readRecords, updateRecord } from './store/operation-store';
import { toOperation } from './store/read-operations';

const DAY_MS = 86_400_000;
const EXPORT_TTL_MS = DAY_MS;
const APPROVAL_TTL_MS = 7 * DAY_MS;

/** Closes exports that were not downloaded and operations that were not approved in time. Returns how many. */
export async function closeExpiredOperations(ctx: ShardedContext): Promise<number> {
  const now = await serverNow(ctx);
  const expired = (await readRecords(ctx, await listOpenIds(ctx))).filter(
    (record) => reasonOf(record, now) !== null,
  );
  for (const { id } of expired) {
    const record = await updateRecord(ctx, id, (latest) => closeRecord(latest, now));
    await recordEnd(ctx, record, `${record.status}: ${record.error ?? 'it waited too long'}`);
  }
  return expired.length;
}

function reasonOf({ kind, status, createdAt }: OperationRecord, now: number): string | null {
  if (kind === 'export' && status === 'running' && now - createdAt > EXPORT_TTL_MS)
    return 'The file was not downloaded within a day.';
  if (status === 'awaiting-approval' && now - createdAt > APPROVAL_TTL_MS)
    return 'It was not approved within seven days.';
  return null;
}

function closeRecord(latest: OperationRecord, now: number): OperationRecord | null {
  const sentence = reasonOf(latest, now);
  if (sentence === null || !isOpen(latest.status)) return null;
  const status = latest.kind === 'export' ? 'cancelled' : 'rejected';
  return withEvent(
    { ...latest, status, error: sentence, endedAt: now },
    { at: now, type: status, by: 'redrive', sentence },
  );
}

/** Completes an export whose file was written to its end. A later download replaces the counts. */
export async function completeExport(
  ctx: ShardedContext,
  id: string,
  { rows, truncated }: { rows: number; truncated: boolean },
): Promise<Operation> {
  const now = await serverNow(ctx);
  const record = await updateRecord(ctx, id, (latest) => {
    if (latest.kind !== 'export')
      throw new RedriveError(
        'OPERATION_STATE',
        `Operation ${id} is a ${latest.kind}; only an export has a file.`,
      );
    if (latest.status === 'cancelled') return null;
    const sentence = truncated ? `Cut after ${rows} rows: more would have matched.` : null;
    const next = {
      ...latest,
      scanned: rows,
      moved: rows,
      status: 'completed' as const,
      startedAt: latest.startedAt ?? now,
      endedAt: now,
    };
    return latest.status === 'completed'
      ? next
      : withEvent(next, { at: now, type: 'completed', by: 'redrive', sentence });
  });
  if (record.status === 'completed')
    await recordEnd(ctx, record, `ended: ${rows} written${truncated ? ', cut there' : ''}`);
  return toOperation(record);
}
