import { undoRequestSchema } from '@/lib/contract/operations/operation-request';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { operationParams } from '@/lib/server/http/path-params';

export const POST = route({
  permission: 'operate',
  params: operationParams,
  body: undoRequestSchema,
  status: 202,
  handle: ({ broker, params, body }) => broker.operations.undo(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
