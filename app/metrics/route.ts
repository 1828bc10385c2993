import { route } from '@/lib/server/route';

export const dynamic = 'force-dynamic';

export const GET = route({
  permission: 'view',
  handle: async ({ broker }) =>
    new Response(await broker.live.metrics(), {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
    }),
});
