import { pauseRequestSchema } from '@/lib/contract/queue';
import { queueParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const POST = route({
  permission: 'operate',
  params: queueParams,
  body: pauseRequestSchema,
  handle: async ({ broker, params, body }) => ({ pauses: await broker.queues.pause(params.queue, body) }),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
