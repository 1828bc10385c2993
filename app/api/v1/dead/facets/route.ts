import { z } from 'zod';
import { queueNameSchema } from '@/lib/contract/names';
import { getBroker } from '@/lib/server/broker';
import { requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  query: z.strictObject({ queue: queueNameSchema.optional() }),
  handle: async ({ query }) => {
    if (query.queue !== undefined) await requireQueue(query.queue);
    return getBroker().inspect.deadFacets(query.queue);
  },
});
