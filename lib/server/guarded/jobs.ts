/** Jobs of a queue: looking at them, entering them, and what an operator does to one. */

import type { z } from 'zod';
import type { TriageOutcome } from '@/lib/broker';
import { jobActionPermission } from '@/lib/contract/action-permissions';
import { actionRequestSchema } from '@/lib/contract/api';
import type { EnqueueResult, enqueueRequestSchema } from '@/lib/contract/envelope';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { JOB_ACTIONS, type JobAction, type JobDetail, type JobPage } from '@/lib/contract/job';
import { hasJob, hasQueue, type Permission } from '@/lib/contract/permissions';
import type { ListOptions } from '@/lib/contract/verbs';
import { needJob, needSomeOf, needTenant } from '../access/need';
import { withinOf } from '../access/principal';
import { getBroker } from '../broker';
import { jobsOf } from '../enqueue';
import { actor, type Caller, intentOf, narrowed } from './caller';
import { requireQueue } from './exists';
import { resultOrConflict, shownOutcomes } from './known-ids';

export function guardedJobs(caller: Caller) {
  const { principal } = caller;
  const ofTenants = (permission: Permission, queue: string) => (tenant: string) =>
    hasJob(withinOf(principal, permission), queue, tenant);

  /** The job of that id that they may see. @throws RedriveError QUEUE_NOT_FOUND | JOB_NOT_FOUND | FORBIDDEN */
  async function one(queue: string, jobId: string, permission: Permission): Promise<JobDetail> {
    needSomeOf(principal, permission, queue);
    await requireQueue(queue);
    const job = await getBroker().inspect.job(queue, jobId, ofTenants('view', queue));
    needJob(principal, permission, { queue, jobId, tenant: job.envelope.tenantId });
    return job;
  }

  return {
    async list(queue: string, options: ListOptions): Promise<JobPage> {
      needSomeOf(principal, 'view', queue);
      await requireQueue(queue);
      return getBroker().inspect.list(queue, { ...options, ...narrowed(principal, 'view') });
    },

    get: (queue: string, jobId: string): Promise<JobDetail> => one(queue, jobId, 'view'),

    /** Each is looked at before any is entered. One that may not come in is an error of its own; of several each says how it fared. */
    async enqueue(queue: string, body: z.output<typeof enqueueRequestSchema>): Promise<EnqueueResult[]> {
      needSomeOf(principal, 'enqueue', queue);
      const jobs = jobsOf(body, intentOf(caller));
      const tenants = new Set(jobs.map(({ tenantId = 'default' }) => tenantId));
      for (const tenant of tenants) needTenant(principal, 'enqueue', queue, tenant);
      const by = actor(caller);
      const whole = hasQueue(withinOf(principal, 'enqueue'), queue);
      const known = await shownOutcomes(principal, queue, jobs);
      const there = known.get(0);
      const [only] = jobs;
      if (!('jobs' in body) && there) return [resultOrConflict(there, queue)];
      if (!('jobs' in body) && only)
        return [
          await getBroker()
            .enqueue(queue, only, { by })
            .catch((error: unknown) => {
              throw whole ? error : discreet(error, queue);
            }),
        ];
      const fresh = jobs.filter((_, at) => !known.has(at));
      const entered = fresh.length === 0 ? [] : await getBroker().enqueueMany(queue, fresh, { by });
      const rest = entered.values();
      const results = jobs.flatMap((_, at) => known.get(at) ?? rest.next().value ?? []);
      // Who has a uniqueness key may be a job of somebody else.
      return whole ? results : results.map(({ jobId, outcome }) => ({ jobId, outcome }));
    },

    /** @throws RedriveError WRONG_STATE, besides what `one` throws */
    async act(queue: string, jobId: string, action: JobAction, body: unknown): Promise<{ outcome: 'ok' }> {
      const permission = jobActionPermission(action);
      needSomeOf(principal, permission, queue);
      const { reason } = parseOrThrow(actionRequestSchema, body, 'body');
      const before = await one(queue, jobId, permission);
      if (ALONE_REFUSED.has(action)) await needOnePerson(queue);
      const mine = ofTenants(permission, queue);
      const [outcome] = await getBroker()[action](queue, [jobId], actor(caller, { reason }), mine);
      if (outcome === 'ok') return { outcome: 'ok' };
      const { state } = await getBroker()
        .inspect.job(queue, jobId, mine)
        .catch(() => before);
      throw refusal(action, outcome ?? 'wrong-state', jobId, state);
    },
  };
}

/** What as an operation would wait for a second person. */
const ALONE_REFUSED: ReadonlySet<JobAction> = new Set(['purge', 'remove']);

/** @throws RedriveError FORBIDDEN: job by job, one person could do what needs two */
async function needOnePerson(queue: string): Promise<void> {
  const { config } = await getBroker().config.get(queue);
  if (!config.purgeNeedsApproval) return;
  throw new RedriveError(
    'FORBIDDEN',
    `Jobs of ${queue} are purged and deleted only with a second person: start an operation on this one, which somebody else then approves. Nothing was changed.`,
    { fields: [{ field: 'purgeNeedsApproval', message: 'is set for this queue' }] },
  );
}

/** Without what a refusal says of jobs of others: how many wait, and who has a uniqueness key. */
function discreet(error: unknown, queue: string): unknown {
  if (!(error instanceof RedriveError)) return error;
  if (error.code === 'NOT_UNIQUE')
    return new RedriveError(
      error.code,
      `Another job in ${queue} has this uniqueness key. Wait for it, or choose another unique.key.`,
      { fields: error.fields },
    );
  if (error.code === 'QUEUE_FULL')
    return new RedriveError(
      error.code,
      `${queue} takes no more jobs just now. Nothing was entered; try again when some are done.`,
    );
  return error;
}

function refusal(action: JobAction, outcome: TriageOutcome, jobId: string, state: string): RedriveError {
  const from = JOB_ACTIONS[action].join(', ');
  const sentence: Partial<Record<TriageOutcome, string>> = {
    'deadline-passed': `The deadline of ${jobId} has passed, so running it again would be worthless. Nothing was changed.`,
    unreadable: `The stored row of ${jobId} cannot be read. Nothing was changed.`,
    'not-unique': `Another job has the uniqueness key of ${jobId}: wait until it is done, or cancel it. Nothing was changed.`,
    'in-flight': `${jobId} is in flight. Cancel it first; then it can be deleted. Nothing was changed.`,
  };
  return new RedriveError(
    'WRONG_STATE',
    sentence[outcome] ?? `${jobId} is ${state}; ${action} is for jobs that are ${from}. Nothing was changed.`,
    {
      fields: [{ field: 'id', message: `is ${state}` }],
    },
  );
}
