import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

/** A mark in the charts, such as a deploy: see docs/history.md. */
export const POST = route(queueRoutes.addMark, {
  handle: ({ broker, body }) => broker.history.mark(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
