import { searchQuerySchema } from '@/lib/contract/search/search-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route({
  permission: 'view',
  rate: 'search',
  query: searchQuerySchema,
  handle: ({ broker, query, request }) => broker.dead.search(query, request.signal),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
