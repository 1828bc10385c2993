import { undoRequestSchema } from '@/lib/contract/operations';
import { operationParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const POST = route({
  permission: 'operate',
  params: operationParams,
  body: undoRequestSchema,
  status: 202,
  handle: ({ broker, params, body }) => broker.operations.undo(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
