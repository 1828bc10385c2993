import { jobRoutes } from '@/lib/contract/api/job-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

/** A POST, though it changes no job: it writes an audit event, and caches must not store its response. */
export const POST = route(jobRoutes.unmaskJob, {
  handle: ({ broker, params, body }) => broker.unmask.job(params.queue, params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
