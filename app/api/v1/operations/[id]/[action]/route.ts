import { actionRequestSchema } from '@/lib/contract/request-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { operationActionParams } from '@/lib/server/http/path-params';

export const POST = route({
  permission: 'operate',
  params: operationActionParams,
  body: actionRequestSchema,
  handle: ({ broker, params: { id, action }, body }) => broker.operations.act(id, action, body.reason),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
