import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(queueRoutes.listQueueChanges, {
  handle: async ({ broker, params, query }) => ({
    changes: await broker.queues.changes(params.queue, query.limit),
  }),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
