import { getHub } from '@/lib/server/hub';
import { route } from '@/lib/server/route';

export const dynamic = 'force-dynamic';

export const GET = route({
  permission: 'view',
  handle: async ({ request }) =>
    // HEAD is answered by this handler, too, and must not open what nobody reads.
    new Response(request.method === 'GET' ? getHub().open(request.signal) : null, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        // no-transform: a compressing proxy would hold frames back.
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    }),
});
