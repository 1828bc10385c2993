import { pageQuerySchema } from '@/lib/contract/api';
import { deadFilterSchema } from '@/lib/contract/dead';
import { getBroker } from '@/lib/server/broker';
import { requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  query: deadFilterSchema.extend(pageQuerySchema.shape).strict(),
  handle: async ({ query: { cursor, limit, ...filter } }) => {
    if (filter.queue !== undefined) await requireQueue(filter.queue);
    return getBroker().inspect.dead(filter, { cursor, limit });
  },
});
