/** Routes of the HTTP API: jobs. */
import { reasonOnlySchema } from '../access/access-schemas';
import { claimReplySchema, claimRequestSchema } from '../jobs/claim-requests';
import { enqueueRequestSchema } from '../jobs/envelope';
import { jobDetailSchema, jobPageSchema, unmaskedJobSchema } from '../jobs/job-schemas';
import { enqueueReplySchema, jobsQuerySchema } from '../request-schemas';
import { describeRoute } from './describe-route';
import { jobParams, queueParams } from './path-params';

export const jobRoutes = {
  listJobs: describeRoute({
    method: 'GET',
    path: '/api/v1/queues/{queue}/jobs',
    summary: 'List the jobs of a queue in one state',
    permission: 'view',
    reads: 'large',
    params: queueParams,
    query: jobsQuerySchema,
    reply: jobPageSchema,
    errors: ['BAD_QUERY', 'BAD_CURSOR'],
  }),
  enqueueJobs: describeRoute({
    method: 'POST',
    path: '/api/v1/queues/{queue}/jobs',
    summary: 'Enqueue one job, or up to 1,000',
    permission: 'enqueue',
    params: queueParams,
    body: enqueueRequestSchema,
    reply: enqueueReplySchema,
    status: 201,
    okIf: 'each job of a batch was refused; see their outcomes',
    errors: [
      'ID_CONFLICT',
      'NOT_UNIQUE',
      'QUEUE_FULL',
      'QUEUE_DRAINING',
      'PAYLOAD_TOO_LARGE',
      'LIMIT_REACHED',
      'RESEND_TOO_LATE',
    ],
  }),
  getJob: describeRoute({
    method: 'GET',
    path: '/api/v1/queues/{queue}/jobs/{id}',
    summary: 'Read a job with its payload and history',
    permission: 'view',
    reads: 'small',
    params: jobParams,
    reply: jobDetailSchema,
  }),
  unmaskJob: describeRoute({
    method: 'POST',
    path: '/api/v1/queues/{queue}/jobs/{id}/unmask',
    summary: 'Read a job with its hidden values; recorded in the audit log',
    permission: 'unmask',
    params: jobParams,
    body: reasonOnlySchema,
    reply: unmaskedJobSchema,
  }),
  claimJobs: describeRoute({
    method: 'POST',
    path: '/api/v1/queues/{queue}/claim',
    summary: 'Claim jobs to run them; only with an API token',
    permission: 'work',
    params: queueParams,
    body: claimRequestSchema,
    reply: claimReplySchema,
  }),
};
