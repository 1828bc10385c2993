/** The jobs of one worker, limited to what the principal may see, and requests to workers. */
import { scopeHasJob, scopeHasQueue, scopeReachesQueue } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { WorkerRequest, WorkerRequestReply } from '@/lib/contract/workers/worker-requests';
import type { HeldJob, Worker, WorkerJobs } from '@/lib/contract/workers/worker-schemas';
import { scopeOf } from '../authentication/principal';
import { permissionRefusal, requirePermission } from '../authorization/require-permission';
import { getBroker } from '../console-broker';
import { type RequestContext, requestActor } from './request-context';

const GONE: ReadonlySet<string> = new Set(['JOB_NOT_FOUND', 'QUEUE_NOT_FOUND']);

export function authorizedWorkers(context: RequestContext) {
  const { principal } = context;
  const within = () => scopeOf(principal, 'view');

  async function jobNow({ queue, jobId }: HeldJob): Promise<WorkerJobs['jobs'][number] | null> {
    try {
      const mine = (tenant: string) => scopeHasJob(within(), queue, tenant);
      const { state, envelope, deliveries } = await getBroker().inspect.job(queue, jobId, mine);
      return { queue, jobId, state, jobType: envelope.jobType, deliveries };
    } catch (error) {
      if (!(error instanceof RedriveError) || !GONE.has(error.code)) throw error;
      // In a queue seen in part, the job may be another tenant's.
      if (!scopeHasQueue(within(), queue)) return null;
      return { queue, jobId, state: null, jobType: null, deliveries: null };
    }
  }

  return {
    /**
     * A worker of which the principal sees nothing is answered like one that is not there.
     * @throws RedriveError FORBIDDEN naming a worker that also serves queues of others; then no worker was asked
     */
    async request(request: WorkerRequest): Promise<WorkerRequestReply> {
      requirePermission(principal, 'operate');
      const may = ({ workerId, queues }: Worker): boolean => {
        const names = Object.keys(queues);
        if (!names.some((queue) => scopeReachesQueue(within(), queue))) return false;
        if (!names.every((queue) => scopeHasQueue(scopeOf(principal, 'operate'), queue)))
          throw permissionRefusal(principal, 'operate', ` for every queue that ${workerId} serves`);
        return true;
      };
      return getBroker().workers.request(request, requestActor(context, request), may);
    },
    /** What it held when it ended, or holds by its last report, and where each job is now. An unknown worker has none. */
    async jobs(workerId: string): Promise<WorkerJobs> {
      requirePermission(principal, 'view');
      const held = await getBroker().workers.held(workerId);
      const visible = held.filter(({ queue }) => scopeReachesQueue(within(), queue));
      const jobs = await Promise.all(visible.map(jobNow));
      return { at: await getBroker().now(), jobs: jobs.flatMap((job) => job ?? []) };
    },
  };
}
