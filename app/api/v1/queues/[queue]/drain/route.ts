import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

/** Starts or ends draining. Answers with the settings, which say who drains and why. */
export const POST = route(queueRoutes.drainQueue, {
  handle: ({ broker, params, body }) => broker.queues.drain(params.queue, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
