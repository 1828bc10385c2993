import { operationRoutes } from '@/lib/contract/api/operation-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(operationRoutes.controlOperation, {
  handle: ({ broker, params: { id, action }, body }) => broker.operations.act(id, action, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
