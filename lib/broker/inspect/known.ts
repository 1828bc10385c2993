/**
 * What sending a job again would be answered, judged by what is shown of both: for those who may not see what is hidden. The script
 * compares payloads whole; to them its answer, asked often enough, would tell every hidden value. See lua/include/enter.lua.
 */
import type { EnqueueInput } from '@/lib/contract/envelope';
import { redactionIn, shownPayload } from '../redaction';
import { list } from '../reply';
import { decodeRow } from '../row';
import { placeOf } from '../sharded/layout';
import type { ShardedContext } from '../shards';
import { entryOf, rowOf } from '../verbs/enqueue';

/** Null: there is no such job, or nothing of the one that is sent is hidden, so that its sender knows all there is to compare. */
export async function knownAs(
  ctx: ShardedContext,
  queue: string,
  input: EnqueueInput,
): Promise<'duplicate' | 'conflict' | null> {
  if (input.jobId === undefined) return null;
  const entry = entryOf(input, 0);
  const layout = ctx.shards.known(queue) ?? (await ctx.shards.of(queue));
  const name = layout.names[placeOf(layout, entry)] ?? queue;
  const redaction = await redactionIn(ctx, queue, name);
  const sent = partsOf(entry.jobId, rowOf(entry));
  const sentShown = shownPayload(sent.payload, redaction);
  if (sentShown.hidden === 0) return null;
  const row = list(await ctx.runBuffer('job', name, [entry.jobId]), 'job')[3];
  if (!Buffer.isBuffer(row) || row.length === 0) return null;
  const stored = partsOf(entry.jobId, row);
  const storedShown = shownPayload(stored.payload, redaction);
  const same =
    stored.head === sent.head &&
    stored.ref === sent.ref &&
    storedShown.isText === sentShown.isText &&
    storedShown.text === sentShown.text;
  return same ? 'duplicate' : 'conflict';
}

/** What two sendings of one job have in common. The rest holds the producer's clock and trace. */
function partsOf(jobId: string, row: string | Buffer) {
  const bytes = Buffer.from(row);
  const { envelope, payload } = decodeRow(jobId, bytes);
  return { head: bytes.toString('utf8', 0, bytes.indexOf(10)), ref: envelope?.payloadRef ?? null, payload };
}
