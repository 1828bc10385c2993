import { jobRoutes } from '@/lib/contract/api/job-routes';
import type { EnqueueOutcome } from '@/lib/contract/jobs/envelope';
import { jsonResponse, refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(jobRoutes.listJobs, {
  rate: 'search',
  handle: ({ broker, params, query }) => broker.jobs.list(params.queue, query),
});

/** A batch is answered job by job; nothing was created when each of its jobs was refused. */
const REFUSED: ReadonlySet<EnqueueOutcome> = new Set([
  'conflict',
  'not-unique',
  'queue-full',
  'shed',
  'draining',
]);

export const POST = route(jobRoutes.enqueueJobs, {
  rate: 'work',
  records: true,
  exact: ['payload'],
  handle: async ({ broker, params, body, requestId }) => {
    const results = await broker.jobs.enqueue(params.queue, body);
    // A refused single job is an error; a batch answers with the outcome of each job.
    return 'jobs' in body && results.every(({ outcome }) => REFUSED.has(outcome))
      ? jsonResponse({ results }, 200, requestId)
      : { results };
  },
});

export const { PUT, PATCH, DELETE } = refuseMethods('GET', 'POST');
