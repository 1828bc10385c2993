import { getBroker } from '@/lib/server/broker';
import { operationParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  params: operationParams,
  handle: ({ params }) => getBroker().operations.get(params.id),
});
