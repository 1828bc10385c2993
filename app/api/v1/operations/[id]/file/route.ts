import { refuseMethods, route } from '@/lib/server/http/api-route';
import { operationParams } from '@/lib/server/http/path-params';

export const dynamic = 'force-dynamic';

export const GET = route({
  permission: 'operate',
  records: true,
  params: operationParams,
  handle: ({ broker, params, request }) => broker.operations.file(params.id, request),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
