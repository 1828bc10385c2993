import { pauseRequestSchema } from '@/lib/contract/queues/queue-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { queueParams } from '@/lib/server/http/path-params';

export const POST = route({
  permission: 'operate',
  params: queueParams,
  body: pauseRequestSchema,
  handle: async ({ broker, params, body }) => ({ pauses: await broker.queues.pause(params.queue, body) }),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
