import { monitoringRoutes } from '@/lib/contract/api/monitoring-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';
import { openApiText } from '@/lib/server/routes/open-api-text';

/** The OpenAPI description: see docs/http-api.md. */
export const GET = route(monitoringRoutes.getOpenApi, {
  handle: async () =>
    new Response(openApiText(), {
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    }),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
