import { searchRoutes } from '@/lib/contract/api/search-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(searchRoutes.searchDead, {
  rate: 'search',
  handle: ({ broker, query, request }) => broker.dead.search(query, request.signal),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
