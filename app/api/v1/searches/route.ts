import { searchRoutes } from '@/lib/contract/api/search-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(searchRoutes.listSearches, {
  handle: async ({ broker }) => ({ searches: await broker.searches.list() }),
});

export const POST = route(searchRoutes.saveSearch, {
  rate: 'saved-search',
  handle: ({ broker, body }) => broker.searches.save(body),
});

export const { PUT, PATCH, DELETE } = refuseMethods('GET', 'POST');
