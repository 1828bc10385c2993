import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

/** The last hour by minute: of all queues that the principal may see together, and of the named ones. */
export const GET = route(queueRoutes.listMinutes, {
  handle: ({ broker, query }) => broker.live.minutes(query.queues),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
