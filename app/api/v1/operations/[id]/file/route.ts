import { operationRoutes } from '@/lib/contract/api/operation-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const dynamic = 'force-dynamic';

export const GET = route(operationRoutes.downloadOperationFile, {
  records: true,
  handle: ({ broker, params, request }) => broker.operations.file(params.id, request),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
