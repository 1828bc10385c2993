import { operationJobsQuerySchema } from '@/lib/contract/operations';
import { getBroker } from '@/lib/server/broker';
import { operationParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  params: operationParams,
  query: operationJobsQuerySchema,
  handle: ({ params, query }) => getBroker().operations.jobs(params.id, query),
});
