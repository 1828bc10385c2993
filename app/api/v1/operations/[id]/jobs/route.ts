import { operationJobsQuerySchema } from '@/lib/contract/operations/operation-request';
import { refuseMethods, route } from '@/lib/server/http/api-route';
import { operationParams } from '@/lib/server/http/path-params';

export const GET = route({
  permission: 'view',
  rate: 'search',
  params: operationParams,
  query: operationJobsQuerySchema,
  handle: ({ broker, params, query }) => broker.operations.jobs(params.id, query),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
