import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(queueRoutes.getQueue, {
  handle: ({ broker, params }) => broker.live.queue(params.queue),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
