import { operationRoutes } from '@/lib/contract/api/operation-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(operationRoutes.listOperations, {
  handle: ({ broker, query }) => broker.operations.list(query),
});

export const POST = route(operationRoutes.startOperation, {
  handle: ({ broker, body }) => broker.operations.start(body),
});

export const { PUT, PATCH, DELETE } = refuseMethods('GET', 'POST');
