import { alertRoutes } from '@/lib/contract/api/alert-routes';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

export const GET = route(alertRoutes.getAlerts, {
  handle: ({ broker }) => broker.alerts.read(),
});

export const { POST, PUT, PATCH, DELETE } = refuseMethods('GET');
