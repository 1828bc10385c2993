import { searchRoutes } from '@/lib/contract/api/search-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(searchRoutes.findJobs, {
  rate: 'search',
  handle: ({ broker, query }) => broker.find.lookup(query.q),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
