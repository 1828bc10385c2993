import { drainRequestSchema } from '@/lib/contract/queues/queue-config';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { queueParams } from '@/lib/server/http/path-params';

/** Starts or ends draining. Answers with the settings, which say who drains and why. */
export const POST = route({
  permission: 'operate',
  params: queueParams,
  body: drainRequestSchema,
  handle: ({ broker, params, body }) => broker.queues.drain(params.queue, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
