import { workerRoutes } from '@/lib/contract/api/worker-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(workerRoutes.listWorkerJobs, {
  handle: ({ broker, params }) => broker.workers.jobs(params.id),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
