import { streamQuerySchema } from '@/lib/contract/search/search-schemas';
import { refuseMethods, route } from '@/lib/server/http/api-route';

export const dynamic = 'force-dynamic';

export const GET = route({
  permission: 'view',
  rate: 'search',
  query: streamQuerySchema,
  handle: async ({ broker, query, request }) =>
    // HEAD uses this handler, too, and must not open a stream.
    new Response(request.method === 'GET' ? await broker.dead.stream(query, request.signal) : null, {
      headers: {
        'content-type': 'application/x-ndjson; charset=utf-8',
        // no-transform: a compressing proxy would hold lines back.
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    }),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
