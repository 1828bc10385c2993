import { alertRoutes } from '@/lib/contract/api/alert-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(alertRoutes.listEndedAlerts, {
  handle: ({ broker, query }) => broker.alerts.ended(query),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
