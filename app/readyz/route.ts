import { monitoringRoutes } from '@/lib/contract/api/monitoring-routes';
import { route } from '@/lib/server/routes/api-route';
import { readiness } from '@/lib/server/routes/readiness';

export const dynamic = 'force-dynamic';

/** Ready to serve: Redis answers and may hold jobs. 503 otherwise. Open to all, who learn no more than that; see readiness.ts. */
export const GET = route(monitoringRoutes.getReadiness, {
  rate: 'unlimited',
  handle: ({ request }) => readiness(request),
});
