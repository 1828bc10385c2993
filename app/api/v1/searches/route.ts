import { savedSearchInputSchema } from '@/lib/contract/dead';
import { getBroker } from '@/lib/server/broker';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  handle: async ({ session }) => ({ searches: await getBroker().searches.list(session.actor) }),
});

export const POST = route({
  permission: 'view',
  body: savedSearchInputSchema,
  status: 201,
  handle: ({ body, session }) => getBroker().searches.save(body, session.actor),
});
