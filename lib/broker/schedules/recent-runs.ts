/** How the last runs of schedules ended: their jobs' ids follow from schedule and occurrence, so nothing more is stored for it. */
import { LRUCache } from 'lru-cache';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { RECENT_RUNS_MAX } from '@/lib/contract/schedules/schedule-limits';
import type { RecentRun, RecentRunOutcome, ScheduleSummary } from '@/lib/contract/schedules/schedule-schemas';
import type { BrokerContext } from '../redis/broker-context';
import { evalMany } from '../redis/run-pipelines';
import { replyList, replyText } from '../redis/script-reply';
import { occurrenceJobId } from './enter-occurrences';
import type { ScheduleListItem } from './schedule-row';
import { occurrencesBefore } from './timing/occurrences';

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
/** Occurrences without a job, by the outcome of the last one. */
const WITHOUT_JOB = { overlap: 'skipped', refused: 'skipped', missed: 'missed', entered: 'unknown' } as const;

/** To walk a cron expression back costs some 0.1 ms a step, and lists are read every other second. */
const walked = new LRUCache<string, readonly number[]>({ max: 1_100 });

/** Of each schedule the last twelve since its last change, which gave its jobs other ids; oldest first. */
export async function readRecentRuns(
  ctx: BrokerContext,
  listed: readonly ScheduleListItem[],
): Promise<RecentRun[][]> {
  const replies = await evalMany(
    ctx,
    listed.map(({ summary, secret }) => ({
      script: 'schedule-runs',
      queue: summary.queue,
      args: fireTimesOf(summary).map((at) => occurrenceJobId({ schedule: summary, secret }, at)),
    })),
  );
  return listed.map(({ summary }, i) => {
    const states = statesOf(replies[i]);
    return fireTimesOf(summary).map((at, n) => ({ at, outcome: outcomeOf(summary, at, states[n]) }));
  });
}

function outcomeOf({ last }: ScheduleSummary, at: number, state: string | undefined): RecentRunOutcome {
  if (state) return OUTCOMES[state as JobState];
  // No occurrence after that of the last job has one.
  const lastJobAt = Number(last?.jobId?.split('.').at(-2) ?? 0);
  return last && at > lastJobAt ? WITHOUT_JOB[last.outcome] : 'unknown';
}

/** A queue that does not answer: none is known. */
const statesOf = (reply: PromiseSettledResult<unknown> | undefined): string[] =>
  reply?.status === 'fulfilled' ? replyList(reply.value, 'schedule-runs').map(replyText) : [];

function fireTimesOf({
  id,
  generation,
  last,
  updatedAt,
  timing,
  startAt,
}: ScheduleSummary): readonly number[] {
  if (last === null) return [];
  const key = `${id} ${generation} ${updatedAt} ${last.fireTime}`;
  const known = walked.get(key);
  if (known) return known;
  const times = occurrencesBefore(timing, last.fireTime, RECENT_RUNS_MAX).filter(
    (at) => at > updatedAt && at >= (startAt ?? 0),
  );
  walked.set(key, times);
  return times;
}
