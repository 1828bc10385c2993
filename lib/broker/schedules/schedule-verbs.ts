/** The steps on Redis that schedules are made of: `broker.schedules`. */

import type { EnqueueInput, EnqueueResult } from '@/lib/contract/jobs/envelope';
import type { Redaction } from '@/lib/contract/redaction';
import type { Actor } from '../access/actor';
import type { EnqueueAudit } from '../jobs/enqueue/send-entries';
import { takeQueueQuota } from '../queues/queue-quotas';
import type { BoundVerbs } from '../redis/bind-verbs';
import type { BrokerContext } from '../redis/broker-context';
import { advanceSchedule, dueSchedules, rescheduleCheck } from './due-schedules';
import { enterOccurrences } from './enter-occurrences';
import { overdueSchedules } from './overdue-schedules';
import { readRecentRuns, readScheduleRuns } from './recent-runs';
import { forgetFence, raiseFence } from './schedule-fence';
import {
  findSchedule,
  getSchedule,
  listSchedules,
  nextGeneration,
  requireScheduleRoom,
  saveSchedule,
} from './schedule-records';

export const SCHEDULE_VERBS = {
  find: findSchedule,
  get: getSchedule,
  list: async (ctx: BrokerContext, limit: number, cursor?: string) => {
    const { listed, ...page } = await listSchedules(ctx, limit, cursor);
    return { schedules: listed.map(({ summary }) => summary), ...page };
  },
  /** The same with the rights each goes on with. */
  listed: listSchedules,
  recentRuns: readRecentRuns,
  runsOf: readScheduleRuns,
  requireRoom: requireScheduleRoom,
  /** Takes the user's share of a queue that has no job yet. @throws RedriveError LIMIT_REACHED */
  takeQueue: (ctx: BrokerContext, queue: string, by: Actor) => takeQueueQuota(ctx, queue, by),
  generation: nextGeneration,
  save: saveSchedule,
  fence: raiseFence,
  forget: forgetFence,
  due: dueSchedules,
  enter: enterOccurrences,
  advance: advanceSchedule,
  later: rescheduleCheck,
  overdue: overdueSchedules,
};
type ScheduleVerbs = BoundVerbs<BrokerContext, typeof SCHEDULE_VERBS>;
/** The steps of `broker.schedules`, which only the functions of this folder take: callers see none. */
export type ScheduleSteps = object;

/** What ticking schedules needs of a broker. */
export interface TickBroker {
  readonly schedules: ScheduleSteps;
}
export const stepsOf = ({ schedules }: TickBroker): ScheduleVerbs => schedules as ScheduleVerbs;
/** What managing schedules needs of a broker. */
export interface SchedulesBroker extends TickBroker {
  enqueue(queue: string, input: EnqueueInput, audit?: EnqueueAudit): Promise<EnqueueResult>;
  now(): Promise<number>;
  readonly inspect: { redaction(queue: string): Promise<Redaction> };
}
