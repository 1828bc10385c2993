import { drainRequestSchema } from '@/lib/contract/config';
import { queueParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

/** Starts or ends draining; answers with the settings as they are then, which say who drains and why. */
export const POST = route({
  permission: 'operate',
  params: queueParams,
  body: drainRequestSchema,
  handle: ({ broker, params, body }) => broker.queues.drain(params.queue, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
