import { refuseMethods, route } from '@/lib/server/route';

export const dynamic = 'force-dynamic';

export const GET = route({
  permission: 'view',
  handle: async ({ broker, request }) =>
    // HEAD is answered by this handler, too, and must not open what nobody reads.
    new Response(request.method === 'GET' ? broker.live.stream(request.signal) : null, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        // no-store: what one person sees is nobody else's; no-transform: a compressing proxy would hold frames back.
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    }),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
