import { workerRoutes } from '@/lib/contract/api/worker-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(workerRoutes.listWorkers, {
  handle: ({ broker }) => broker.live.workers(),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
