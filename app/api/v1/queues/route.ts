import { queuePageQuerySchema } from '@/lib/contract/queues/queue-schemas';
import { jsonBytes, refuseMethods, route } from '@/lib/server/http/api-route';

/** A page of the queues that the principal may see, with their counts, as in the live frames. */
export const GET = route({
  permission: 'view',
  query: queuePageQuerySchema,
  handle: async ({ broker, query, requestId }) => jsonBytes(await broker.live.queues(query), requestId),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
