/** The first payloads of an edit as they are and as they would be. */
import type { Preview } from '@/lib/contract/operations';
import { MASK_TEXT, type Redaction, redactText } from '@/lib/contract/redaction';
import { redactionIn, shownPayload } from '../redaction';
import { decodeRow } from '../row';
import { storedJobs } from '../search/facts';
import type { ShardedContext } from '../shards';
import { type Edited, type Editor, edited } from './edits';
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
    const hides = await redactionIn(ctx, place.queue, place.name);
    const made = edited(editor, jobId, stored.row);
    diffs.push({
      queue: place.queue,
      jobId,
      before: shownPayload(row.payload, hides).text,
      after: made.after === null ? null : redactText(made.after, hides).text,
      problem: problemOf(made, row.payload, hides),
    });
  }
  return diffs;
}

/** What is wrong with a payload may quote from it: not from one that is hidden as a whole. */
function problemOf({ problem }: Edited, payload: Buffer, hides: Redaction): string | null {
  if (problem === null || shownPayload(payload, hides).text !== MASK_TEXT) return problem;
  return 'The payload cannot be edited so. Why is not said, because all of it is hidden here.';
}
