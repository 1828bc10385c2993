import { operationRoutes } from '@/lib/contract/api/operation-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(operationRoutes.undoOperation, {
  handle: ({ broker, params, body }) => broker.operations.undo(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
