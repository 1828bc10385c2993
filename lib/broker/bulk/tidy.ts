/** Operations that nobody came back for: they are open, and would stay so. */
import { isOpen } from '@/lib/contract/operations';
import type { OperationRecord } from '@/lib/contract/verbs';
import { serverNow } from '../now';
import type { ShardedContext } from '../shards';
import { withEvent } from './advance';
import { noteEnd } from './noted';
import { openIds, recordsOf, updateRecord } from './records';

const DAY_MS = 86_400_000;
/** The file of an export is there to be fetched for so long … */
export const EXPORT_WAITS_MS = DAY_MS;
/** … and a second person has so long to decide. */
export const APPROVAL_WAITS_MS = 7 * DAY_MS;

/** Closes what waited too long. How many that were. */
export async function tidyOperations(ctx: ShardedContext): Promise<number> {
  const now = await serverNow(ctx);
  const over = (await recordsOf(ctx, await openIds(ctx))).filter((record) => reasonOf(record, now) !== null);
  for (const { id } of over) {
    const record = await updateRecord(ctx, id, (latest) => closed(latest, now));
    await noteEnd(ctx, record, `${record.status}: ${record.error ?? 'nobody came back for it'}`);
  }
  return over.length;
}

function reasonOf({ kind, status, createdAt }: OperationRecord, now: number): string | null {
  if (kind === 'export' && status === 'running' && now - createdAt > EXPORT_WAITS_MS)
    return 'Nobody fetched the file within a day.';
  if (status === 'awaiting-approval' && now - createdAt > APPROVAL_WAITS_MS)
    return 'Nobody approved it within seven days.';
  return null;
}

function closed(latest: OperationRecord, now: number): OperationRecord | null {
  const sentence = reasonOf(latest, now);
  if (sentence === null || !isOpen(latest.status)) return null;
  const status = latest.kind === 'export' ? 'cancelled' : 'rejected';
  return withEvent(
    { ...latest, status, error: sentence, endedAt: now },
    { at: now, what: status, by: 'redrive', sentence },
  );
}
