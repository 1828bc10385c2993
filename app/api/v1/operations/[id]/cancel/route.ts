import { getBroker } from '@/lib/server/broker';
import { operationParams } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const POST = route({
  permission: 'operate',
  params: operationParams,
  handle: ({ params }) => getBroker().operations.cancel(params.id),
});
