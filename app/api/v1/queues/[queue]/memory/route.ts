import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

/** Estimated bytes of each key of a queue. */
export const GET = route(queueRoutes.getQueueMemory, {
  rate: 'search',
  handle: ({ broker, params }) => broker.queues.memory(params.queue),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
