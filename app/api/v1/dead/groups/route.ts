import { z } from 'zod';
import { queryTextSchema } from '@/lib/contract/query/filter';
import { getBroker } from '@/lib/server/broker';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  query: z.strictObject({ q: queryTextSchema.default('') }),
  handle: ({ query }) => getBroker().inspect.groups({ q: query.q }),
});
