/** How the last runs of schedules ended: their queue remembers which jobs they entered, and which occurrences had none. */
import type { JobState } from '@/lib/contract/jobs/job-states';
import { RECENT_RUNS_MAX, SCHEDULE_RUNS_MAX } from '@/lib/contract/schedules/schedule-limits';
import {
  occurrenceOutcomeSchema,
  type RecentRun,
  type RecentRunOutcome,
  type ScheduleSummary,
} from '@/lib/contract/schedules/schedule-schemas';
import type { BrokerContext } from '../redis/broker-context';
import { evalMany } from '../redis/run-pipelines';
import { replyList, replyText } from '../redis/script-reply';

const OUTCOMES: Readonly<Record<JobState, RecentRunOutcome>> = {
  ready: 'waiting',
  scheduled: 'waiting',
  retry: 'waiting',
  held: 'waiting',
  'in-flight': 'running',
  completed: 'completed',
  dead: 'dead',
  suppressed: 'dead',
  trashed: 'dead',
};
const WITHOUT_JOB = { overlap: 'skipped', refused: 'refused', missed: 'missed', entered: 'unknown' } as const;
const FIELDS = 5;

type Named = Pick<ScheduleSummary, 'id' | 'queue' | 'last'>;

/** Of each schedule the last twelve in its queue, oldest first: also those before its last change. */
export async function readRecentRuns(
  ctx: BrokerContext,
  schedules: readonly Named[],
  most = RECENT_RUNS_MAX,
): Promise<RecentRun[][]> {
  const replies = await evalMany(
    ctx,
    schedules.map(({ id, queue }) => ({ script: 'schedule-runs', queue, args: [id, most] })),
  );
  return schedules.map(({ last }, i) => {
    const runs = runsOf(replies[i]);
    return runs.length > 0 ? runs : lastAlone(last);
  });
}

/** As many as its queue remembers. */
export const readScheduleRuns = async (ctx: BrokerContext, schedule: Named): Promise<RecentRun[]> =>
  (await readRecentRuns(ctx, [schedule], SCHEDULE_RUNS_MAX))[0] ?? [];

/** A queue that does not answer: none is known. */
function runsOf(reply: PromiseSettledResult<unknown> | undefined): RecentRun[] {
  const texts = reply?.status === 'fulfilled' ? replyList(reply.value, 'schedule-runs').map(replyText) : [];
  return Array.from({ length: Math.floor(texts.length / FIELDS) }, (_, i) => {
    const [at, outcome, count, job, state] = texts.slice(i * FIELDS, (i + 1) * FIELDS);
    return {
      at: Number(at),
      outcome: outcomeOf(outcome ?? '', state ?? ''),
      count: Number(count),
      jobId: job === '-' || job === undefined ? null : job,
    };
  });
}

function outcomeOf(outcome: string, state: string): RecentRunOutcome {
  if (state !== '') return OUTCOMES[state as JobState];
  const known = occurrenceOutcomeSchema.safeParse(outcome);
  return known.success ? WITHOUT_JOB[known.data] : 'unknown';
}

/** Of a schedule that has not run here since its queue began to remember. */
const lastAlone = (last: ScheduleSummary['last']): RecentRun[] =>
  last === null
    ? []
    : [{ at: last.fireTime, outcome: WITHOUT_JOB[last.outcome], count: 1, jobId: last.jobId }];
