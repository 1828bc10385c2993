import { refuseMethods, route } from '@/lib/server/http/api-route';
import { queueParams } from '@/lib/server/http/path-params';

export const POST = route({
  permission: 'operate',
  params: queueParams,
  handle: async ({ broker, params }) => ({ reclaimed: await broker.queues.reclaim(params.queue) }),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
