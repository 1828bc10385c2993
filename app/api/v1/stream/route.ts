import { queueRoutes } from '@/lib/contract/api/queue-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const dynamic = 'force-dynamic';

export const GET = route(queueRoutes.streamLive, {
  handle: async ({ broker, query, request }) =>
    // HEAD uses this handler, too, and must not open a stream.
    new Response(request.method === 'GET' ? broker.live.stream(request.signal, query.watch) : null, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        // no-store: frames are limited to one user; no-transform: a compressing proxy would buffer frames.
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    }),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
