import { errorClassSchema } from '@/lib/contract/failures';
import type { JobSummary } from '@/lib/contract/job';
import { hidesNothing } from '@/lib/contract/redaction';
import type { JobState } from '@/lib/contract/states';
import type { BrokerContext } from '../context';
import { redactionIn, type ShownTexts, shownTexts } from '../redaction';
import { list, text } from '../reply';
import { decodeHead, decodeRow, ROWS_FIELDS } from '../row';
import { parseDeath } from '../search/death';
import { logicalName } from '../sharded/layout';
import { parseClaim, parseHistoryLine, parseResult, parseTries } from './state-row';

const SCRIPT_MAX_JOBS = 50;
/** Of rows with payloads, in a call. */
const SCRIPT_MAX_BYTES = 256 * 1024;

/**
 * Hydrates ids into list rows. Jobs that vanished meanwhile are left out. A message is shown without what it repeats of the hidden
 * values of its job's payload, which is read for that and for nothing else.
 * @param name of the shard
 */
export async function summaries(
  ctx: BrokerContext,
  name: string,
  state: JobState,
  entries: readonly { jobId: string; score: number }[],
): Promise<JobSummary[]> {
  const result: JobSummary[] = [];
  if (entries.length === 0) return result;
  const queue = logicalName(name);
  const redaction = await redactionIn(ctx, queue, name);
  // Of a completed job no message is shown.
  const bytes = state === 'completed' || hidesNothing(redaction) ? 0 : SCRIPT_MAX_BYTES;
  for (let start = 0; start < entries.length; ) {
    const part = entries.slice(start, start + SCRIPT_MAX_JOBS);
    const ids = part.map((entry) => entry.jobId);
    const reply = list(await ctx.runBuffer('rows', name, [bytes, ...ids]), 'rows');
    const read = Math.floor(reply.length / ROWS_FIELDS);
    if (read === 0) throw new Error('rows: no reply for the first job');
    part.slice(0, read).forEach((entry, i) => {
      const fields = reply.slice(i * ROWS_FIELDS, (i + 1) * ROWS_FIELDS);
      const [, head = '', claim = '', tries = '', death = '', last = '', done = ''] = fields.map(text);
      const row = fields[ROWS_FIELDS - 1];
      const known = Buffer.isBuffer(row) && row.length > 0 ? decodeRow(entry.jobId, row).payload : null;
      const summary = summarise(
        queue,
        state,
        entry,
        { head, claim, tries, death, last, done },
        shownTexts(known, redaction),
      );
      if (summary) result.push(summary);
    });
    start += read;
  }
  return result;
}

export interface Rows {
  head: string;
  claim: string;
  tries: string;
  death: string;
  last: string;
  done: string;
}

export function summarise(
  queue: string,
  state: JobState,
  entry: { jobId: string; score: number },
  rows: Rows,
  shown: ShownTexts,
): JobSummary | null {
  const envelope = decodeHead(entry.jobId, rows.head);
  const claim = parseClaim(rows.claim) ?? parseResult(rows.done);
  const tries = claim ?? parseTries(rows.tries);
  const last = parseHistoryLine(rows.last);
  // Of one whose own row is lost or unreadable, what its death tells.
  const death = parseDeath(rows.death);
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
