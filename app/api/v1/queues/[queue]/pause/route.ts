import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(queueRoutes.pauseQueue, {
  handle: async ({ broker, params, body }) => ({ pauses: await broker.queues.pause(params.queue, body) }),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
