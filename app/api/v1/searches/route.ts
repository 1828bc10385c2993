import { savedSearchInputSchema } from '@/lib/contract/search/search-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route({
  permission: 'view',
  handle: async ({ broker }) => ({ searches: await broker.searches.list() }),
});

export const POST = route({
  permission: 'view',
  rate: 'saved-search',
  body: savedSearchInputSchema,
  status: 201,
  handle: ({ broker, body }) => broker.searches.save(body),
});

export const { PUT, PATCH, DELETE } = refuseMethods('GET', 'POST');
