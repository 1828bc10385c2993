import { refuseMethods, route } from '@/lib/server/http/api-route';
import { queueParams } from '@/lib/server/http/path-params';

/** Estimated bytes of each key of a queue. */
export const GET = route({
  permission: 'view',
  rate: 'search',
  params: queueParams,
  handle: ({ broker, params }) => broker.queues.memory(params.queue),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
