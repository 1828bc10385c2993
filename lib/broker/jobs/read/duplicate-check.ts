/**
 * What a resend of a job would be answered, judged only by the values its sender may see. The enqueue script compares whole payloads, and
 * its answer, asked often enough, would tell every hidden value. See lua/jobs/job_entry.lua.
 */

import { readRedaction, redactPayload } from '@/lib/broker/queues/settings/queue-redaction';
import { replyList } from '@/lib/broker/redis/script-reply';
import { shardOfJob } from '@/lib/broker/shards/shard-layout';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import { entryRow, toEnqueueEntry } from '../enqueue/enqueue-entries';
import { decodeRow } from '../job-row';

/** Null: there is no such job, or nothing of the one that is sent is hidden, so that its sender knows all there is to compare. */
export async function checkDuplicate(
  ctx: ShardedContext,
  queue: string,
  input: EnqueueInput,
): Promise<'duplicate' | 'conflict' | null> {
  if (input.jobId === undefined) return null;
  const entry = toEnqueueEntry(input, 0);
  const layout = ctx.shards.known(queue) ?? (await ctx.shards.of(queue));
  const name = layout.names[shardOfJob(layout, entry)] ?? queue;
  const redaction = await readRedaction(ctx, queue, name);
  const sent = partsOf(entry.jobId, entryRow(entry));
  const sentShown = redactPayload(sent.payload, redaction);
  if (sentShown.hidden === 0) return null;
  const row = replyList(await ctx.runBuffer('job', name, [entry.jobId]), 'job')[3];
  if (!Buffer.isBuffer(row) || row.length === 0) return null;
  const stored = partsOf(entry.jobId, row);
  const storedShown = redactPayload(stored.payload, redaction);
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
