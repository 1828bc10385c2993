import { monitoringRoutes } from '@/lib/contract/api/monitoring-routes';
import { metricsPrincipal } from '@/lib/server/authentication/metrics-token';
import { route } from '@/lib/server/routes/api-route';

export const dynamic = 'force-dynamic';

export const GET = route(monitoringRoutes.getMetrics, {
  principal: metricsPrincipal,
  handle: async ({ broker, query }) =>
    new Response(await broker.live.metrics(query.q), {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
    }),
});
