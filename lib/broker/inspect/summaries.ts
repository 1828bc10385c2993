import { errorClassSchema } from '@/lib/contract/failures';
import type { JobSummary } from '@/lib/contract/job';
import type { JobState } from '@/lib/contract/states';
import type { BrokerContext } from '../context';
import { list, text } from '../reply';
import { decodeHead } from '../row';
import { parseDeath } from '../search/death';
import { logicalName } from '../sharded/layout';
import { parseClaim, parseHistoryLine, parseResult, parseTries } from './state-row';

const SCRIPT_MAX_JOBS = 50;

/**
 * Hydrates ids into list rows, without reading payloads. Jobs that vanished meanwhile are left out.
 * @param name of the shard
 */
export async function summaries(
  ctx: BrokerContext,
  name: string,
  state: JobState,
  entries: readonly { jobId: string; score: number }[],
): Promise<JobSummary[]> {
  const result: JobSummary[] = [];
  for (let start = 0; start < entries.length; start += SCRIPT_MAX_JOBS) {
    const part = entries.slice(start, start + SCRIPT_MAX_JOBS);
    const reply = list(
      await ctx.run(
        'rows',
        name,
        part.map((entry) => entry.jobId),
      ),
      'rows',
    ).map(text);
    part.forEach((entry, i) => {
      const [, head = '', claim = '', tries = '', death = '', last = '', done = ''] = reply.slice(
        i * 7,
        i * 7 + 7,
      );
      const summary = summarise(logicalName(name), state, entry, { head, claim, tries, death, last, done });
      if (summary) result.push(summary);
    });
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
    message: state === 'completed' ? null : (last?.message ?? last?.reason ?? null),
  };
}
