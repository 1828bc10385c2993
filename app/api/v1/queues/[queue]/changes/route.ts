import { changesQuerySchema } from '@/lib/contract/request-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { queueParams } from '@/lib/server/http/path-params';

export const GET = route({
  permission: 'view',
  params: queueParams,
  query: changesQuerySchema,
  handle: async ({ broker, params, query }) => ({
    changes: await broker.queues.changes(params.queue, query.limit),
  }),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
