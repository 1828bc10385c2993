import { searchRoutes } from '@/lib/contract/api/search-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(searchRoutes.countDead, {
  rate: 'search',
  handle: ({ broker, query }) => broker.dead.facets(query.q),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
