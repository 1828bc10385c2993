import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

/** Who the jobs of a queue are of. A few short scripts a call: limited as searches are. */
export const GET = route(queueRoutes.getQueueBreakdown, {
  rate: 'search',
  handle: ({ broker, params }) => broker.queues.breakdown(params.queue),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
