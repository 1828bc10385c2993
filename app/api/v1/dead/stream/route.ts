import { searchRoutes } from '@/lib/contract/api/search-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';
import { searchResponse } from '@/lib/server/routes/search-stream';

export const dynamic = 'force-dynamic';

export const GET = route(searchRoutes.streamDead, {
  rate: 'search',
  handle: ({ broker, query, ...input }) =>
    searchResponse(input, (signal) => broker.dead.stream(query, signal)),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
