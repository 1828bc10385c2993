/** An export moves nothing: whoever fetches its file reads it off, and says here how that ended. */
import { RedriveError } from '@/lib/contract/errors';
import type { Operation } from '@/lib/contract/operations';
import { serverNow } from '../now';
import type { ShardedContext } from '../shards';
import { withEvent } from './advance';
import { noteEnd } from './noted';
import { updateRecord } from './records';
import { shown } from './view';

/** The file was written to its end. Fetched again, the counts are those of the last time. */
export async function exportEnded(
  ctx: ShardedContext,
  id: string,
  { rows, truncated }: { rows: number; truncated: boolean },
): Promise<Operation> {
  const now = await serverNow(ctx);
  const record = await updateRecord(ctx, id, (latest) => {
    if (latest.kind !== 'export')
      throw new RedriveError('OPERATION_STATE', `Operation ${id} is a ${latest.kind}; it has no file.`);
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
      : withEvent(next, { at: now, what: 'completed', by: 'redrive', sentence });
  });
  if (record.status === 'completed')
    await noteEnd(ctx, record, `ended: ${rows} written${truncated ? ', cut there' : ''}`);
  return shown(record);
}
