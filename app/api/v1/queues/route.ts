import { queuePageQuerySchema } from '@/lib/contract/queue';
import { refuseMethods, route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  query: queuePageQuerySchema,
  handle: ({ broker, query }) => broker.live.queues(query),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
