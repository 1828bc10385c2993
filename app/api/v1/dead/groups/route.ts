import { z } from 'zod';
import { queryTextSchema } from '@/lib/contract/query/filter';
import { refuseMethods, route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  rate: 'search',
  query: z.strictObject({ q: queryTextSchema.default('') }),
  handle: ({ broker, query }) => broker.dead.groups(query.q),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
