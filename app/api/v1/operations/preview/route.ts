import { operationRoutes } from '@/lib/contract/api/operation-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const POST = route(operationRoutes.previewOperation, {
  rate: 'search',
  handle: ({ broker, body }) => broker.operations.preview(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
