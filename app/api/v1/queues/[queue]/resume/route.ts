import { resumeRequestSchema } from '@/lib/contract/queues/queue-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { queueParams } from '@/lib/server/http/path-params';

export const POST = route({
  permission: 'operate',
  params: queueParams,
  body: resumeRequestSchema,
  handle: async ({ broker, params, body }) => ({
    pauses: await broker.queues.resume(params.queue, body.scope, body.reason),
  }),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
