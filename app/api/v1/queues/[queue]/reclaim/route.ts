import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(queueRoutes.reclaimQueue, {
  handle: async ({ broker, params }) => ({ reclaimed: await broker.queues.reclaim(params.queue) }),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
