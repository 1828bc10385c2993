import { metricsQuerySchema } from '@/lib/contract/queue';
import { route } from '@/lib/server/route';

export const dynamic = 'force-dynamic';

export const GET = route({
  permission: 'view',
  query: metricsQuerySchema,
  handle: async ({ broker, query }) =>
    new Response(await broker.live.metrics(query.q), {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
    }),
});
