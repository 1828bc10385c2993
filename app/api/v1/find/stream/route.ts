import { searchRoutes } from '@/lib/contract/api/search-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';
import { streamResponse } from '@/lib/server/routes/search-stream';

export const dynamic = 'force-dynamic';

export const GET = route(searchRoutes.streamFind, {
  rate: 'search',
  // HEAD uses this handler, too, and must not open a stream.
  handle: async ({ broker, query, request }) =>
    streamResponse(request.method === 'GET' ? await broker.find.stream(query, request.signal) : null),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
