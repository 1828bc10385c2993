import { searchRoutes } from '@/lib/contract/api/search-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const DELETE = route(searchRoutes.deleteSearch, {
  rate: 'saved-search',
  handle: async ({ broker, params }) => {
    await broker.searches.remove(params.id);
    return { id: params.id, deleted: true as const };
  },
});

export const { GET, POST, PUT, PATCH } = refuseMethods('DELETE');
