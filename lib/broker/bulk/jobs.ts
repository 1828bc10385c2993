/** The jobs behind the numbers of an operation's outcome. */
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import type { JobSummary } from '@/lib/contract/job';
import {
  type OperationJobsPage,
  type OperationJobsQuery,
  operationJobsQuerySchema,
  UNDONE_BY,
} from '@/lib/contract/operations';
import type { Within } from '@/lib/contract/permissions';
import type { JobState } from '@/lib/contract/states';
import type { OperationRecord } from '@/lib/contract/verbs';
import { serverNow } from '../now';
import { searchPage } from '../search/page';
import type { ShardedContext } from '../shards';
import { completedJobs } from './completed';
import { outcomePlaces } from './outcomes';
import { loadRecord } from './records';
import { skippedJobs } from './skipped';

/** Where re-driven jobs wait that have not run yet, or are to run again. */
const WAITING: readonly JobState[] = ['ready', 'held', 'retry', 'scheduled'];

/** @throws RedriveError OPERATION_NOT_FOUND, BAD_CURSOR */
export async function operationJobs(
  ctx: ShardedContext,
  id: string,
  input: OperationJobsQuery,
): Promise<OperationJobsPage> {
  const { outcome, cursor, limit } = parseOrThrow(operationJobsQuerySchema, input, 'query');
  const record = await loadRecord(ctx, id);
  const at = await serverNow(ctx);
  const within = withinOf(record);
  if (outcome === 'completed') {
    const places = await outcomePlaces(ctx, record);
    return { at, ...(await completedJobs(ctx, places, id, cursor, limit, within)) };
  }
  if (outcome === 'skipped')
    return { at, ...(await skippedJobs(ctx, record.places, id, cursor, limit, within)) };
  return { at, ...(await inStates(ctx, id, within, statesOf(record, outcome), cursor, limit)) };
}

/** Where its jobs may be: another may have the id of one of them by now. */
function withinOf({ scope: { within }, target }: OperationRecord): Within | undefined {
  if (within === undefined || target === null) return within;
  return [...within, ...within.map(({ tenants }) => ({ queue: target, tenants }))];
}

function statesOf(
  record: OperationRecord,
  outcome: Exclude<OperationJobsQuery['outcome'], 'completed' | 'skipped'>,
): readonly JobState[] {
  switch (outcome) {
    case 'running':
      return ['in-flight'];
    case 'waiting':
      return WAITING;
    case 'died-again':
      return ['dead'];
    case 'undoable': {
      const by = UNDONE_BY[record.kind];
      if (by === undefined || record.undoes !== null) return [];
      return by === 'restore' ? ['trashed'] : by === 'unsuppress' ? ['suppressed'] : WAITING.slice(0, 3);
    }
  }
}

/** One state after the other; the cursor is `<number of the state>~<cursor of its search>`. */
async function inStates(
  ctx: ShardedContext,
  id: string,
  within: Within | undefined,
  states: readonly JobState[],
  cursor: string | undefined,
  limit: number,
): Promise<{ jobs: JobSummary[]; nextCursor: string | null }> {
  const match = /^(\d)~(.*)$/s.exec(cursor ?? '0~');
  let [at, inner] = [Number(match?.[1] ?? Number.NaN), match?.[2] ?? ''];
  if (!match || (at >= states.length && states.length > 0))
    throw new RedriveError(
      'BAD_CURSOR',
      'The cursor is not one that was given out. Leave it out to start anew.',
      {
        fields: [{ field: 'cursor', message: 'was not given out here' }],
      },
    );
  const jobs: JobSummary[] = [];
  for (let state = states[at]; state !== undefined; state = states[at]) {
    const page = await searchPage(
      ctx,
      { state, q: `operation:${id}`, within },
      { limit: limit - jobs.length, ...(inner === '' ? {} : { cursor: inner }) },
    );
    jobs.push(...page.jobs);
    if (page.nextCursor !== null) return { jobs, nextCursor: `${at}~${page.nextCursor}` };
    at += 1;
    inner = '';
    if (jobs.length >= limit) return { jobs, nextCursor: at < states.length ? `${at}~` : null };
  }
  return { jobs, nextCursor: null };
}
