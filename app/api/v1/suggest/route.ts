import { suggestQuerySchema } from '@/lib/contract/search/search-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route({
  permission: 'view',
  rate: 'search',
  query: suggestQuerySchema,
  handle: async ({ broker, query }) => ({ suggestions: await broker.dead.suggest(query) }),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
