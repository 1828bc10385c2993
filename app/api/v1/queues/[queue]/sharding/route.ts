import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

/** Spreads the queue over more shards, or by another rule, while it holds no job. Answers with its settings. */
export const PUT = route(queueRoutes.setQueueSharding, {
  handle: ({ broker, params, body }) => broker.queues.setSharding(params.queue, body),
});

export const { GET, POST, PATCH, DELETE } = refuseMethods('PUT');
