import { changesQuerySchema } from '@/lib/contract/api';
import { queueParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  params: queueParams,
  query: changesQuerySchema,
  handle: async ({ broker, params, query }) => ({
    changes: await broker.queues.changes(params.queue, query.limit),
  }),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
