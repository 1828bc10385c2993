import { findQuerySchema } from '@/lib/contract/search/find-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route({
  permission: 'view',
  rate: 'search',
  query: findQuerySchema,
  handle: ({ broker, query }) => broker.find.lookup(query.q),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
