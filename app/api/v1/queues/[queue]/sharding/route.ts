import { shardingSchema } from '@/lib/contract/config';
import { queueParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const PUT = route({
  permission: 'operate',
  params: queueParams,
  body: shardingSchema,
  handle: ({ broker, params, body }) => broker.queues.setSharding(params.queue, body),
});

export const { GET, POST, PATCH, DELETE } = refuseMethods('PUT');
