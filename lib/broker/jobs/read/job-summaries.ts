import { readRedaction, type TextRedactor, textRedactor } from '@/lib/broker/queues/settings/queue-redaction';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import { logicalName } from '@/lib/broker/shards/shard-layout';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import { errorClassSchema } from '@/lib/contract/jobs/job-state-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { hidesNothing } from '@/lib/contract/redaction';
import { decodeEnvelope, decodeRow, ROWS_FIELDS } from '../job-row';
import { parseClaim, parseDeathRow, parseHistoryLine, parseResult, parseTries } from './stored-rows';

const SCRIPT_MAX_JOBS = 50;
/** Of rows with payloads, in a call. */
const SCRIPT_MAX_BYTES = 256 * 1024;

/**
 * List rows for ids; jobs that are gone are left out. Messages are redacted by the job's payload, which is read for this only.
 * @param name of the shard
 */
export async function readJobSummaries(
  ctx: BrokerContext,
  name: string,
  state: JobState,
  entries: readonly { jobId: string; score: number }[],
): Promise<JobSummary[]> {
  const result: JobSummary[] = [];
  if (entries.length === 0) return result;
  const queue = logicalName(name);
  const redaction = await readRedaction(ctx, queue, name);
  // Of a completed job no message is shown.
  const bytes = state === 'completed' || hidesNothing(redaction) ? 0 : SCRIPT_MAX_BYTES;
  for (let start = 0; start < entries.length; ) {
    const part = entries.slice(start, start + SCRIPT_MAX_JOBS);
    const ids = part.map((entry) => entry.jobId);
    const reply = replyList(await ctx.runBuffer('read-rows', name, [bytes, ...ids]), 'read-rows');
    const read = Math.floor(reply.length / ROWS_FIELDS);
    if (read === 0) throw new Error('rows: no reply for the first job');
    part.slice(0, read).forEach((entry, i) => {
      const fields = reply.slice(i * ROWS_FIELDS, (i + 1) * ROWS_FIELDS);
      const [, head = '', claim = '', tries = '', death = '', last = '', done = ''] = fields.map(replyText);
      const row = fields[ROWS_FIELDS - 1];
      const known = Buffer.isBuffer(row) && row.length > 0 ? decodeRow(entry.jobId, row).payload : null;
      const summary = jobSummaryOf(
        queue,
        state,
        entry,
        { head, claim, tries, death, last, done },
        textRedactor(known, redaction),
      );
      if (summary) result.push(summary);
    });
    start += read;
  }
  return result;
}

export interface SummaryRows {
  head: string;
  claim: string;
  tries: string;
  death: string;
  last: string;
  done: string;
}

export function jobSummaryOf(
  queue: string,
  state: JobState,
  entry: { jobId: string; score: number },
  rows: SummaryRows,
  shown: TextRedactor,
): JobSummary | null {
  const envelope = decodeEnvelope(entry.jobId, rows.head);
  const claim = parseClaim(rows.claim) ?? parseResult(rows.done);
  const tries = claim ?? parseTries(rows.tries);
  const last = parseHistoryLine(rows.last);
  // A job with a lost row shows the facts of its death row.
  const death = parseDeathRow(rows.death);
  const known = errorClassSchema.safeParse(death?.class);
  if (!envelope && !rows.death) return null;
  return {
    queue,
    jobId: entry.jobId,
    state,
    jobType: envelope?.jobType ?? death?.type ?? 'unknown',
    jobVersion: envelope?.jobVersion ?? death?.version ?? 0,
    tenantId: envelope?.tenantId ?? death?.tenant ?? 'unknown',
    priority: envelope?.priority ?? death?.priority ?? 0,
    createdAt: envelope?.createdAt ?? 0,
    deadline: envelope?.deadline ?? null,
    attempt: tries.attempt,
    maxAttempts: envelope?.maxAttempts ?? 0,
    deliveries: tries.deliveries,
    stateAt: state === 'ready' || state === 'held' ? null : entry.score,
    worker: claim?.worker ?? last?.worker ?? null,
    claimedAt: claim?.claimedAt ?? null,
    errorClass: known.success ? known.data : state === 'completed' ? null : (last?.errorClass ?? null),
    errorCode: death?.code ?? (state === 'completed' ? null : (last?.errorCode ?? null)),
    message: state === 'completed' ? null : shown.text(last?.message ?? last?.reason ?? null),
  };
}
