import { resumeRequestSchema } from '@/lib/contract/queue';
import { queueParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const POST = route({
  permission: 'operate',
  params: queueParams,
  body: resumeRequestSchema,
  handle: async ({ broker, params, body }) => ({
    pauses: await broker.queues.resume(params.queue, body.scope, body.reason),
  }),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
