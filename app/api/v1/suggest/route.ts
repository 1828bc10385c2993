import { suggestQuerySchema } from '@/lib/contract/dead';
import { getBroker } from '@/lib/server/broker';
import { requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  query: suggestQuerySchema,
  handle: async ({ query }) => {
    if (query.queue !== undefined) await requireQueue(query.queue);
    return { suggestions: await getBroker().inspect.suggest(query) };
  },
});
