import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

/** The past of one queue, or of all that the principal sees: see docs/history.md. */
export const GET = route(queueRoutes.readHistory, {
  handle: ({ broker, query }) => broker.history.read(query),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
