import { jobRoutes } from '@/lib/contract/api/job-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(jobRoutes.getJob, {
  handle: ({ broker, params }) => broker.jobs.get(params.queue, params.id),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
