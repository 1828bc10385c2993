import { operationJobsQuerySchema } from '@/lib/contract/operations';
import { operationParams } from '@/lib/server/params';
import { refuseMethods, route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  rate: 'search',
  params: operationParams,
  query: operationJobsQuerySchema,
  handle: ({ broker, params, query }) => broker.operations.jobs(params.id, query),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
