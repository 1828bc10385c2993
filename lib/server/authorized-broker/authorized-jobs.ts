/** Jobs of a queue: read, enqueue, and an operator's actions on one job. */

import type { z } from 'zod';
import { type Actor, idFrom, type TriageOutcome } from '@/lib/broker';
import { jobActionPermission } from '@/lib/contract/access/action-permissions';
import { type Permission, scopeHasJob, scopeHasQueue } from '@/lib/contract/access/grant-scopes';
import { jsonText } from '@/lib/contract/exact-json';
import type {
  EnqueueInput,
  EnqueueResult,
  enqueueRequestJobSchema,
  enqueueRequestSchema,
} from '@/lib/contract/jobs/envelope';
import { JOB_ACTIONS, type JobAction } from '@/lib/contract/jobs/job-actions';
import type { JobDetail, JobPage } from '@/lib/contract/jobs/job-schemas';
import type { ListOptions } from '@/lib/contract/jobs/list-options';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';
import { actionRequestSchema } from '@/lib/contract/request-schemas';
import { isTakenId, reusedKey } from '@/lib/contract/reused-key-error';
import { traceEnqueue } from '@/lib/tracing/trace-enqueue';
import { traceJobAction } from '@/lib/tracing/trace-job-action';
import { type Principal, scopeOf } from '../authentication/principal';
import { requireJob, requirePartOfQueue, requireTenant } from '../authorization/require-permission';
import { getBroker } from '../console-broker';
import { intentId, type RequestContext, requestActor, requireQueue, scopeLimit } from './request-context';

export function authorizedJobs(context: RequestContext) {
  const { principal } = context;
  const ofTenants = (permission: Permission, queue: string) => (tenant: string) =>
    scopeHasJob(scopeOf(principal, permission), queue, tenant);

  /** The job with that id, if the principal may see it. @throws RedriveError QUEUE_NOT_FOUND | JOB_NOT_FOUND | FORBIDDEN */
  async function one(queue: string, jobId: string, permission: Permission): Promise<JobDetail> {
    requirePartOfQueue(principal, permission, queue);
    await requireQueue(queue);
    const job = await getBroker().inspect.job(queue, jobId, ofTenants('view', queue));
    requireJob(principal, permission, { queue, jobId, tenant: job.envelope.tenantId });
    // How many jobs of other tenants wait is not for this viewer.
    return scopeHasQueue(scopeOf(principal, 'view'), queue) ? job : { ...job, ahead: null };
  }

  return {
    async list(queue: string, options: ListOptions): Promise<JobPage> {
      requirePartOfQueue(principal, 'view', queue);
      await requireQueue(queue);
      return getBroker().inspect.list(queue, { ...options, ...scopeLimit(principal, 'view') });
    },

    get: (queue: string, jobId: string): Promise<JobDetail> => one(queue, jobId, 'view'),

    /**
     * All permissions are checked first. A single refused job is an error; of several jobs each has an outcome.
     * @throws RedriveError ID_CONFLICT, besides what the broker throws, when the Idempotency-Key was used with another body and nothing is entered
     */
    async enqueue(queue: string, body: z.output<typeof enqueueRequestSchema>): Promise<EnqueueResult[]> {
      requirePartOfQueue(principal, 'enqueue', queue);
      const intent = intentId(context);
      const jobs = requestJobs(body, intent);
      const given = 'jobs' in body ? body.jobs : [body];
      /** Its id follows from the Idempotency-Key. */
      const isKeyed = (at: number) => intent !== null && given[at]?.jobId === undefined;
      const tenants = new Set(jobs.map(({ tenantId = 'default' }) => tenantId));
      for (const tenant of tenants) requireTenant(principal, 'enqueue', queue, tenant);
      const by = requestActor(context);
      const whole = scopeHasQueue(scopeOf(principal, 'enqueue'), queue);
      const known = await redactedOutcomes(principal, queue, jobs);
      const there = known.get(0);
      const [only] = jobs;
      if (!('jobs' in body) && only) {
        const enter = async () =>
          there
            ? resultOrConflict(there, queue)
            : await traceEnqueue({ queue, jobs: 1, jobType: only.jobType }, (traceParent) =>
                getBroker().enqueue(queue, carrying(only, traceParent), { by }),
              );
        const result = await enter().catch((error: unknown) => {
          if (isKeyed(0) && isTakenId(error)) throw reusedKey('job');
          throw whole ? error : redactedError(error, queue);
        });
        return [result];
      }
      const fresh = jobs.filter((_, at) => !known.has(at));
      const entered = fresh.length === 0 ? [] : await enqueueTraced(queue, fresh, by);
      const rest = entered.values();
      const results = jobs.flatMap((_, at) => known.get(at) ?? rest.next().value ?? []);
      const isReused = results.some(({ outcome }, at) => outcome === 'conflict' && isKeyed(at));
      if (isReused && !results.some(({ outcome }) => ENTERED.has(outcome))) throw reusedKey('batch of jobs');
      // The job that holds a uniqueness key may belong to another tenant.
      return whole ? results : results.map(({ jobId, outcome }) => ({ jobId, outcome }));
    },

    /** @throws RedriveError WRONG_STATE, besides what `one` throws */
    async act(queue: string, jobId: string, action: JobAction, body: unknown): Promise<{ outcome: 'ok' }> {
      const permission = jobActionPermission(action);
      requirePartOfQueue(principal, permission, queue);
      const { reason } = parseOrThrow(actionRequestSchema, body, 'body');
      const before = await one(queue, jobId, permission);
      if (NEEDS_APPROVAL.has(action)) await requireNoApproval(queue);
      const mine = ofTenants(permission, queue);
      const { jobType, traceParent } = before.envelope;
      const [outcome] = await traceJobAction({ action, queue, jobId, jobType, traceParent }, () =>
        getBroker()[action](queue, [jobId], requestActor(context, { reason }), mine),
      );
      if (outcome === 'ok') return { outcome: 'ok' };
      const { state } = await getBroker()
        .inspect.job(queue, jobId, mine)
        .catch(() => before);
      throw refusal(action, outcome ?? 'wrong-state', jobId, state);
    },
  };
}

const ENTERED: ReadonlySet<EnqueueResult['outcome']> = new Set(['ready', 'scheduled']);

/** A span given with the job comes before our own. */
const carrying = (job: EnqueueInput, traceParent: string | undefined): EnqueueInput => ({
  ...job,
  traceParent: job.traceParent ?? traceParent,
});

function enqueueTraced(queue: string, jobs: readonly EnqueueInput[], by: Actor): Promise<EnqueueResult[]> {
  const types = new Set(jobs.map(({ jobType }) => jobType));
  const jobType = types.size === 1 ? jobs[0]?.jobType : undefined;
  return traceEnqueue({ queue, jobs: jobs.length, jobType }, (traceParent) =>
    getBroker().enqueueMany(
      queue,
      jobs.map((job) => carrying(job, traceParent)),
      { by },
    ),
  );
}

/** Actions that need approval as an operation. */
const NEEDS_APPROVAL: ReadonlySet<JobAction> = new Set(['purge', 'remove']);

/** Job by job, one user could otherwise avoid the approval. @throws RedriveError FORBIDDEN */
async function requireNoApproval(queue: string): Promise<void> {
  const { config } = await getBroker().config.get(queue);
  if (!config.purgeNeedsApproval) return;
  throw new RedriveError(
    'FORBIDDEN',
    `Purging and deleting jobs of ${queue} needs approval: start an operation on this job, which another user then approves. Nothing was changed.`,
    { fields: [{ field: 'purgeNeedsApproval', message: 'is set for this queue' }] },
  );
}

/** The refusal without facts about other tenants' jobs: how many wait, which job has a uniqueness key. */
function redactedError(error: unknown, queue: string): unknown {
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
      `${queue} is full. Nothing was enqueued; try again when some jobs are done.`,
    );
  return error;
}

function refusal(action: JobAction, outcome: TriageOutcome, jobId: string, state: string): RedriveError {
  const from = JOB_ACTIONS[action].join(', ');
  const sentence: Partial<Record<TriageOutcome, string>> = {
    'deadline-passed': `The deadline of ${jobId} has passed, so it will not run again. Nothing was changed.`,
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

type RequestJob = z.output<typeof enqueueRequestJobSchema>;

/**
 * The jobs of a request. With an Idempotency-Key their ids follow from it, so that sending the request again finds the jobs
 * of the first sending.
 */
function requestJobs(
  body: z.output<typeof enqueueRequestSchema>,
  idempotencyKey: string | null,
): EnqueueInput[] {
  const jobs = 'jobs' in body ? body.jobs : [body];
  return jobs.map((job, index) => {
    const { payload, payloadText, ...envelope } = job as RequestJob;
    return {
      ...envelope,
      jobId: envelope.jobId ?? (idempotencyKey === null ? undefined : idFrom(idempotencyKey, String(index))),
      payload: payloadText ?? jsonText(payload),
    };
  });
}

const READS_AT_ONCE = 16;

/**
 * The jobs with a taken id, by index, with an outcome that reveals no redacted value. They do not go to the script, which compares and
 * counts unredacted values.
 */
async function redactedOutcomes(
  principal: Principal,
  queue: string,
  jobs: readonly EnqueueInput[],
): Promise<ReadonlyMap<number, EnqueueResult>> {
  const found = new Map<number, EnqueueResult>();
  const within = scopeOf(principal, 'unmask');
  const asked = [...jobs.entries()].filter(
    ([, { tenantId = 'default' }]) => !scopeHasJob(within, queue, tenantId),
  );
  for (let from = 0; from < asked.length; from += READS_AT_ONCE)
    await Promise.all(
      asked.slice(from, from + READS_AT_ONCE).map(async ([at, job]) => {
        const outcome = await getBroker().inspect.checkDuplicate(queue, job);
        if (outcome !== null && job.jobId !== undefined) found.set(at, { jobId: job.jobId, outcome });
      }),
    );
  return found;
}

/** @throws RedriveError ID_CONFLICT */
function resultOrConflict(result: EnqueueResult, queue: string): EnqueueResult {
  if (result.outcome !== 'conflict') return result;
  throw new RedriveError(
    'ID_CONFLICT',
    `The id ${result.jobId} already belongs to a job with another content in ${queue}. Choose another jobId.`,
    { fields: [{ field: 'jobId', message: 'is taken' }] },
  );
}
