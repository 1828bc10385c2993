import { changesQuerySchema } from '@/lib/contract/api';
import { getBroker } from '@/lib/server/broker';
import { queueParams, requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  params: queueParams,
  query: changesQuerySchema,
  handle: async ({ params, query }) => {
    await requireQueue(params.queue);
    return { changes: await getBroker().inspect.changes(params.queue, query.limit) };
  },
});
