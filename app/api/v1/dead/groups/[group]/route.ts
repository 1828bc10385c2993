import { searchRoutes } from '@/lib/contract/api/search-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(searchRoutes.getGroup, {
  rate: 'search',
  handle: ({ broker, params }) => broker.dead.group(params.group),
});

export const PATCH = route(searchRoutes.changeGroup, {
  handle: ({ broker, params, body }) => broker.dead.changeGroup(params.group, body),
});

export const { POST, PUT, DELETE } = refuseMethods('GET', 'PATCH');
