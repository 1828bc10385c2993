import { actionRequestSchema } from '@/lib/contract/api';
import { operationActionParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const POST = route({
  permission: 'operate',
  params: operationActionParams,
  body: actionRequestSchema,
  handle: ({ broker, params: { id, action }, body }) => broker.operations.act(id, action, body.reason),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
