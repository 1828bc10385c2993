import { monitoringRoutes } from '@/lib/contract/api/monitoring-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(monitoringRoutes.getRedisChecks, {
  handle: ({ broker }) => broker.redis.checks(),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
