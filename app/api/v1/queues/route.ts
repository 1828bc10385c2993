import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { jsonBytes, refuseMethods, route } from '@/lib/server/routes/api-route';

/** A page of the queues that the principal may see, with their counts, as in the live frames. */
export const GET = route(queueRoutes.listQueues, {
  handle: async ({ broker, query, requestId }) => jsonBytes(await broker.live.queues(query), requestId),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
