import { operationRoutes } from '@/lib/contract/api/operation-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(operationRoutes.getOperation, {
  handle: ({ broker, params }) => broker.operations.get(params.id),
});

export const PATCH = route(operationRoutes.changeOperation, {
  handle: ({ broker, params, body }) => broker.operations.change(params.id, body),
});

export const { POST, PUT, DELETE } = refuseMethods('GET', 'PATCH');
