import { alertRoutes } from '@/lib/contract/api/alert-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(alertRoutes.listDeliveries, {
  handle: ({ broker, query }) => broker.alerts.deliveries(query),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
