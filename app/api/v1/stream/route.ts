import { getHub } from '@/lib/server/hub';
import { route } from '@/lib/server/route';

export const dynamic = 'force-dynamic';

export const GET = route({
  permission: 'view',
  handle: async ({ request }) =>
    new Response(getHub().open(request.signal), {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        // no-transform: a compressing proxy would hold frames back.
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    }),
});
