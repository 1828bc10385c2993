/** Routes of the HTTP API: workers. */
import { workerRequestReplySchema, workerRequestSchema } from '../workers/worker-requests';
import { workerJobsSchema, workersPageSchema } from '../workers/worker-schemas';
import { describeRoute } from './describe-route';
import { workerParams } from './path-params';

export const workerRoutes = {
  listWorkers: describeRoute({
    method: 'GET',
    path: '/api/v1/workers',
    summary: 'List the workers of the last day',
    permission: 'view',
    reads: 'small',
    reply: workersPageSchema,
  }),
  listWorkerJobs: describeRoute({
    method: 'GET',
    path: '/api/v1/workers/{id}/jobs',
    summary: 'List the jobs that a worker holds, or held when it ended',
    permission: 'view',
    reads: 'small',
    params: workerParams,
    reply: workerJobsSchema,
  }),
  requestWorkers: describeRoute({
    method: 'POST',
    path: '/api/v1/workers/requests',
    summary: 'Quiet, resume or stop workers: needs the permission for every queue that each of them serves',
    permission: 'operate',
    body: workerRequestSchema,
    reply: workerRequestReplySchema,
  }),
};
