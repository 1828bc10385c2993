import { operationRequestSchema } from '@/lib/contract/operations/operation-request';
import { operationsQuerySchema } from '@/lib/contract/request-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route({
  permission: 'view',
  query: operationsQuerySchema,
  handle: ({ broker, query }) => broker.operations.list(query),
});

export const POST = route({
  permission: 'operate',
  body: operationRequestSchema,
  status: 202,
  handle: ({ broker, body }) => broker.operations.start(body),
});

export const { PUT, PATCH, DELETE } = refuseMethods('GET', 'POST');
