import { searchRoutes } from '@/lib/contract/api/search-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(searchRoutes.listGroups, {
  rate: 'search',
  handle: ({ broker, query }) => broker.dead.groups(query.q, query.facets === '1'),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
