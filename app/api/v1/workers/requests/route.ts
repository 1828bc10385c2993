import { workerRoutes } from '@/lib/contract/api/worker-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(workerRoutes.requestWorkers, {
  handle: ({ broker, body }) => broker.workers.request(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
