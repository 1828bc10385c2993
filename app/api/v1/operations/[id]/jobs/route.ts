import { operationRoutes } from '@/lib/contract/api/operation-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(operationRoutes.listOperationJobs, {
  rate: 'search',
  handle: ({ broker, params, query }) => broker.operations.jobs(params.id, query),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
