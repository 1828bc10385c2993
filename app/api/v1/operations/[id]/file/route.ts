import { operationRoutes } from '@/lib/contract/api/operation-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';
import { exportResponse } from '@/lib/server/routes/export-response';

export const dynamic = 'force-dynamic';

export const GET = route(operationRoutes.downloadOperationFile, {
  records: true,
  handle: ({ params, ...input }) => exportResponse(input, params.id),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
