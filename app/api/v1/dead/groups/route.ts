import { z } from 'zod';
import { queryTextSchema } from '@/lib/contract/search/query/query-text-schema';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const GET = route({
  permission: 'view',
  rate: 'search',
  query: z.strictObject({ q: queryTextSchema.default('') }),
  handle: ({ broker, query }) => broker.dead.groups(query.q),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
