import { suggestQuerySchema } from '@/lib/contract/dead';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  rate: 'search',
  query: suggestQuerySchema,
  handle: async ({ broker, query }) => ({ suggestions: await broker.dead.suggest(query) }),
});
