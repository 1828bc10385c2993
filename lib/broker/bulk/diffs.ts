/** The first payloads of an edit as they are and as they would be. */
import { isUtf8 } from 'node:buffer';
import type { Preview } from '@/lib/contract/operations';
import { decodeRow } from '../row';
import { storedJobs } from '../search/facts';
import type { ShardedContext } from '../shards';
import { type Editor, edited } from './edits';
import type { Looked } from './look';

const DIFFS = 10;

/** Those with a problem are shown too, but not only those: half of the rows each, as far as there are any. */
export async function diffsOf(
  ctx: ShardedContext,
  looked: readonly Looked[],
  editor: Editor,
): Promise<NonNullable<Preview['diffs']>> {
  const wrong = looked.filter(
    ({ skip }) => skip === 'patch-failed' || skip === 'invalid-payload' || skip === 'payload-too-large',
  );
  const right = looked.filter(({ skip }) => skip === null);
  const most = Math.max(DIFFS / 2, DIFFS - right.length);
  const shown = [...wrong.slice(0, most), ...right].slice(0, DIFFS);
  const diffs: NonNullable<Preview['diffs']> = [];
  for (const { place, jobId } of shown) {
    const [stored] = await storedJobs(ctx, place.name, [jobId]);
    const row = stored && decodeRow(jobId, stored.row);
    if (!stored || !row?.envelope) continue;
    const text = isUtf8(row.payload) ? row.payload.toString('utf8') : null;
    const { after, problem } = edited(editor, jobId, stored.row);
    diffs.push({
      queue: place.queue,
      jobId,
      before: text ?? row.payload.toString('base64'),
      after,
      problem,
    });
  }
  return diffs;
}
