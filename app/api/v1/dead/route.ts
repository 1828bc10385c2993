import { searchQuerySchema } from '@/lib/contract/dead';
import { getBroker } from '@/lib/server/broker';
import { route } from '@/lib/server/route';

export const GET = route({
  permission: 'view',
  query: searchQuerySchema,
  // A queue that the query names and nobody knows is no mistake: nothing matches.
  handle: ({ query: { q, cursor, limit }, request }) =>
    getBroker().inspect.search({ state: 'dead', q }, { cursor, limit, signal: request.signal }),
});
