import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(queueRoutes.getQueueSettings, {
  handle: ({ broker, params }) => broker.queues.config(params.queue),
});

/** Changes the given settings only. `ifRevision` refuses to overwrite another user's change. */
export const PATCH = route(queueRoutes.changeQueueSettings, {
  handle: ({ broker, params, body }) => broker.queues.changeConfig(params.queue, body),
});

export const { POST, PUT, DELETE } = refuseMethods('GET', 'PATCH');
