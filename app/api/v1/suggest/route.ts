import { searchRoutes } from '@/lib/contract/api/search-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(searchRoutes.suggestQuery, {
  rate: 'search',
  handle: async ({ broker, query }) => ({ suggestions: await broker.dead.suggest(query) }),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
