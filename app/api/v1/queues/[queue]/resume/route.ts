import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(queueRoutes.resumeQueue, {
  handle: async ({ broker, params, body }) => ({
    pauses: await broker.queues.resume(params.queue, body.scope, body.reason),
  }),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
