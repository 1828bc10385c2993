import { operationChangeSchema } from '@/lib/contract/operations/operation-request';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { operationParams } from '@/lib/server/http/path-params';

export const GET = route({
  permission: 'view',
  params: operationParams,
  handle: ({ broker, params }) => broker.operations.get(params.id),
});

export const PATCH = route({
  permission: 'operate',
  params: operationParams,
  body: operationChangeSchema,
  handle: ({ broker, params, body }) => broker.operations.change(params.id, body),
});

export const { POST, PUT, DELETE } = refuseMethods('GET', 'PATCH');
