import { searchQuerySchema } from '@/lib/contract/dead';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  rate: 'search',
  query: searchQuerySchema,
  handle: ({ broker, query, request }) => broker.dead.search(query, request.signal),
});
